import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createEngineRepository,
  openEngineRepository,
  pin,
  unpin,
} from '../../../src/workspace/engine-repository/engine-repository.ts';
import { itemHead, mergeIntoItem } from '../../../src/workspace/engine-repository/item-branch.ts';
import { changedPaths, diffText } from '../../../src/workspace/git/diff.ts';
import { fileAt } from '../../../src/workspace/git/file-at.ts';
import { git } from '../../../src/workspace/git/run-git.ts';
import { captureWorkspace } from '../../../src/workspace/isolated/capture.ts';
import { prepareWorkspace } from '../../../src/workspace/isolated/prepare.ts';
import { commitAll, described, leftovers, place, type Scene, scene, userGit, workspace, write } from '../fixture.ts';

/** The commit of an executor that wrote these files on top of `from`. */
async function result(at: Scene, name: string, files: Record<string, string>, from = at.base): Promise<string> {
  const path = await workspace(at, name, from);
  await write(path, files);
  const ref = `refs/workcenter/actions/${name}`;
  const captured = await captureWorkspace({ ...described(name), repo: at.repo, path, base: from, ref });
  if (captured.kind !== 'captured') throw new Error(captured.kind);
  return captured.commit;
}

const merge = (at: Scene, commit: string, expectedHead?: string) =>
  mergeIntoItem(at.repo, { ...described('merge'), commit, ...(expectedHead === undefined ? {} : { expectedHead }) });

test('D32: the first result is taken as it is, a parallel one gets a merge commit, a known one is already there', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const one = await result(at, 'one', { 'one.txt': '1\n' });
  const two = await result(at, 'two', { 'two.txt': '2\n' });
  expect(await merge(at, one)).toEqual({ kind: 'merged', head: one, paths: [{ status: 'A', path: 'one.txt' }] });
  const second = await merge(at, two);
  expect(second).toMatchObject({ kind: 'merged', paths: [{ status: 'A', path: 'two.txt' }] });
  const head = await itemHead(at.repo);
  expect(await git(['log', '-1', '--format=%P', head], at.repo)).toBe(`${one} ${two}`);
  expect(await merge(at, one)).toEqual({ kind: 'already', head });
  expect(await merge(at, at.base)).toEqual({ kind: 'already', head });
});

test('D32: a merge repeated after a crash before the branch moved gives the same commit', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const one = await result(at, 'one', { 'one.txt': '1\n' });
  const two = await result(at, 'two', { 'two.txt': '2\n' });
  await merge(at, one);
  const first = await merge(at, two);
  await git(['update-ref', at.repo.branch, one], at.repo);
  expect(await merge(at, two)).toEqual(first);
});

test('D32: a merge decided on an old head changes nothing', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const one = await result(at, 'one', { 'one.txt': '1\n' });
  const two = await result(at, 'two', { 'two.txt': '2\n' });
  await merge(at, one);
  expect(await merge(at, two, at.base)).toEqual({ kind: 'moved', head: one });
  expect(await itemHead(at.repo)).toBe(one);
});

test('D32: two merges at the same moment: one wins, the other is told and may repeat', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const one = await result(at, 'one', { 'one.txt': '1\n' });
  const two = await result(at, 'two', { 'two.txt': '2\n' });
  const outcomes = await Promise.all([merge(at, one), merge(at, two)]);
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'moved') expect((await merge(at, index === 0 ? one : two)).kind).toBe('merged');
    else expect(outcome.kind).toBe('merged');
  }
  const names = (await changedPaths(at.repo, at.base, await itemHead(at.repo))).map((change) => change.path);
  expect(names).toEqual(['one.txt', 'two.txt']);
});

test('D32: a conflict is a fact with paths, both sides and git’s sentences; the branch stays', async () => {
  const at = await scene({ 'a b.txt': 'a\n', 'c.txt': 'c\n' });
  const one = await result(at, 'one', { 'a b.txt': 'one\n', 'c.txt': 'c1\n' });
  const two = await result(at, 'two', { 'a b.txt': 'two\n', 'd.txt': 'd\n' });
  await merge(at, one);
  const outcome = await merge(at, two);
  expect(outcome).toMatchObject({ kind: 'conflict', paths: ['a b.txt'], ours: one, theirs: two, mergeBase: at.base });
  if (outcome.kind !== 'conflict') return;
  expect(outcome.messages.join('\n')).toContain('Merge conflict in a b.txt');
  expect(await itemHead(at.repo)).toBe(one);
});

test('D31: pruning the user’s repository takes nothing from the item, and unpinning frees it', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const one = await result(at, 'one', { 'one.txt': '1\n' });
  // The user throws the item's base away and prunes at once.
  await userGit(at.source, 'checkout', '-q', '--orphan', 'other');
  await commitAll(at.source, 'other root');
  await userGit(at.source, 'branch', '-q', '-D', 'main');
  const prune = async () => {
    await userGit(at.source, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(at.source, 'gc', '-q', '--prune=now');
  };
  await prune();
  const two = await result(at, 'two', { 'two.txt': '2\n' });
  await merge(at, one);
  expect((await merge(at, two)).kind).toBe('merged');
  expect(await git(['fsck', '--connectivity-only', '--no-dangling'], at.repo)).toBe('');
  const commonDir = join(at.source, '.git');
  await unpin({ commonDir, itemId: 'item1' });
  await unpin({ commonDir, itemId: 'item1' });
  expect(await userGit(at.source, 'for-each-ref', 'refs/workcenter')).toBe('');
  await prune();
  await expect(userGit(at.source, 'cat-file', '-e', at.base)).rejects.toThrow();
});

test('the user’s repository gains one ref and nothing else', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  await merge(at, await result(at, 'one', { 'one.txt': '1\n' }));
  expect(await userGit(at.source, 'for-each-ref', '--format=%(refname)')).toBe(
    'refs/heads/main\nrefs/workcenter/item1/base',
  );
  expect(await userGit(at.source, 'status', '--porcelain')).toBe('');
  expect(await userGit(at.source, 'count-objects')).toMatch(/^3 objects/);
});

test('making the engine’s repository again finds it, also after a crash half-way', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  const one = await result(at, 'one', { 'one.txt': '1\n' });
  await merge(at, one);
  const request = {
    gitDir: at.repo.gitDir,
    source: { commonDir: join(at.source, '.git') },
    base: at.base,
    itemId: 'item1',
  };
  expect(await createEngineRepository(request)).toEqual(at.repo);
  expect(await itemHead(at.repo)).toBe(one);
  const gitDir = join(at.root, 'data', 'second.git');
  await mkdir(`${gitDir}.preparing-old/objects`, { recursive: true });
  expect(await openEngineRepository({ gitDir, itemId: 'item2' })).toBeUndefined();
  const made = await createEngineRepository({ ...request, gitDir, itemId: 'item2' });
  expect(await itemHead(made)).toBe(at.base);
  expect(await leftovers(join(at.root, 'data'))).toEqual([]);
  await pin({ commonDir: join(at.source, '.git'), itemId: 'item2', commit: at.base, name: 'extra' });
});

test('an empty repository and no repository both start from the same empty commit of the engine', async () => {
  const root = await place();
  const source = join(root, 'empty');
  await mkdir(source);
  await userGit(source, 'init', '-q', '-b', 'main');
  const one = await createEngineRepository({
    gitDir: join(root, '1.git'),
    source: { commonDir: join(source, '.git') },
    itemId: 'i1',
  });
  const two = await createEngineRepository({ gitDir: join(root, '2.git'), itemId: 'i2' });
  expect(two.base).toBe(one.base);
  const path = join(root, 'ws');
  await prepareWorkspace({ repo: one, path, commit: one.base, branch: 'work' });
  await write(path, { 'first.txt': '1\n' });
  const captured = await captureWorkspace({
    ...described('x'),
    repo: one,
    path,
    base: one.base,
    ref: 'refs/workcenter/actions/x',
  });
  expect(captured).toMatchObject({ kind: 'captured', paths: [{ status: 'A', path: 'first.txt' }] });
  expect(await userGit(source, 'for-each-ref')).toBe('');
});

test('a shallow source and one with another object format lend their objects', async () => {
  const at = await scene({ 'a.txt': 'a\n' });
  await commitAll(at.source, 'second');
  const shallow = join(at.root, 'shallow');
  await userGit(at.root, 'clone', '-q', '--depth=1', `file://${at.source}`, shallow);
  const base = await userGit(shallow, 'rev-parse', 'HEAD');
  const repo = await createEngineRepository({
    gitDir: join(at.root, 's.git'),
    source: { commonDir: join(shallow, '.git') },
    base,
    itemId: 's',
  });
  expect(await git(['rev-list', '--count', base], repo)).toBe('1');
  const other = join(at.root, 'sha256');
  await mkdir(other);
  await userGit(other, 'init', '-q', '--object-format=sha256', '-b', 'main');
  const long = await commitAll(other, 'long ids');
  const wide = await createEngineRepository({
    gitDir: join(at.root, 'w.git'),
    source: { commonDir: join(other, '.git') },
    base: long,
    itemId: 'w',
  });
  expect(await itemHead(wide)).toBe(long);
});

test('diffs are cut where asked, name literal paths, and files are read as of a commit', async () => {
  const at = await scene({ 'a*.txt': 'a\n', 'ab.txt': 'b\n' });
  const one = await result(at, 'one', { 'a*.txt': `${'changed line\n'.repeat(50)}`, 'ab.txt': 'c\n', bin: '\0\u0001' });
  const literal = await diffText(at.repo, at.base, one, { paths: ['a*.txt'] });
  expect(literal.text).toContain('+changed line');
  expect(literal.text).not.toContain('ab.txt');
  const cut = await diffText(at.repo, at.base, one, { maxBytes: 100 });
  expect(cut).toMatchObject({ truncated: true });
  expect(cut.text).toHaveLength(100);
  expect(await fileAt(at.repo, at.base, 'ab.txt')).toMatchObject({ kind: 'file', bytes: Buffer.from('b\n') });
  expect(await fileAt(at.repo, one, 'a*.txt', { maxBytes: 10 })).toEqual({ kind: 'too_large', sizeBytes: 650 });
  expect(await fileAt(at.repo, one, 'none')).toEqual({ kind: 'absent' });
  await rm(at.workspaces, { recursive: true });
  expect((await changedPaths(at.repo, at.base, one)).map((change) => change.path)).toEqual(['a*.txt', 'ab.txt', 'bin']);
});
