import { compilePlan } from './compile.ts';
import { type FlatIssue, flattenIssue, issueProblems } from './issues.ts';
import type { PlanFile } from './plan-file.ts';
import { formatPath, orderProblems, type Places, type PlanProblem, planProblem } from './problem.ts';
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

/**
 * Problems beyond the shape, in the part of the file whose shape is right. Whether a criterion can be proven is left
 * out: a broken entry may well have been its proof.
 */
function furtherProblems(data: unknown, issues: readonly FlatIssue[], file: Omit<PlanFile, 'document'>) {
  const document = salvage(data, issues);
  if (document === undefined) return [];
  const isGit = file.places.has('workspace');
  const compiled = compilePlan(
    { ...file, document },
    {
      directory: '/',
      base: isGit
        ? { kind: 'git', commit: '', cleanCommit: '', topLevel: '/', gitDir: '/', subdirectory: '' }
        : { kind: 'plain', contentHash: '' },
      workspaceDefault: isGit ? 'isolated' : 'in-place',
      defaultBranch: 'main',
    },
  );
  if (compiled.ok) return [];
  const broken = issues.map(({ path }) => formatPath(path));
  return compiled.problems.filter(
    ({ path }) => /[.\]]\w+(\[\d+\])?$/.test(path) && !/^criteria\[\d+\]$/.test(path) && !touches(path, broken),
  );
}

const touches = (path: string, broken: readonly string[]): boolean =>
  broken.some((one) => path.startsWith(one) || one.startsWith(path));

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
  const problems = [...read.problems, ...(result.ok ? [] : result.problems)];
  return problems.length > 0 ? { ok: false, problems: orderProblems(problems) } : result;
}
