import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishBranch } from '../../../src/workspace/landing/publish.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

const publish = (box: Sandbox, commit: string, more: { branch?: string; expectedOld?: string | null } = {}) =>
  publishBranch({ ...box, commit, branch: 'workcenter/item-1', ...more });

test('D32 a new branch is published with its objects and nothing else of the repository changes', async () => {
  const box = await makeSandbox();
  await box.write('a.txt', 'edited\n');
  await box.write('new.txt', 'untracked\n');
  const before = await box.status();
  const commit = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });

  const result = await publish(box, commit, { expectedOld: null });

  expect(result).toEqual({ kind: 'published', branch: 'workcenter/item-1', commit });
  expect(await box.user('show', 'workcenter/item-1:b.txt')).toBe('b2');
  expect(await box.status()).toBe(before);
  expect(await box.user('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/heads/workcenter/item-1');
});

test('publishing the same commit again is already done', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  await publish(box, commit);
  expect(await publish(box, commit, { expectedOld: null })).toEqual({ kind: 'already' });
});

test('a branch that is not where it was expected is left where it is', async () => {
  const box = await makeSandbox();
  await box.user('branch', 'workcenter/item-1');
  const commit = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  expect(await publish(box, commit, { expectedOld: null })).toEqual({ kind: 'moved', actual: box.first });
  expect(await box.user('rev-parse', 'workcenter/item-1')).toBe(box.first);
});

test('without an expectation a commit of the user on the branch is never dropped', async () => {
  const box = await makeSandbox();
  const theirs = await box.engineCommit(box.first, { 'a.txt': 'theirs\n' });
  await publish(box, theirs);
  const ours = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  expect(await publish(box, ours)).toEqual({ kind: 'moved', actual: theirs });
});

test('a rebased item branch replaces exactly the published commit it names', async () => {
  const box = await makeSandbox();
  const old = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  await publish(box, old);
  const rebased = await box.engineCommit(box.first, { 'b.txt': 'b3\n' });
  expect(await publish(box, rebased, { expectedOld: old })).toEqual({
    kind: 'published',
    branch: 'workcenter/item-1',
    commit: rebased,
    previous: old,
  });
});

test('a branch that is checked out in a linked worktree is not moved under it', async () => {
  const box = await makeSandbox();
  const where = join(box.root, 'linked wörktree');
  await box.user('worktree', 'add', '--quiet', '-b', 'workcenter/item-1', where);
  const commit = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  expect(await publish(box, commit)).toEqual({ kind: 'checked_out', where });
});

test('a name that git cannot store is refused with a reason', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  expect((await publish(box, commit, { branch: 'a..b' })).kind).toBe('refused');
  // A branch `workcenter` leaves no room for a folder of that name.
  await box.user('branch', 'workcenter');
  expect((await publish(box, commit)).kind).toBe('refused');
});

test("the user's hooks never run", async () => {
  const box = await makeSandbox();
  const hooks = join(box.userGitDir, 'hooks');
  await mkdir(hooks, { recursive: true });
  await writeFile(join(hooks, 'reference-transaction'), `#!/bin/sh\ntouch "${box.root}/hook-ran"\nexit 1\n`);
  await chmod(join(hooks, 'reference-transaction'), 0o755);
  const commit = await box.engineCommit(box.first, { 'b.txt': 'b2\n' });
  expect((await publish(box, commit)).kind).toBe('published');
});
