import { readdir } from 'node:fs/promises';
import { isRealDirectory } from '../files/look.ts';
import { type CommitDescription, commitTree } from '../git/commit.ts';
import { type ChangedPath, changedPaths } from '../git/diff.ts';
import { fileAt } from '../git/file-at.ts';
import { isAncestor, treeOf } from '../git/history.ts';
import type { EngineRepository } from '../git/repository.ts';
import { git } from '../git/run-git.ts';
import { type ExecutorHistory, importExecutorCommits } from './executor-commits.ts';
import { type CaptureLimits, DEFAULT_CAPTURE_LIMITS, type Omission, writeWorkTree } from './write-tree.ts';

export interface CaptureRequest extends CommitDescription {
  readonly repo: EngineRepository;
  readonly path: string;
  /** The commit the workspace was prepared at; `ours` for a conflict workspace. */
  readonly base: string;
  /** Full ref in the engine's repository that will hold the result. */
  readonly ref: string;
  readonly limits?: CaptureLimits;
  /**
   * Asked with authors and messages of the executor's own commits, which would be published as they are: false leaves
   * them out, and its files become one commit of ours.
   */
  readonly mayPublish?: (words: string) => boolean;
  /** For a conflict workspace: what was merged, and the paths that conflicted. */
  readonly merge?: { readonly theirs: string; readonly paths: readonly string[] };
}

export interface Captured {
  readonly kind: 'captured';
  readonly commit: string;
  /** The commit is another one than the base. */
  readonly changed: boolean;
  readonly paths: readonly ChangedPath[];
  readonly omitted: readonly Omission[];
  /** The executor's own commits that became part of the result, oldest first. */
  readonly executorCommits: readonly string[];
  /** What became of the executor's history; anything but `kept` means that its files were put on the base as one commit. */
  readonly history: ExecutorHistory;
  /** Only for a conflict workspace. */
  readonly resolvedMerge?: ResolvedMerge;
}

export interface ResolvedMerge {
  /** Conflicted paths that still hold conflict markers. */
  readonly unresolved: readonly string[];
  /** The result is exactly our side: the merge was perhaps given up, not resolved. */
  readonly sameAsOurs: boolean;
}

export type CaptureOutcome = Captured | { readonly kind: 'missing_workspace' };

/**
 * Turns what an executor left in its workspace into one commit under `ref` (D31, D32). Its own commits count; what it
 * did not commit becomes one commit on top. Nothing of the executor's configuration runs. Repeating it with the same
 * arguments on the same files gives the same commit. A workspace that is gone is an answer, never "all files deleted".
 * The executor's processes must have ended.
 */
export async function captureWorkspace(request: CaptureRequest): Promise<CaptureOutcome> {
  const outcome = await commitWorkspace(request);
  if (outcome.kind === 'captured') {
    await git(['update-ref', request.ref, outcome.commit], { gitDir: request.repo.gitDir });
  }
  return outcome;
}

/** {@link captureWorkspace} without the ref: the commit exists, and nothing holds it yet. */
export async function commitWorkspace(request: Omit<CaptureRequest, 'ref'>): Promise<CaptureOutcome> {
  if (await isGone(request.path)) return { kind: 'missing_workspace' };
  const { repo, base, path } = request;
  const limits = request.limits ?? DEFAULT_CAPTURE_LIMITS;
  const history = await ownHistory(request, limits.maxFileBytes);
  const tip = history.kind === 'kept' ? history.head : base;
  const { tree, omitted } = await writeWorkTree({ repo, path, start: tip, limits });
  const commit = await commitOnTop(request, tip, tree);
  return {
    kind: 'captured',
    commit,
    changed: commit !== base,
    paths: await changedPaths(repo, base, commit),
    omitted,
    executorCommits: history.kind === 'kept' ? history.commits : [],
    history,
    ...(request.merge === undefined ? {} : { resolvedMerge: await inspectResolution(request, request.merge, commit) }),
  };
}

async function ownHistory(request: Omit<CaptureRequest, 'ref'>, maxFileBytes: number): Promise<ExecutorHistory> {
  const { repo, path, base, mayPublish } = request;
  const history = await importExecutorCommits({ repo, path, base, maxFileBytes });
  if (history.kind !== 'kept' || history.commits.length === 0 || mayPublish === undefined) return history;
  const words = await git(['log', '--format=%an %ae %cn %ce%n%B', history.head, `^${base}`], { gitDir: repo.gitDir });
  return mayPublish(words) ? history : { kind: 'unpublishable', head: history.head };
}

/** No new commit when there is nothing to add: same files, and every side of the merge already in the history. */
async function commitOnTop(request: Omit<CaptureRequest, 'ref'>, tip: string, tree: string): Promise<string> {
  const { repo, merge } = request;
  const joins = merge !== undefined && !(await isAncestor(repo, merge.theirs, tip));
  if (!joins && tree === (await treeOf(repo, tip))) return tip;
  return commitTree(repo, tree, joins ? [tip, merge.theirs] : [tip], request);
}

async function inspectResolution(
  request: Pick<CaptureRequest, 'repo' | 'base'>,
  merge: { readonly paths: readonly string[] },
  commit: string,
): Promise<ResolvedMerge> {
  const { repo, base } = request;
  const unresolved: string[] = [];
  for (const path of merge.paths) {
    const file = await fileAt(repo, commit, path);
    if (file.kind === 'file' && hasConflictMarkers(file.bytes.toString('latin1'))) unresolved.push(path);
  }
  return { unresolved, sameAsOurs: (await treeOf(repo, commit)) === (await treeOf(repo, base)) };
}

function hasConflictMarkers(text: string): boolean {
  return /^<{7} /m.test(text) && /^>{7} /m.test(text);
}

/** Not there, or emptied to the last entry, `.git` included: removed by someone, not the result of work. */
async function isGone(path: string): Promise<boolean> {
  return !(await isRealDirectory(path)) || (await readdir(path)).length === 0;
}
