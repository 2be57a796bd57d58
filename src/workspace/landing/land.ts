import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SUBMODULE, type TreeChange, treeChanges } from '../git/diff.ts';
import { moveRef, readRef } from '../git/refs.ts';
import { userGitEnvironment } from '../user-repository/user-git.ts';
import { type FileState, fileState } from './file-state.ts';
import { importCommit, releaseIncoming } from './incoming-commit.ts';
import { LANDING_SCRIPT } from './landing-script.ts';
import {
  clearAttempt,
  type LandingJob,
  type LandingOutcome,
  landingStatus,
  readJob,
  writeJob,
  writeWhole,
} from './landing-state.ts';
import { type LandingPlan, type LandingRequest, planLanding } from './plan-landing.ts';

type Executable = Extract<LandingPlan, { kind: 'update_ref' | 'fast_forward' }>;

export interface LandOptions {
  /** A directory of this landing alone, on a disk that survives us. Kept until the caller removes it. */
  readonly stateDir: string;
  /** Tests only: the phase at which the script stops for good, to be killed there. */
  readonly pauseAt?: string;
  /** Stop waiting (not landing): the answer is then `running`. */
  readonly signal?: AbortSignal;
}

export type LandingResult =
  | { readonly kind: 'landed'; readonly commit: string }
  | { readonly kind: 'moved'; readonly actual: string | null }
  | { readonly kind: 'overlap'; readonly paths: readonly string[] }
  /** Another git process holds the checkout's index (`lock` is its file): try again later. */
  | { readonly kind: 'locked'; readonly lock: string }
  /** Still at work, or somebody else's attempt is: ask `landingStatus`, then `completeLanding`. */
  | { readonly kind: 'running' }
  /** No process is at work and the landing is not finished; call `completeLanding`. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * D32: carries out a plan. `update_ref` is one compare-and-set. `fast_forward` runs in a process of its own session that nobody
 * kills; it goes on if we die. Call it under the lease on the target ref. Never forces and never loses an edit: what
 * changed since the plan was made is answered as `moved` or `overlap`. A state directory may be used again once its
 * landing is settled; an unfinished one is answered as `running` or `interrupted`, and `failed` is best completed.
 */
export async function landOnTarget(
  plan: Executable,
  request: LandingRequest,
  options: LandOptions,
): Promise<LandingResult> {
  await importCommit({ from: request.engineGitDir, into: request.userGitDir, commit: request.commit });
  if (plan.kind === 'update_ref') return moveBranch(plan.expected, request);
  const job: LandingJob = {
    schema: 1,
    token: `workcenter landing ${randomUUID()}`,
    userGitDir: request.userGitDir,
    worktree: plan.worktree,
    worktreeGitDir: plan.worktreeGitDir,
    branch: request.branch,
    expected: plan.expected,
    commit: request.commit,
  };
  const before = await landingStatus(options.stateDir);
  if (before.kind === 'running' || before.kind === 'interrupted') return { kind: before.kind };
  await clearAttempt(options.stateDir);
  await writeJob(options.stateDir, job);
  if (plan.adopt.length > 0) return repair(job, request.userEnv, options, false);
  const result = await runScript(job, 'merge', request.userEnv, options);
  if (result !== 'refused') return result;
  // Git found an edit that was not there when the plan was made: name it.
  const now = await planLanding(request);
  const reason = (await readFile(join(options.stateDir, 'log'), 'utf8')).trim();
  return now.kind === 'overlap' ? now : { kind: 'failed', reason };
}

/**
 * Finishes a landing that was cut off anywhere: by kill -9, a reboot, a full disk. Files that equal the target are
 * ours, a lock with our token is ours; a path that holds neither commit's content is the user's and is answered as
 * `overlap`, after which the checkout is free for them again. Idempotent; answers `running` while a process of
 * the landing lives.
 */
export async function completeLanding(
  options: LandOptions & { readonly userEnv: Readonly<Record<string, string>> },
): Promise<LandingResult> {
  const job = await readJob(options.stateDir);
  if (job === null) return { kind: 'failed', reason: `no landing is recorded in ${options.stateDir}` };
  const status = await landingStatus(options.stateDir);
  if (status.kind === 'running') return { kind: 'running' };
  if (status.kind === 'settled' && status.outcome === 'landed') {
    await releaseIncoming(job.userGitDir, job.commit);
    return { kind: 'landed', commit: job.commit };
  }
  return repair(job, options.userEnv, options, true);
}

async function moveBranch(expected: string, request: LandingRequest): Promise<LandingResult> {
  const { userGitDir, branch, commit } = request;
  const move = { ref: `refs/heads/${branch}`, to: commit, expected, reason: `workcenter: land ${branch}` };
  const outcome = await moveRef({ gitDir: userGitDir }, move);
  await releaseIncoming(userGitDir, commit);
  switch (outcome.kind) {
    case 'moved':
      return { kind: 'landed', commit };
    case 'elsewhere':
      return outcome.actual === commit ? { kind: 'landed', commit } : { kind: 'moved', actual: outcome.actual ?? null };
    case 'refused':
      return { kind: 'failed', reason: outcome.message };
  }
}

async function repair(
  job: LandingJob,
  userEnv: Readonly<Record<string, string>>,
  options: LandOptions,
  interrupted: boolean,
): Promise<LandingResult> {
  const changes = await treeChanges({ gitDir: job.userGitDir }, job.expected, job.commit);
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const tree = { path: job.worktree, gitDir: job.userGitDir, userEnv };
  const states = new Map<TreeChange, FileState>();
  for (const change of changes) states.set(change, await fileState(tree, change, byPath));
  const foreign = changes.filter((change) => states.get(change) === 'foreign').map((change) => change.path);
  if (foreign.length > 0) {
    if (interrupted) await releaseLock(job);
    return { kind: 'overlap', paths: foreign };
  }
  await writeLists(options.stateDir, changes, (change) => states.get(change) !== 'target');
  await clearAttempt(options.stateDir);
  const result = await runScript(job, 'repair', userEnv, options);
  if (result !== 'refused') return result;
  return { kind: 'failed', reason: (await readFile(join(options.stateDir, 'log'), 'utf8')).trim() };
}

/** NUL-separated lists, removals first, so that a directory may become a file; attributes before what they govern. */
async function writeLists(
  stateDir: string,
  changes: readonly TreeChange[],
  due: (change: TreeChange) => boolean,
): Promise<void> {
  // A submodule's files are its own; all git does for one is to make a new one's directory.
  const removed = changes.filter(({ base, target }) => target === null && base?.mode !== SUBMODULE);
  const written = changes.filter(
    (change) => change.target !== null && due(change) && (change.base === null || change.target.mode !== SUBMODULE),
  );
  const isAttributes = ({ path }: TreeChange): boolean => basename(path) === '.gitattributes';
  const folders = new Set<string>();
  for (const { path } of removed) for (let up = dirname(path); up !== '.'; up = dirname(up)) folders.add(up);
  const deepestFirst = [...folders].sort((a, b) => b.split('/').length - a.split('/').length);
  const lists = {
    'remove.z': removed.map((change) => change.path),
    'folders.z': deepestFirst,
    'attributes.z': written.filter(isAttributes).map((change) => change.path),
    'write.z': written.filter((change) => !isAttributes(change)).map((change) => change.path),
  };
  for (const [name, paths] of Object.entries(lists)) {
    await writeWhole(stateDir, name, paths.map((path) => `${path}\0`).join(''));
  }
}

async function runScript(
  job: LandingJob,
  mode: 'merge' | 'repair',
  userEnv: Readonly<Record<string, string>>,
  options: LandOptions,
): Promise<LandingResult | 'refused'> {
  await writeWhole(options.stateDir, 'land.sh', LANDING_SCRIPT);
  const log = openSync(join(options.stateDir, 'log'), 'w');
  const pause = options.pauseAt === undefined ? {} : { WORKCENTER_LANDING_PAUSE_AT: options.pauseAt };
  const where = [options.stateDir, job.worktree, job.worktreeGitDir, job.branch];
  const child = spawn(
    '/bin/sh',
    [join(options.stateDir, 'land.sh'), ...where, job.expected, job.commit, mode, job.token],
    { cwd: '/', detached: true, stdio: ['ignore', log, log], env: { ...userGitEnvironment(userEnv), ...pause } },
  );
  closeSync(log);
  const ended = await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve(true));
    options.signal?.addEventListener('abort', () => resolve(false), { once: true });
    if (options.signal?.aborted) resolve(false);
  });
  if (!ended) {
    child.unref();
    return { kind: 'running' };
  }
  const status = await landingStatus(options.stateDir);
  if (status.kind === 'settled') return settled(job, status.outcome, options.stateDir);
  return { kind: status.kind === 'running' ? 'running' : 'interrupted' };
}

async function settled(job: LandingJob, outcome: LandingOutcome, stateDir: string): Promise<LandingResult | 'refused'> {
  switch (outcome) {
    case 'landed':
      await releaseIncoming(job.userGitDir, job.commit);
      return { kind: 'landed', commit: job.commit };
    case 'moved':
      return { kind: 'moved', actual: (await readRef({ gitDir: job.userGitDir }, `refs/heads/${job.branch}`)) ?? null };
    case 'locked':
      return { kind: 'locked', lock: join(job.worktreeGitDir, 'index.lock') };
    case 'failed':
      return { kind: 'failed', reason: (await readFile(join(stateDir, 'log'), 'utf8')).trim() };
    case 'refused':
      return 'refused';
  }
}

async function releaseLock(job: LandingJob): Promise<void> {
  const lock = join(job.worktreeGitDir, 'index.lock');
  const holder = await readFile(lock, 'utf8').catch(() => '');
  if (holder.trim() === job.token) await rm(lock, { force: true });
}
