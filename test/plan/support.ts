import { type CompileContext, type CompiledPlan, compilePlan } from '../../src/plan/compile/compile.ts';
import { formatProblems } from '../../src/plan/problems/format-problems.ts';
import type { PlanProblem } from '../../src/plan/problems/problem.ts';
import { parsePlan } from '../../src/plan/read/parse.ts';
import type { PlanFile } from '../../src/plan/read/plan-file.ts';

export const IN_GIT: CompileContext = {
  directory: '/project',
  base: {
    kind: 'git',
    commit: 'aa11',
    cleanCommit: 'aa11',
    branch: 'trunk',
    topLevel: '/project',
    gitDir: '/project/.git',
    subdirectory: '',
  },
  defaultBranch: 'trunk',
  workspaceDefault: 'isolated',
  userHome: '/home/ada',
};

export const PLAIN: CompileContext = {
  directory: '/folder',
  base: { kind: 'plain', contentHash: 'h1' },
  workspaceDefault: 'in-place',
};

/** Problems of a text from reading, or else from compiling it in a git repository. */
export function problemsOf(text: string, context: CompileContext = IN_GIT): readonly PlanProblem[] {
  const parsed = parsePlan(text, 'plan.yaml');
  if (!parsed.ok) return parsed.problems;
  const compiled = compilePlan(parsed.plan, context);
  return compiled.ok ? [] : compiled.problems;
}

/** `line:column path`, which is what the tables compare. */
export const placesOf = (text: string): readonly string[] =>
  problemsOf(text).map(({ line, column, path }) => `${line}:${column} ${path}`.trimEnd());

export function parsed(text: string): PlanFile {
  const result = parsePlan(text, 'plan.yaml');
  if (!result.ok) throw new Error(formatProblems(result.problems, { fileName: 'plan.yaml', text }));
  return result.plan;
}

export function compiled(text: string, context: CompileContext = IN_GIT): CompiledPlan {
  const result = compilePlan(parsed(text), context);
  if (!result.ok) throw new Error(formatProblems(result.problems, { fileName: 'plan.yaml', text }));
  const { contract, plan, limits, actions } = result;
  return { contract, plan, limits, actions };
}
