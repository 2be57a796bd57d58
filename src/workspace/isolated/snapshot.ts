import { type ChangedPath, changedPaths } from '../git/diff.ts';
import { treeOf } from '../git/history.ts';
import { compareAndSetRef, readRef } from '../git/refs.ts';
import type { EngineRepository, GitRepository } from '../git/repository.ts';
import { git } from '../git/run-git.ts';
import { type Captured, type CaptureRequest, commitWorkspace } from './capture.ts';
import { prepareWorkspace } from './prepare.ts';
import { replaceContent } from './reset.ts';

const KEPT = 'refs/workcenter/kept/';

export type SnapshotOutcome =
  /** `name` is the one asked for, or `<name>.2` and so on when that already keeps other files. */
  | { readonly kind: 'kept'; readonly name: string; readonly ref: string; readonly captured: Captured }
  | { readonly kind: 'missing_workspace' };

/**
 * Keeps what a workspace holds (executor's commits, tracked and untracked files, not ignored ones) under
 * `refs/workcenter/kept/<name>`, before anything resets or removes it (D31). An earlier snapshot is never replaced:
 * a snapshot repeated after a crash half-way through a reset would otherwise destroy what it was made to keep.
 */
export async function snapshotWorkspace(
  request: Omit<CaptureRequest, 'ref' | 'merge'> & { readonly name: string },
): Promise<SnapshotOutcome> {
  assertName(request.name);
  const captured = await commitWorkspace(request);
  if (captured.kind === 'missing_workspace') return captured;
  const name = await keep(request.repo, request.name, captured.commit);
  return { kind: 'kept', name, ref: KEPT + name, captured };
}

export interface Snapshot {
  readonly name: string;
  readonly ref: string;
  readonly commit: string;
  /** Unix seconds, as passed when it was made. */
  readonly at: number;
  readonly subject: string;
}

/** Every kept snapshot, by name. */
export async function listSnapshots(repo: GitRepository): Promise<Snapshot[]> {
  const format = '%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:subject)';
  const text = await git(['for-each-ref', `--format=${format}`, KEPT], { gitDir: repo.gitDir });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', at = '', subject = ''] = line.split('\0');
      return { name: ref.slice(KEPT.length), ref, commit, at: Number(at), subject };
    });
}

export type RestoreOutcome =
  /** `paths` are what differs from `head` now, uncommitted. */
  | { readonly kind: 'restored'; readonly head: string; readonly paths: readonly ChangedPath[] }
  | { readonly kind: 'no_such_snapshot' };

/**
 * Puts a snapshot back: HEAD at `head` (e.g. the base it grew from), all its files in the working tree as uncommitted
 * changes. Makes the workspace when it is gone; otherwise replaces its non-ignored content.
 */
export async function restoreSnapshot(request: {
  readonly repo: EngineRepository;
  readonly path: string;
  readonly name: string;
  readonly head: string;
  readonly branch?: string;
}): Promise<RestoreOutcome> {
  const { repo, path, name, head, branch } = request;
  assertName(name);
  const commit = await readRef(repo, KEPT + name);
  if (commit === undefined) return { kind: 'no_such_snapshot' };
  const place = { repo, path, ...(branch === undefined ? {} : { branch }) };
  await prepareWorkspace({ ...place, commit: head });
  await replaceContent({ ...place, content: commit, head });
  return { kind: 'restored', head, paths: await changedPaths(repo, head, commit) };
}

/** Forgets a snapshot; its objects stay until the engine's repository goes. False when there was none. */
export async function dropSnapshot(repo: GitRepository, name: string): Promise<boolean> {
  assertName(name);
  const commit = await readRef(repo, KEPT + name);
  if (commit === undefined) return false;
  await git(['update-ref', '-d', KEPT + name, commit], { gitDir: repo.gitDir });
  return true;
}

async function keep(repo: GitRepository, wanted: string, commit: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? wanted : `${wanted}.${attempt}`;
    const present = await readRef(repo, KEPT + name);
    if (present === undefined) {
      const move = { ref: KEPT + name, to: commit, expected: undefined, reason: 'workcenter: keep a snapshot' };
      if (await compareAndSetRef(repo, move)) return name;
    } else if (await keepsTheSame(repo, present, commit)) {
      return name;
    }
  }
}

/** Same files on the same history; only the time of the snapshot may differ. */
async function keepsTheSame(repo: GitRepository, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const parents = (commit: string) => git(['rev-parse', `${commit}^@`], { gitDir: repo.gitDir });
  return (await treeOf(repo, one)) === (await treeOf(repo, other)) && (await parents(one)) === (await parents(other));
}

function assertName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.\d+)?$/.test(name))
    throw new Error(`not usable in a ref: snapshot name ${JSON.stringify(name)}`);
}
