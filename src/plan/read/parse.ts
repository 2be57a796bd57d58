import { type CompileContext, compilePlan } from '../compile/compile.ts';
import { formatPath, orderProblems, type Places, type PlanProblem, planProblem } from '../problems/problem.ts';
import { type FlatIssue, flattenIssue, issueProblems } from '../problems/schema-issues.ts';
import type { PlanFile } from './plan-file.ts';
import { readDocument } from './read-document.ts';
import { salvage } from './salvage.ts';
import { planSchema } from './schema.ts';

export const PLAN_MAX_BYTES = 1_048_576;

export type ParseResult =
  | { readonly ok: true; readonly plan: PlanFile }
  | { readonly ok: false; readonly problems: readonly PlanProblem[] };

const EXAMPLE = `A plan as small as can be:

goal: Make the tests pass
criteria:
  - text: The tests pass
    check: npm test
actions:
  - run: claude -p "$(cat "$WORKCENTER_BRIEF")"`;

const FILE_START = { line: 1, column: 1 };

const refused = (expected: string, found: string, hint?: string): ParseResult => ({
  ok: false,
  problems: [planProblem(FILE_START, { path: '', expected, found, hint })],
});

/** Stands in for the repository, which only the caller knows; it brings up no problem of its own. */
const SOME_CONTEXT: CompileContext = {
  directory: '/',
  base: { kind: 'git', commit: '', cleanCommit: '', topLevel: '/', gitDir: '/', subdirectory: '' },
  workspaceDefault: 'isolated',
  defaultBranch: 'main',
  userHome: '/',
};

const entryOf = (path: string): string | undefined => /^(?:actions|criteria)\[\d+\]/.exec(path)?.[0];

const isWithin = (path: string, around: string): boolean =>
  path === around || path.startsWith(`${around}.`) || path.startsWith(`${around}[`);

/** Whether a broken entry, not the plan, may be the reason for a problem that was found without it. */
function isDoubtful({ path, expected }: PlanProblem, issues: readonly FlatIssue[]): boolean {
  const provability = /^criteria\[\d+\]$/.test(path);
  if (provability || path === 'criteria' || path === 'actions') return true;
  const reference = /\.(dependsOn|for)(\[\d+\])?$/.exec(path)?.[1];
  const named = reference === 'for' ? /^criteria\[\d+\](\.id)?$/ : /^actions\[\d+\](\.id)?$/;
  return issues.some((issue) => {
    const broken = formatPath(issue.path);
    if (isWithin(path, broken) || isWithin(broken, path)) return true;
    if (reference !== undefined && expected.startsWith('one of ')) return named.test(broken);
    return issue.side === 'key' && entryOf(path) !== undefined && entryOf(path) === entryOf(broken);
  });
}

/** What the rules of the core refuse in the part of the file whose shape is right, so that all is said at once. */
function furtherProblems(
  data: unknown,
  issues: readonly FlatIssue[],
  file: Omit<PlanFile, 'document'>,
): readonly PlanProblem[] {
  const document = salvage(data, issues);
  const compiled = document && compilePlan({ ...file, document }, SOME_CONTEXT);
  return !compiled || compiled.ok ? [] : compiled.problems.filter((problem) => !isDoubtful(problem, issues));
}

function validate(data: unknown, places: Places, fileName: string, text: string): ParseResult {
  const parsed = planSchema.safeParse(data);
  if (parsed.success) return { ok: true, plan: { fileName, text, document: parsed.data, places } };
  const issues = parsed.error.issues.flatMap((issue) => flattenIssue(issue, data));
  const further = furtherProblems(data, issues, { fileName, text, places });
  return { ok: false, problems: [...issueProblems(issues, places), ...further] };
}

/**
 * Reads a plan file. Every problem is reported at once, in reading order, at the line and column of the key or value it
 * is about. `fileName` is only for messages.
 */
export function parsePlan(text: string, fileName: string): ParseResult {
  // Characters first: counting the bytes of a huge text is work that its length already makes pointless.
  const tooBig = text.length > PLAN_MAX_BYTES || new TextEncoder().encode(text).length > PLAN_MAX_BYTES;
  if (tooBig) return refused('at most 1 MiB', 'a larger file');
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const read = readDocument(source);
  const nothing = read.problems.length === 0 && (read.data === null || read.data === undefined);
  if (nothing) return refused('goal, criteria and actions', 'an empty file', EXAMPLE);
  const result: ParseResult = read.trustworthy
    ? validate(read.data, read.places, fileName, source)
    : { ok: false, problems: [] };
  const said = new Set(read.problems.map(({ path }) => path));
  const invalid = result.ok ? [] : result.problems.filter(({ path }) => path === '' || !said.has(path));
  const problems = [...read.problems, ...invalid];
  return problems.length > 0 ? { ok: false, problems: orderProblems(problems) } : result;
}
