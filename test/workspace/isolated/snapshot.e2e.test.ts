import { chmod, lstat, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileAt } from '../../../src/workspace/git/file-at.ts';
import { prepareCheckout } from '../../../src/workspace/isolated/prepare.ts';
import { removeWorkspace } from '../../../src/workspace/isolated/remove.ts';
import { resetWorkspace } from '../../../src/workspace/isolated/reset.ts';
import { restorePaths } from '../../../src/workspace/isolated/restore-paths.ts';
import {
  dropSnapshot,
  listSnapshots,
  restoreSnapshot,
  snapshotWorkspace,
} from '../../../src/workspace/isolated/snapshot.ts';
import {
  commitAll,
  described,
  leftovers,
  type Scene,
  scene,
  userGit,
  userRepository,
  workspace,
  write,
} from '../fixture.ts';

const text = (root: string, path: string) => readFile(join(root, path), 'utf8');

async function snapshot(at: Scene, path: string, name: string, seconds = 1_700_000_000) {
  const request = { ...described('kept before reset'), at: seconds, repo: at.repo, path, base: at.base, name };
  const outcome = await snapshotWorkspace(request);
  if (outcome.kind !== 'kept') throw new Error(outcome.kind);
  return outcome;
}

test('D31: three tracked and two untracked files survive the removal of their workspace', async () => {
  const at = await scene({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const path = await workspace(at);
  await write(path, { 'a.txt': 'a2\n', 'b.txt': 'b2\n', 'new/one.txt': '1\n', 'new/two.txt': '2\n' });
  await rm(join(path, 'c.txt'));
  await snapshot(at, path, 'run1');
  await removeWorkspace(path, { root: at.workspaces });
  expect(await restoreSnapshot({ repo: at.repo, path, name: 'none', head: at.base })).toEqual({
    kind: 'no_such_snapshot',
  });
  const restored = await restoreSnapshot({ repo: at.repo, path, name: 'run1', head: at.base, branch: 'work' });
  expect(restored).toMatchObject({ kind: 'restored', head: at.base });
  expect(await userGit(path, 'status', '--porcelain', '-uall')).toBe(
    ' M a.txt\n M b.txt\n D c.txt\n?? new/one.txt\n?? new/two.txt',
  );
  expect(await text(path, 'new/two.txt')).toBe('2\n');
  expect(await userGit(path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('work');
});

test('D31: a snapshot is never replaced by one with other files, and repeating it adds nothing', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'a.txt': 'precious\n' });
  expect((await snapshot(at, path, 'run1')).name).toBe('run1');
  expect((await snapshot(at, path, 'run1', 1_800_000_000)).name).toBe('run1');
  await write(path, { 'a.txt': 'half reset\n' });
  expect((await snapshot(at, path, 'run1')).name).toBe('run1.2');
  expect((await listSnapshots(at.repo)).map((kept) => kept.name)).toEqual(['run1', 'run1.2']);
  expect((await listSnapshots(at.repo))[0]).toMatchObject({ at: 1_700_000_000, subject: 'kept before reset' });
  expect(await fileAt(at.repo, 'refs/workcenter/kept/run1', 'a.txt')).toMatchObject({
    bytes: Buffer.from('precious\n'),
  });
  expect(await dropSnapshot(at.repo, 'run1')).toBe(true);
  expect(await dropSnapshot(at.repo, 'run1')).toBe(false);
});

test('D31: a reset gives exactly the commit, keeps ignored dependencies, and drops what was done to .git', async () => {
  const at = await scene({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': 'node_modules/\n' });
  const path = await workspace(at);
  await write(path, { 'node_modules/dep/index.js': 'dep', 'a.txt': 'own\n' });
  await commitAll(path, 'own');
  await userGit(path, 'checkout', '-q', '-b', 'elsewhere');
  await write(path, {
    '.gitignore': '*\n',
    'junk/deep/x': 'x',
    '.git/hooks/post-checkout': `#!/bin/sh\ntouch '${at.root}/canary'\n`,
  });
  await chmod(join(path, '.git/hooks/post-checkout'), 0o755);
  await userGit(path, 'config', 'core.fsmonitor', `touch '${at.root}/canary'`);
  await userRepository(join(path, 'nested'), { 'n.txt': 'n' });
  await rm(join(path, 'src'), { recursive: true });
  await symlink(at.source, join(path, 'src'));
  await rm(join(path, 'c.txt'));
  await write(path, { 'c.txt/inner': 'x' });
  await resetWorkspace({ repo: at.repo, path, commit: at.base });
  await expect(lstat(join(at.root, 'canary'))).rejects.toThrow('ENOENT');
  expect(await userGit(path, 'status', '--porcelain', '--branch', '--ignored')).toBe('## work\n!! node_modules/');
  expect(await userGit(path, 'rev-parse', 'HEAD')).toBe(at.base);
  expect([await text(path, 'a.txt'), await text(path, 'src/b.txt'), await text(path, 'c.txt')]).toEqual([
    'a\n',
    'b\n',
    'c\n',
  ]);
  expect((await lstat(join(path, 'src'))).isSymbolicLink()).toBe(false);
  expect(await userGit(at.source, 'status', '--porcelain')).toBe('');
  await expect(lstat(join(path, 'junk'))).rejects.toThrow('ENOENT');
});

test('D31: a reset cut short between the old and the new git directory is finished by the next one', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(`${path}.git-preparing`, { 'workcenter.json': '{"branch":"work"}' });
  await rm(join(path, '.git'), { recursive: true });
  await resetWorkspace({ repo: at.repo, path, commit: at.base });
  expect(await userGit(path, 'status', '--porcelain', '--branch')).toBe('## work');
  expect(await leftovers(at.workspaces)).toEqual([]);
});

test('D23: protected files go back to the base in a checkout, the rest stays', async () => {
  const at = await scene({
    'src/a.ts': 'a\n',
    'test/a.test.ts': 'expect\n',
    'test/gone.test.ts': 'gone\n',
    '.ci/run': 'run\n',
    'd/x.test.ts': 'x\n',
  });
  const path = await workspace(at);
  await write(path, {
    'src/a.ts': 'fixed\n',
    'test/a.test.ts': 'skip\n',
    'test/new.test.ts': 'new\n',
    '.ci/run': 'true\n',
    'other.txt': 'o\n',
  });
  await rm(join(path, 'test/gone.test.ts'));
  await rm(join(path, 'd'), { recursive: true });
  await symlink('src', join(path, 'd'));
  await write(path, { 'src/x.test.ts': 'stranger\n', '.gitignore': 'hidden/\n', 'hidden/h.test.ts': 'h\n' });
  await userGit(path, 'add', '-f', 'hidden/h.test.ts');
  const commit = await commitAll(path, 'own');
  await snapshot(at, path, 'result');
  const checkoutPath = join(at.workspaces, 'check');
  await prepareCheckout({ repo: at.repo, path: checkoutPath, commit });
  const globs = ['**/*.test.ts', '.ci/**'];
  const request = { repo: at.repo, checkoutPath, fromCommit: at.base, globs };
  expect(await restorePaths(request)).toEqual([
    '.ci/run',
    'd/x.test.ts',
    'hidden/h.test.ts',
    'src/x.test.ts',
    'test/a.test.ts',
    'test/gone.test.ts',
    'test/new.test.ts',
  ]);
  expect(await text(checkoutPath, 'test/a.test.ts')).toBe('expect\n');
  expect(await text(checkoutPath, '.ci/run')).toBe('run\n');
  expect(await text(checkoutPath, 'src/a.ts')).toBe('fixed\n');
  expect(await text(checkoutPath, 'other.txt')).toBe('o\n');
  await expect(lstat(join(checkoutPath, 'test/new.test.ts'))).rejects.toThrow('ENOENT');
  expect(await restorePaths(request)).toEqual([]);
  expect(await restorePaths({ ...request, globs: [] })).toEqual([]);
});
