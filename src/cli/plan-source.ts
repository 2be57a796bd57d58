import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { reject } from '../core/rejection.ts';
import type { Submission } from '../engine/submit/submit-item.ts';
import { type CompileContext, compilePlan, type DirtyPolicy, workspaceOf } from '../plan/compile/compile.ts';
import { formatProblems } from '../plan/problems/format-problems.ts';
import type { PlanProblem } from '../plan/problems/problem.ts';
import { parsePlan } from '../plan/read/parse.ts';
import type { PlanFile } from '../plan/read/plan-file.ts';
import { type Failure, failure } from './answer.ts';
import type { App } from './app.ts';
import { configDirectory } from './config-directory.ts';
import { storedConfiguration } from './configuration.ts';
import { EXIT } from './exit-codes.ts';
import type { Shell } from './shell.ts';
import { userHomeOf } from './user-home.ts';

/** Every problem of a plan, with the lines they stand in. */
export function planFailure(file: Pick<PlanFile, 'fileName' | 'text'>, problems: readonly PlanProblem[]): Failure {
  const [first] = problems;
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const text = `${formatProblems(problems, file)}\n\n${count} in ${file.fileName}; nothing was submitted.`;
  const where = first ? `${file.fileName}:${first.line}:${first.column} ${first.message}` : file.fileName;
  return failure(EXIT.invalid, 'invalid_plan', where, {
    ...(first ? { expected: first.expected, found: first.found } : {}),
    next: `Correct ${file.fileName}, then run it again.`,
    problems,
    text,
  });
}

const shown = (path: string, cwd: string): string => {
  const near = relative(cwd, path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
};

/** What a file system says, in words. */
const FOUND: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'a directory',
  ENOTDIR: 'no such file',
  EACCES: 'a file that may not be read',
};

/** Reads and checks a plan file. */
export async function readPlan(path: string, shell: Pick<Shell, 'cwd'>): Promise<PlanFile | Failure> {
  const file = resolve(shell.cwd, path);
  const fileName = shown(file, shell.cwd);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string') {
    const missing = text.code === 'ENOENT';
    return failure(missing ? EXIT.notFound : EXIT.invalid, 'plan_unreadable', `The plan ${fileName} cannot be read.`, {
      expected: 'a plan file',
      found: FOUND[text.code ?? ''] ?? text.code ?? text.message,
      next: 'workcenter init writes one to edit.',
    });
  }
  const parsed = parsePlan(text, fileName);
  return parsed.ok ? parsed.plan : planFailure({ fileName, text }, parsed.problems);
}

/** What a plan is compiled against besides the directory: whom it may name, and what they may use. */
export type PlanSurroundings = Pick<CompileContext, 'userHome' | 'vps' | 'modelLimits'>;

/** VPs and limits are read only for a plan that names a VP. */
export async function surroundingsOf(plan: PlanFile, app: App, directory: string): Promise<PlanSurroundings> {
  const userHome = userHomeOf(app.shell);
  if (plan.document.actions.every(({ vp }) => vp === undefined)) return { userHome };
  const [{ loadVps }, { limitsOf }] = await Promise.all([
    import('../vp/index.ts'),
    import('../engine/configuration.ts'),
  ]);
  const userDirectory = await configDirectory(app.shell);
  const { vps } = await loadVps({ projectDirectory: directory, userDirectory, userHome });
  return {
    userHome,
    vps: new Map(vps.map(({ id, executor }) => [id, executor.kind])),
    modelLimits: limitsOf(await storedConfiguration(app)),
  };
}

/** What the engine asks back when it knows the directory; problems are kept for `planFailure`. */
export interface Compiling {
  readonly compile: Submission['compile'];
  readonly problems: () => readonly PlanProblem[];
}

export function compiling(plan: PlanFile, dirty: DirtyPolicy, here: PlanSurroundings): Compiling {
  let problems: readonly PlanProblem[] = [];
  const compile: Submission['compile'] = ({ directory, base, workspace, defaultBranch }) => {
    const compiled = compilePlan(plan, {
      directory,
      base,
      workspaceDefault: workspace,
      ...here,
      ...(dirty === 'in-place' && workspace === 'in-place' ? { workspaceChosen: workspace } : {}),
      ...(defaultBranch === undefined ? {} : { defaultBranch }),
    });
    if (!compiled.ok) {
      problems = compiled.problems;
      return reject('invalid_plan', problems.map(({ message }) => message).join('; '));
    }
    const { contract, plan: kind, limits, actions } = compiled;
    return { contract, plan: kind, limits, actions };
  };
  return { compile, problems: () => problems };
}

/** What the plan itself says about the workspace, before the directory is known. */
export const wishes = (plan: PlanFile): { readonly inPlace: boolean; readonly dirty: DirtyPolicy } => {
  const { policy, dirty } = workspaceOf(plan, 'isolated');
  return { inPlace: policy === 'in-place', dirty };
};
