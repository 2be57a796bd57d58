import { expect, test } from 'vitest';
import { git } from '../../../src/workspace/git/run-git.ts';
import { syncWithTarget } from '../../../src/workspace/landing/sync.ts';
import { makeSandbox, type Sandbox, STAMP } from './sandbox.ts';

const itemId = 'item-1';
const itemBranch = `workcenter/${itemId}`;

async function commitOnMain(box: Sandbox, path: string, content: string): Promise<string> {
  await box.write(path, content);
  await box.user('add', '--all');
  await box.user('commit', '--quiet', '--message', `target changes ${path}`);
  return box.user('rev-parse', 'HEAD');
}

async function sync(box: Sandbox, itemBranchHead: string, targetHead: string) {
  await git(['update-ref', `refs/heads/${itemBranch}`, itemBranchHead], { gitDir: box.engineGitDir });
  return syncWithTarget({ ...box, ...STAMP, itemId, itemBranchHead, targetHead });
}

const engine = (box: Sandbox, ...args: string[]) => git(args, { gitDir: box.engineGitDir });

test('D32 commits without conflict are rebased one by one and keep their authors and messages', async () => {
  const box = await makeSandbox();
  const one = await box.engineCommit(box.first, { 'a.txt': 'a2\n' }, { author: 'Änn', message: 'one' });
  const two = await box.engineCommit(one, { 'dir/c.txt': 'c2\n' }, { author: 'Bob', message: 'two\n\nwhy' });
  const target = await commitOnMain(box, 'b.txt', 'b2\n');

  const result = await sync(box, two, target);

  expect(result).toMatchObject({ kind: 'synced', how: 'rebased' });
  const log = await engine(box, 'log', '--format=%an|%ae|%ad|%cn|%s|%b', '--date=raw', `${target}..${itemBranch}`);
  expect(log.replaceAll('\n', '')).toBe(
    'Bob|agent@example.org|1699999999 +0100|Engine|two|whyÄnn|agent@example.org|1699999999 +0100|Engine|one|',
  );
  expect(await engine(box, 'show', `${itemBranch}:b.txt`)).toBe('b2');
  expect(await engine(box, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/${itemBranch}`);
});

test('the same inputs give the same commit', async () => {
  const box = await makeSandbox();
  const ours = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const target = await commitOnMain(box, 'b.txt', 'b2\n');
  expect(await sync(box, ours, target)).toEqual(await sync(box, ours, target));
});

test('steps that conflict although the whole does not become one merge', async () => {
  const box = await makeSandbox();
  // The first step touches what the target changed, the second takes it back.
  const one = await box.engineCommit(box.first, { 'b.txt': 'ours\n' });
  const two = await box.engineCommit(one, { 'b.txt': 'b1\n', 'a.txt': 'a2\n' });
  const target = await commitOnMain(box, 'b.txt', 'theirs\n');
  const result = await sync(box, two, target);
  expect(result).toMatchObject({ kind: 'synced', how: 'merged' });
  expect(await engine(box, 'log', '-1', '--format=%P', itemBranch)).toBe(`${two} ${target}`);
  expect(await engine(box, 'show', `${itemBranch}:b.txt`)).toBe('theirs');
});

test('a conflict names paths and both sides and leaves the item branch alone', async () => {
  const box = await makeSandbox();
  const ours = await box.engineCommit(box.first, { 'b.txt': 'ours\n', 'a.txt': 'a2\n' });
  const theirs = await commitOnMain(box, 'b.txt', 'theirs\n');
  expect(await sync(box, ours, theirs)).toEqual({ kind: 'conflict', paths: ['b.txt'], ours, theirs });
  expect(await engine(box, 'rev-parse', itemBranch)).toBe(ours);
});

test('a target that is contained already changes nothing', async () => {
  const box = await makeSandbox();
  const ours = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  expect(await sync(box, ours, box.first)).toEqual({ kind: 'synced', head: ours, how: 'unchanged' });
});

test('a commit that the target has in other words is dropped', async () => {
  const box = await makeSandbox();
  const one = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  const two = await box.engineCommit(one, { 'a.txt': 'a2\n' });
  const target = await commitOnMain(box, 'b.txt', 'b2\n');
  expect(await sync(box, two, target)).toMatchObject({ how: 'rebased' });
  expect(await engine(box, 'rev-list', '--count', `${target}..${itemBranch}`)).toBe('1');
});

test('an item branch that moved meanwhile is not overwritten', async () => {
  const box = await makeSandbox();
  const ours = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const later = await box.engineCommit(ours, { 'a.txt': 'a3\n' });
  const targetHead = await commitOnMain(box, 'b.txt', 'b2\n');
  await git(['update-ref', `refs/heads/${itemBranch}`, later], { gitDir: box.engineGitDir });
  const request = { ...box, ...STAMP, itemId, itemBranchHead: ours, targetHead };
  expect(await syncWithTarget(request)).toEqual({ kind: 'moved', actual: later });
});

test("the target's commits outlive the user's branch and a prune, because the item still needs them", async () => {
  const box = await makeSandbox();
  const ours = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const target = await commitOnMain(box, 'b.txt', 'b2\n');
  await sync(box, ours, target);
  await box.user('reset', '--quiet', '--hard', box.first);
  await box.user('reflog', 'expire', '--expire=now', '--all');
  await box.user('gc', '--quiet', '--prune=now');
  expect(await engine(box, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
  expect(await engine(box, 'show', `${itemBranch}:b.txt`)).toBe('b2');
});
