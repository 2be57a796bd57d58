import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GitFacts, inspectDirectory } from '../../../src/workspace/user-repository/inspect.ts';
import { commitAll, place, userGit, userRepository, write } from '../fixture.ts';

async function inspectGit(path: string, maxPaths?: number): Promise<GitFacts> {
  const facts = await inspectDirectory(path, maxPaths === undefined ? {} : { maxPaths });
  if (facts.kind !== 'git') throw new Error(JSON.stringify(facts));
  return facts;
}

test('what is not a repository is told apart: missing, a file, a plain directory', async () => {
  const root = await place();
  await write(root, { 'file.txt': 'x' });
  expect((await inspectDirectory(join(root, 'none'))).kind).toBe('missing');
  expect((await inspectDirectory(join(root, 'file.txt', 'below'))).kind).toBe('missing');
  expect((await inspectDirectory(join(root, 'file.txt'))).kind).toBe('not_a_directory');
  expect(await inspectDirectory(root)).toEqual({ kind: 'plain', realPath: root });
});

test('a damaged repository is reported as broken, not as no repository', async () => {
  const root = await place();
  const source = join(root, 'repo');
  await userRepository(source, { 'a.txt': 'a' });
  await write(source, { '.git/config': '[core\nnonsense' });
  expect((await inspectDirectory(source)).kind).toBe('broken');
  expect((await inspectDirectory(join(source, '.git'))).kind).toBe('broken');
});

test('D30: a clean top level, reached through a link, has no dirt and its real path', async () => {
  const root = await place();
  const source = join(root, 'repo');
  const base = await userRepository(source, { 'a.txt': 'a' });
  await symlink(source, join(root, 'link'));
  const facts = await inspectGit(join(root, 'link'));
  expect(facts).toMatchObject({
    realPath: await realpath(source),
    topLevel: source,
    subdirectory: '',
    gitDir: join(source, '.git'),
    commonDir: join(source, '.git'),
    head: { commit: base, branch: 'main' },
    empty: false,
    bare: false,
    ignored: false,
    nested: [],
    submodules: false,
    sparse: false,
    lfs: false,
    shallow: false,
    partialClone: false,
  });
  expect(facts.dirty.tracked.count + facts.dirty.untracked.count).toBe(0);
});

test('D30: dirt is listed by kind, capped and counted; ignored files are not dirt; the index is left alone', async () => {
  const root = await place();
  const source = join(root, 'repo');
  await userRepository(source, { 'a.txt': 'a', 'pkg/b.txt': 'b', 'gone.txt': 'g', '.gitignore': 'dist\n' });
  await write(source, {
    'a.txt': 'changed',
    'staged.txt': 's',
    'dist/x': 'x',
    'pkg/ü 1': '1',
    'pkg/2': '2',
    'pkg/3': '3',
  });
  await userGit(source, 'add', 'staged.txt');
  await rm(join(source, 'gone.txt'));
  await userRepository(join(source, 'inner'), { 'i.txt': 'i' });
  const facts = await inspectGit(join(source, 'pkg'), 2);
  expect(facts.subdirectory).toBe('pkg');
  expect(facts.dirty.tracked).toMatchObject({ count: 3, truncated: true });
  expect(facts.dirty.untracked).toEqual({ paths: ['pkg/2', 'pkg/3'], count: 3, truncated: true });
  expect(facts.nested).toEqual(['inner/']);
});

test('an unborn branch, a detached HEAD and a bare repository are described', async () => {
  const root = await place();
  const unborn = join(root, 'unborn');
  await mkdir(unborn);
  await userGit(unborn, 'init', '-q', '-b', 'trunk');
  expect(await inspectGit(unborn)).toMatchObject({ empty: true, head: { branch: 'trunk' } });
  const source = join(root, 'repo');
  const base = await userRepository(source, { 'a.txt': 'a' });
  await userGit(source, 'checkout', '-q', '--detach');
  expect((await inspectGit(source)).head).toEqual({ commit: base });
  await userGit(root, 'clone', '-q', '--bare', source, join(root, 'bare.git'));
  expect(await inspectGit(join(root, 'bare.git'))).toMatchObject({ bare: true, topLevel: join(root, 'bare.git') });
});

test('submodules, sparse checkout, LFS, a linked work tree and a shallow clone are noticed', async () => {
  const root = await place();
  const source = join(root, 'repo');
  await userRepository(source, { 'a.txt': 'a', 'in/b.txt': 'b' });
  await userGit(source, 'worktree', 'add', '-q', join(root, 'linked'));
  expect(await inspectGit(join(root, 'linked'))).toMatchObject({
    gitDir: join(source, '.git', 'worktrees', 'linked'),
    commonDir: join(source, '.git'),
    head: { branch: 'linked' },
  });
  await write(source, { 'assets/.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n' });
  await userRepository(join(root, 'lib'), { 'l.txt': 'l' });
  await userGit(source, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(root, 'lib'), 'lib');
  await commitAll(source, 'odd');
  await userGit(root, 'clone', '-q', '--depth=1', `file://${source}`, join(root, 'shallow'));
  expect(await inspectGit(join(root, 'shallow'))).toMatchObject({ shallow: true, submodules: true, lfs: true });
  await userGit(source, 'sparse-checkout', 'set', 'in');
  const facts = await inspectGit(source);
  expect(facts).toMatchObject({ submodules: true, lfs: true, sparse: true });
  expect(facts.dirty.tracked.count).toBe(0);
});

test('a directory that the repository around it ignores says so', async () => {
  const root = await place();
  await userRepository(root, { '.gitignore': '/projects\n', 'a.txt': 'a' });
  await write(root, { 'projects/x/main.ts': 'x' });
  expect(await inspectGit(join(root, 'projects', 'x'))).toMatchObject({ ignored: true, subdirectory: 'projects/x' });
});

test('D29 nested directories and links to them share a top level; a linked work tree has its own', async () => {
  const root = await place();
  const source = join(root, 'repo');
  await userRepository(source, { 'dir/a.txt': 'a' });
  await symlink(join(source, 'dir'), join(root, 'link'));
  const linked = join(root, 'linked');
  await userGit(source, 'worktree', 'add', '--quiet', '--detach', linked);
  const tops = [source, join(source, 'dir'), join(root, 'link'), join(linked, 'dir')].map(inspectTop);
  expect(await Promise.all(tops)).toEqual([source, source, source, linked]);
});

const inspectTop = async (path: string): Promise<string> => (await inspectGit(path)).topLevel;
