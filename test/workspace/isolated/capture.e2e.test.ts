import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileAt } from '../../../src/workspace/git/file-at.ts';
import { isAncestor, treeOf } from '../../../src/workspace/git/history.ts';
import { readRef } from '../../../src/workspace/git/refs.ts';
import { git } from '../../../src/workspace/git/run-git.ts';
import { type Captured, type CaptureRequest, captureWorkspace } from '../../../src/workspace/isolated/capture.ts';
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

const REF = 'refs/workcenter/actions/a1';

async function capture(at: Scene, path: string, more: Partial<CaptureRequest> = {}): Promise<Captured> {
  const outcome = await captureWorkspace({
    ...described('result'),
    repo: at.repo,
    path,
    base: at.base,
    ref: REF,
    ...more,
  });
  if (outcome.kind !== 'captured') throw new Error(outcome.kind);
  return outcome;
}

test('D31: an untouched workspace is unchanged and its result is the base', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const result = await capture(at, await workspace(at));
  expect(result).toMatchObject({ commit: at.base, changed: false, paths: [], omitted: [], executorCommits: [] });
});

test('D32: uncommitted work becomes one commit on the base, with the recorded author and time', async () => {
  const at = await scene({ 'a.txt': 'a\n', 'gone.txt': 'x\n', '.gitignore': 'dist/\n' });
  const path = await workspace(at);
  await write(path, { 'a.txt': 'b\n', 'sub dir/ü.txt': 'new\n', 'dist/out.js': 'ignored\n' });
  await rm(join(path, 'gone.txt'));
  const result = await capture(at, path);
  expect(result.paths).toEqual([
    { status: 'M', path: 'a.txt' },
    { status: 'D', path: 'gone.txt' },
    { status: 'A', path: 'sub dir/ü.txt' },
  ]);
  expect(await git(['log', '-1', '--format=%an|%ae|%at|%cn|%P|%s', REF], at.repo)).toBe(
    `Ünal|unal@example.org|1700000000|Ünal|${at.base}|result`,
  );
  expect(await leftovers(at.repo.gitDir)).toEqual([]);
});

test('D32: capturing twice, also after losing the ref, gives the same commit', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'b.txt': 'b\n' });
  await userGit(path, 'add', '-A');
  await userGit(path, 'commit', '-q', '-m', 'mine');
  await write(path, { 'c.txt': 'c\n' });
  const first = await capture(at, path);
  await git(['update-ref', '-d', REF], at.repo);
  const second = await capture(at, path);
  expect(second).toEqual(first);
  expect(await readRef(at.repo, REF)).toBe(first.commit);
});

test('D31: commits made by the executor count, with a clean tree as much as below uncommitted work', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'b.txt': 'b\n' });
  const own = await commitAll(path, 'by the agent');
  const clean = await capture(at, path);
  expect(clean).toMatchObject({ commit: own, changed: true, executorCommits: [own] });
  await write(path, { 'c.txt': 'c\n' });
  const more = await capture(at, path);
  expect(await git(['rev-parse', `${more.commit}^`], at.repo)).toBe(own);
  await rm(path, { recursive: true });
  expect(await git(['fsck', '--connectivity-only', '--no-dangling'], at.repo)).toBe('');
});

test('D31: packed refs, a switched branch and a detached HEAD are all followed', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await userGit(path, 'checkout', '-q', '-b', 'own/branch');
  await write(path, { 'b.txt': 'b\n' });
  const own = await commitAll(path, 'elsewhere');
  await userGit(path, 'pack-refs', '--all');
  await userGit(path, 'repack', '-a', '-d', '-q');
  expect((await capture(at, path)).commit).toBe(own);
  await userGit(path, 'checkout', '-q', '--detach');
  const detached = await commitAll(path, 'detached');
  expect((await capture(at, path)).executorCommits).toEqual([own, detached]);
});

test('D31: an executor that amends the base is grafted onto it and flagged', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'a.txt': 'amended\n' });
  await userGit(path, 'commit', '-q', '-a', '--amend', '-m', 'rewritten');
  const result = await capture(at, path);
  expect(result.history.kind).toBe('diverged');
  expect(result.executorCommits).toEqual([]);
  expect(await git(['rev-parse', `${result.commit}^`], at.repo)).toBe(at.base);
  expect(result.paths).toEqual([{ status: 'M', path: 'a.txt' }]);
});

test('D31: a deleted or re-initialised git directory costs the history, not the files', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'b.txt': 'b\n' });
  await rm(join(path, '.git'), { recursive: true });
  const without = await capture(at, path);
  expect(without.history.kind).toBe('unreadable');
  expect(without.paths).toEqual([{ status: 'A', path: 'b.txt' }]);
  await userGit(path, 'init', '-q', '-b', 'main');
  await commitAll(path, 'own root');
  expect((await capture(at, path)).commit).toBe(without.commit);
});

test('a workspace that is gone, or emptied to the last entry, is not "everything deleted"', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await rm(path, { recursive: true });
  const request = { ...described('x'), repo: at.repo, path, base: at.base, ref: REF };
  expect(await captureWorkspace(request)).toEqual({ kind: 'missing_workspace' });
  await mkdir(path);
  expect(await captureWorkspace(request)).toEqual({ kind: 'missing_workspace' });
  expect(await readRef(at.repo, REF)).toBeUndefined();
});

test('D31: nothing the executor configures runs when the engine captures', async () => {
  const at = await scene({ 'a.txt': 'a\n', 'b.evil': 'b\n', 'sub/x.txt': 'x\n' });
  const path = await workspace(at);
  const canary = join(at.root, 'canary');
  const script = join(at.root, 'evil.sh');
  await writeFile(script, `#!/bin/sh\necho "$0 $*" >> '${canary}'\nexit 1\n`);
  await chmod(script, 0o755);
  await write(path, {
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
    'b.evil': 'changed\n',
    'c.txt': 'c\n',
  });
  await userGit(path, 'add', '.gitattributes');
  await userGit(path, 'commit', '-q', '-m', 'attributes');
  const quoted = `'${script}'`;
  const settings = {
    'core.fsmonitor': quoted,
    'core.hooksPath': join(path, 'hooks'),
    'core.sshCommand': quoted,
    'core.pager': quoted,
    'filter.evil.clean': quoted,
    'filter.evil.smudge': quoted,
    'filter.evil.process': quoted,
    'filter.evil.required': 'true',
    'diff.evil.textconv': quoted,
    'diff.evil.command': quoted,
    'diff.external': quoted,
    'merge.evil.driver': quoted,
    'uploadpack.packObjectsHook': quoted,
    'gpg.program': quoted,
    'commit.gpgSign': 'true',
    'core.worktree': at.source,
  };
  for (const [key, value] of Object.entries(settings)) await userGit(path, 'config', key, value);
  for (const hook of ['pre-commit', 'post-commit', 'reference-transaction', 'post-index-change', 'post-checkout']) {
    await write(path, {
      [`.git/hooks/${hook}`]: `#!/bin/sh\n${quoted} </dev/null\n`,
      [`hooks/${hook}`]: `#!/bin/sh\n${quoted}\n`,
    });
    await chmod(join(path, '.git/hooks', hook), 0o755);
    await chmod(join(path, 'hooks', hook), 0o755);
  }
  const result = await capture(at, path);
  expect(result.executorCommits).toHaveLength(1);
  expect(result.paths.map((change) => change.path)).toContain('b.evil');
  await expect(lstat(canary)).rejects.toThrow('ENOENT');
  // The trap is armed: the executor's own git does fall into it.
  await userGit(path, 'status').catch(() => '');
  await expect(lstat(canary)).resolves.toBeDefined();
});

test('D31: a populated submodule is carried over and git never runs inside it', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  await userRepository(join(at.root, 'lib'), { 'lib.txt': 'lib\n' });
  await userGit(
    at.source,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    join(at.root, 'lib'),
    'lib',
  );
  const base = await commitAll(at.source, 'submodule');
  const path = await workspace(at, 'sub', base);
  const canary = join(at.root, 'canary');
  await userGit(join(path, 'lib'), 'init', '-q');
  await write(path, { 'lib/new.txt': 'n\n', 'lib/.gitattributes': '* filter=evil\n', 'b.txt': 'b\n' });
  await commitAll(join(path, 'lib'), 'inner');
  await userGit(join(path, 'lib'), 'config', 'filter.evil.clean', `touch '${canary}'; cat`);
  await userGit(join(path, 'lib'), 'config', 'core.fsmonitor', `touch '${canary}'`);
  await write(path, { 'lib/new.txt': 'm\n' });
  const result = await capture(at, path, { base });
  expect(result.paths).toEqual([{ status: 'A', path: 'b.txt' }]);
  expect(result.omitted).toEqual([{ path: 'lib/', reason: 'submodule' }]);
  expect((await fileAt(at.repo, result.commit, 'lib')).kind).toBe('submodule');
  await expect(lstat(canary)).rejects.toThrow('ENOENT');
});

test('links stay links, bytes stay bytes, the executable bit stays', async () => {
  const at = await scene({ 'a.txt': 'a\r\nb\r\n' });
  const path = await workspace(at);
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('a\r\nb\r\n');
  await write(path, { 'crlf.txt': 'x\r\ny\n', 'run.sh': '#!/bin/sh\n' });
  await writeFile(Buffer.concat([Buffer.from(`${path}/odd-`), Buffer.from([0xff])]), 'odd name');
  await chmod(join(path, 'run.sh'), 0o755);
  await symlink('/etc/passwd', join(path, 'outside'));
  await symlink(at.source, join(path, 'folder'));
  const { commit, paths } = await capture(at, path);
  expect(paths).toHaveLength(5);
  expect(await fileAt(at.repo, commit, 'outside')).toMatchObject({ kind: 'symlink', target: '/etc/passwd' });
  expect(await fileAt(at.repo, commit, 'folder')).toMatchObject({ kind: 'symlink', target: at.source });
  expect(await fileAt(at.repo, commit, 'crlf.txt')).toMatchObject({
    bytes: Buffer.from('x\r\ny\n'),
    executable: false,
  });
  expect(await fileAt(at.repo, commit, 'run.sh')).toMatchObject({ kind: 'file', executable: true });
});

test('a folder swapped for a link out of the workspace loses its files and reads nothing outside', async () => {
  const at = await scene({ 'src/a.txt': 'a\n', 'b.txt': 'b\n' });
  const path = await workspace(at);
  await write(at.root, { 'secret/a.txt': 'secret\n' });
  await rm(join(path, 'src'), { recursive: true });
  await symlink(join(at.root, 'secret'), join(path, 'src'));
  await rm(join(path, 'b.txt'));
  await write(path, { 'b.txt/inner.txt': 'file became folder\n' });
  const { commit, paths } = await capture(at, path);
  expect(paths.map((change) => `${change.status} ${change.path}`).sort()).toEqual([
    'A b.txt/inner.txt',
    'A src',
    'D b.txt',
    'D src/a.txt',
  ]);
  expect((await fileAt(at.repo, commit, 'src')).kind).toBe('symlink');
});

test('what is left out is named with its reason, and the base version stays', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'a.txt': 'x'.repeat(2000), 'big.bin': 'y'.repeat(2000), 'small.txt': 's\n' });
  await userRepository(join(path, 'nested'), { 'n.txt': 'n\n' });
  const result = await capture(at, path, { limits: { maxFileBytes: 1000, maxFiles: 10 } });
  expect(result.paths).toEqual([{ status: 'A', path: 'small.txt' }]);
  expect(result.omitted).toEqual([
    { path: 'a.txt', reason: 'too_large' },
    { path: 'big.bin', reason: 'too_large' },
    { path: 'nested/', reason: 'nested_repository' },
  ]);
  const few = await capture(at, path, { limits: { maxFileBytes: 10_000, maxFiles: 2 } });
  expect(few.omitted).toContainEqual({ path: 'small.txt', reason: 'too_many_files' });
});

test('a commit with a file over the limit is not imported, its other files are', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'big.bin': 'y'.repeat(2000), 'small.txt': 's\n' });
  const own = await commitAll(path, 'too big');
  const result = await capture(at, path, { limits: { maxFileBytes: 1000, maxFiles: 10 } });
  expect(result.history).toEqual({ kind: 'oversized', head: own });
  expect(result.paths).toEqual([{ status: 'A', path: 'small.txt' }]);
  expect(await readRef(at.repo, own)).toBeUndefined();
});

test('D31: alternates pointed at another repository do not bring its objects in', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  const secret = join(at.root, 'secret');
  await userGit(at.root, 'clone', '-q', at.source, secret);
  await write(secret, { 'secret.txt': 'secret\n' });
  const theirs = await commitAll(secret, 'secret');
  await writeFile(join(path, '.git/objects/info/alternates'), `${join(secret, '.git/objects')}\n`);
  await writeFile(join(path, '.git/HEAD'), `${theirs}\n`);
  const result = await capture(at, path);
  expect(result.history.kind).toBe('unreadable');
  expect(result.changed).toBe(false);
  expect(await readRef(at.repo, theirs)).toBeUndefined();
});

test('D31: an object that is not what its name says is refused with the history', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, { 'b.txt': 'b\n' });
  const own = await commitAll(path, 'own');
  const blob = await userGit(path, 'rev-parse', 'HEAD:b.txt');
  const other = (await userGit(path, 'hash-object', '-w', 'a.txt', '.git/HEAD')).split('\n')[1] ?? '';
  const file = (id: string) => join(path, '.git/objects', id.slice(0, 2), id.slice(2));
  const forged = await readFile(file(other));
  await rm(file(blob));
  await writeFile(file(blob), forged);
  const result = await capture(at, path);
  expect(result.history.kind).toBe('unreadable');
  expect(await readRef(at.repo, own)).toBeUndefined();
  expect(await fileAt(at.repo, result.commit, 'b.txt')).toMatchObject({ bytes: Buffer.from('b\n') });
});

test('two thousand files in a subfolder project are captured whole', async () => {
  const at = await scene({ 'pkg/a/index.ts': 'a\n', 'README.md': 'r\n' });
  const path = await workspace(at);
  const files = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`pkg/a/gen/${i % 20}/f${i}.ts`, `export const x = ${i};\n`]),
  );
  await write(path, files);
  const result = await capture(at, path);
  expect(result.paths).toHaveLength(2000);
  expect(result.omitted).toEqual([]);
  expect(await isAncestor(at.repo, at.base, result.commit)).toBe(true);
  expect(await treeOf(at.repo, result.commit)).not.toBe(await treeOf(at.repo, at.base));
}, 60_000);

test('D31: files that the executor added against the ignore rules count, committed or only staged', async () => {
  const at = await scene({ 'a.txt': 'a\n', '.gitignore': 'dist/\n' });
  const path = await workspace(at);
  await write(path, { 'dist/committed.js': '1\n', 'dist/staged.js': '2\n', 'dist/ignored.js': '3\n' });
  await userGit(path, 'add', '-f', 'dist/committed.js');
  await userGit(path, 'commit', '-q', '-m', 'by force');
  await userGit(path, 'add', '-f', 'dist/staged.js');
  const result = await capture(at, path);
  expect(result.paths.map((change) => change.path)).toEqual(['dist/committed.js', 'dist/staged.js']);
  await writeFile(join(path, '.git', 'index'), 'not an index');
  expect((await capture(at, path)).paths.map((change) => change.path)).toEqual(['dist/committed.js']);
});

test('attributes that git cannot obey do not make work impossible to keep', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const path = await workspace(at);
  await write(path, {
    '.gitattributes': '*.txt working-tree-encoding=nonsense\n*.md text\n',
    'b.txt': 'ü\n',
    'c.md': 'x\r\n',
  });
  const { commit, paths } = await capture(at, path);
  expect(paths.map((change) => change.path)).toEqual(['.gitattributes', 'b.txt', 'c.md']);
  expect(await fileAt(at.repo, commit, 'b.txt')).toMatchObject({ bytes: Buffer.from('ü\n') });
  expect(await fileAt(at.repo, commit, 'c.md')).toMatchObject({ bytes: Buffer.from('x\n') });
});
