import { chmod, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeIntoItem } from '../../../src/workspace/engine-repository/item-branch.ts';
import { changedPaths } from '../../../src/workspace/git/diff.ts';
import { git } from '../../../src/workspace/git/run-git.ts';
import { captureWorkspace } from '../../../src/workspace/isolated/capture.ts';
import {
  prepareCheckout,
  prepareConflictWorkspace,
  prepareWorkspace,
} from '../../../src/workspace/isolated/prepare.ts';
import { removeWorkspace } from '../../../src/workspace/isolated/remove.ts';
import { commitAll, described, leftovers, type Scene, scene, userGit, workspace, write } from '../fixture.ts';

test('D31: a workspace is a clean clone on its branch, with no remote and no ref but its own', async () => {
  const at = await scene({ 'a.txt': 'a\n', 'pkg/b.txt': 'b\n' });
  const path = await workspace(at);
  expect(await userGit(path, 'status', '--porcelain', '--branch')).toBe('## work');
  expect(await userGit(path, 'rev-parse', 'HEAD', '--show-toplevel')).toBe(`${at.base}\n${path}`);
  expect(await userGit(path, 'remote')).toBe('');
  expect(await userGit(path, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/work');
  expect(await readFile(join(path, '.git', 'config'), 'utf8')).not.toContain(at.root);
  expect(await leftovers(at.workspaces)).toEqual([]);
});

test('D31: what an executor does to its own refs reaches neither the engine nor the user', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  const before = [await git(['for-each-ref'], at.repo), await userGit(at.source, 'for-each-ref')];
  await commitAll(path, 'own');
  await userGit(path, 'branch', '-q', 'workcenter/item1');
  await userGit(path, 'gc', '-q', '--prune=now');
  expect([await git(['for-each-ref'], at.repo), await userGit(at.source, 'for-each-ref')]).toEqual(before);
});

test('a workspace that is there is returned as it is; a half-made one is made again', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = join(at.workspaces, 'x');
  await write(`${path}.preparing-old`, { 'half.txt': 'x', '.git/HEAD': 'nonsense' });
  const request = { repo: at.repo, path, commit: at.base };
  expect(await prepareWorkspace(request)).toEqual({ kind: 'ready', path, created: true });
  await write(path, { 'a.txt': 'work\n' });
  expect(await prepareWorkspace(request)).toEqual({ kind: 'ready', path, created: false });
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('work\n');
  await writeFile(join(at.workspaces, 'file'), 'x');
  expect((await prepareWorkspace({ ...request, path: join(at.workspaces, 'file') })).kind).toBe('occupied');
  expect(await leftovers(at.workspaces)).toEqual([]);
});

test('a preparation that fails leaves nothing', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const request = { repo: at.repo, path: join(at.workspaces, 'x'), commit: 'f'.repeat(40) };
  await expect(prepareWorkspace(request)).rejects.toThrow('git');
  await expect(lstat(request.path)).rejects.toThrow('ENOENT');
  expect(await leftovers(at.workspaces)).toEqual([]);
});

test('a checkout for checks is detached and clean', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = join(at.workspaces, 'check');
  await prepareCheckout({ repo: at.repo, path, commit: at.base });
  expect(await userGit(path, 'status', '--porcelain', '--branch')).toBe('## HEAD (no branch)');
});

interface Conflict extends Scene {
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
}

async function conflicted(): Promise<Conflict> {
  const at = await scene({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const commits: string[] = [];
  for (const name of ['one', 'two']) {
    const path = await workspace(at, name);
    await write(path, { 'a.txt': `${name}\n`, [`${name}.txt`]: 'x\n' });
    const captured = await captureWorkspace({
      ...described(name),
      repo: at.repo,
      path,
      base: at.base,
      ref: `refs/workcenter/actions/${name}`,
    });
    if (captured.kind === 'captured') commits.push(captured.commit);
  }
  const [ours = '', theirs = ''] = commits;
  await mergeIntoItem(at.repo, { ...described('merge'), commit: ours });
  const path = join(at.workspaces, 'integrate');
  await prepareConflictWorkspace({ repo: at.repo, path, ours, theirs, message: 'Merge two', branch: 'work' });
  return { ...at, path, ours, theirs };
}

const resolve = (at: Conflict) =>
  captureWorkspace({
    ...described('resolved'),
    repo: at.repo,
    path: at.path,
    base: at.ours,
    ref: 'refs/workcenter/actions/integrate',
    merge: { theirs: at.theirs, paths: ['a.txt'] },
  });

test('D32: a conflict workspace is in the middle of an ordinary merge', async () => {
  const at = await conflicted();
  expect(await userGit(at.path, 'status', '--porcelain')).toBe('UU a.txt\nA  two.txt');
  expect(await userGit(at.path, 'rev-parse', 'HEAD', 'MERGE_HEAD')).toBe(`${at.ours}\n${at.theirs}`);
  expect(await readFile(join(at.path, 'a.txt'), 'utf8')).toBe('<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> incoming\n');
});

test('D32: leftover markers are reported; a resolution has both parents and merges into the item', async () => {
  const at = await conflicted();
  expect(await resolve(at)).toMatchObject({ resolvedMerge: { unresolved: ['a.txt'], sameAsOurs: false } });
  await write(at.path, { 'a.txt': 'one and two\n' });
  const outcome = await resolve(at);
  if (outcome.kind !== 'captured') throw new Error(outcome.kind);
  expect(outcome.resolvedMerge).toEqual({ unresolved: [], sameAsOurs: false });
  expect(await git(['log', '-1', '--format=%P', outcome.commit], at.repo)).toBe(`${at.ours} ${at.theirs}`);
  expect(await mergeIntoItem(at.repo, { ...described('m'), commit: outcome.commit })).toMatchObject({
    kind: 'merged',
    head: outcome.commit,
  });
  expect((await mergeIntoItem(at.repo, { ...described('m'), commit: at.theirs })).kind).toBe('already');
});

test('D32: a merge that the executor commits itself is taken as it is', async () => {
  const at = await conflicted();
  await write(at.path, { 'a.txt': 'both\n' });
  await userGit(at.path, 'add', 'a.txt');
  await userGit(at.path, 'commit', '-q', '--no-edit');
  const own = await userGit(at.path, 'rev-parse', 'HEAD');
  expect(await resolve(at)).toMatchObject({ commit: own, resolvedMerge: { unresolved: [] } });
  expect(await userGit(at.path, 'log', '-1', '--format=%s')).toBe('Merge two');
});

test('D32: a merge that the executor gave up is told apart from a resolution', async () => {
  const at = await conflicted();
  await userGit(at.path, 'merge', '--abort');
  expect(await resolve(at)).toMatchObject({ resolvedMerge: { unresolved: [], sameAsOurs: true } });
});

test('removal stays inside the root, does not follow links, and copes with read-only folders', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  const bounds = { root: at.workspaces };
  await write(path, { 'cache/deep/x': 'x' });
  await chmod(join(path, 'cache', 'deep'), 0o555);
  await symlink(at.source, join(at.workspaces, 'link'));
  await symlink(at.root, join(at.workspaces, 'way-out'));
  expect(await removeWorkspace(at.workspaces, bounds)).toEqual({ kind: 'refused', reason: 'is_root' });
  expect(await removeWorkspace(at.source, bounds)).toEqual({ kind: 'refused', reason: 'outside_root' });
  expect(await removeWorkspace(join(path, '..', '..', '..', 'user repo'), bounds)).toEqual({
    kind: 'refused',
    reason: 'outside_root',
  });
  expect(await removeWorkspace(join(at.workspaces, 'way-out', 'user repo'), bounds)).toEqual({
    kind: 'refused',
    reason: 'outside_root',
  });
  expect(await removeWorkspace(join(at.workspaces, 'link'), bounds)).toEqual({ kind: 'refused', reason: 'is_symlink' });
  expect(await removeWorkspace(path, bounds)).toEqual({ kind: 'removed' });
  expect(await removeWorkspace(path, bounds)).toEqual({ kind: 'absent' });
  await mkdir(`${path}.removing`);
  expect(await removeWorkspace(path, bounds)).toEqual({ kind: 'absent' });
  expect(await leftovers(at.workspaces)).toEqual([]);
  expect((await lstat(join(at.source, 'a.txt'))).isFile()).toBe(true);
  expect(await changedPaths(at.repo, at.base, at.repo.branch)).toEqual([]);
});
