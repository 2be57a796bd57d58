import { chmod, lstat, mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../src/workspace/git/run-git.ts';
import { landOnTarget } from '../../../src/workspace/landing/land.ts';
import { landingStatus } from '../../../src/workspace/landing/landing-state.ts';
import { inspectTarget, planLanding } from '../../../src/workspace/landing/plan-landing.ts';
import { syncWithTarget } from '../../../src/workspace/landing/sync.ts';
import { makeSandbox, type Sandbox, STAMP } from './sandbox.ts';

const request = (box: Sandbox, commit: string, branch = 'main') => ({ ...box, commit, branch });

async function land(box: Sandbox, commit: string, branch = 'main') {
  const plan = await planLanding(request(box, commit, branch));
  if (plan.kind !== 'fast_forward' && plan.kind !== 'update_ref') return plan;
  return landOnTarget(plan, request(box, commit, branch), { stateDir: box.stateDir });
}

test("D32 a landing into the checked-out branch keeps the user's staged, unstaged and untracked edits", async () => {
  const box = await makeSandbox({ 'a.txt': 'a1\n', 'b.txt': 'b1\n', 'dir/c.txt': 'c1\n', 'gone.txt': 'x\n' });
  await box.write('b.txt', 'staged\n');
  await box.user('add', 'b.txt');
  await box.write('dir/c.txt', 'unstaged\n');
  await box.write('notes ü.txt', 'untracked\n');
  const before = await box.status();
  const commit = await box.engineCommit(
    box.first,
    { 'a.txt': 'a2\n', 'neu/ä b.sh': '#!/bin/sh\n', 'gone.txt': null, link: 'a.txt' },
    { executable: ['neu/ä b.sh'], links: ['link'] },
  );

  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });

  expect(await box.status()).toBe(before);
  expect(await box.user('rev-parse', 'HEAD')).toBe(commit);
  expect(await box.user('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(await box.read('a.txt')).toBe('a2\n');
  expect(await box.read('b.txt')).toBe('staged\n');
  expect(await box.read('dir/c.txt')).toBe('unstaged\n');
  expect((await lstat(join(box.repo, 'neu/ä b.sh'))).mode & 0o100).toBe(0o100);
  expect(await readlink(join(box.repo, 'link'))).toBe('a.txt');
  expect(await box.user('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(await landingStatus(box.stateDir)).toMatchObject({ kind: 'settled', outcome: 'landed' });
  expect(await box.user('reflog', 'show', '-1', '--format=%gs', 'main')).toBe('workcenter: land main');
});

test('landing twice is already done', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  await land(box, commit);
  expect(await land(box, commit)).toEqual({ kind: 'already' });
});

test('a branch that is checked out nowhere is moved by compare-and-set', async () => {
  const box = await makeSandbox();
  await box.user('branch', 'release');
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const plan = await planLanding(request(box, commit, 'release'));
  expect(plan).toEqual({ kind: 'update_ref', expected: box.first });
  expect(await land(box, commit, 'release')).toEqual({ kind: 'landed', commit });
  expect(await box.user('rev-parse', 'release')).toBe(commit);
  expect(await box.read('a.txt')).toBe('a1\n');
  expect(await box.status()).toBe('');
});

test('a detached HEAD holds no branch, so its files stay', async () => {
  const box = await makeSandbox();
  await box.user('checkout', '--quiet', '--detach');
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });
  expect(await box.user('rev-parse', 'main')).toBe(commit);
  expect(await box.user('rev-parse', 'HEAD')).toBe(box.first);
  expect(await box.status()).toBe('');
});

test('a target with commits of its own has to be synced first and is never forced', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  await box.write('b.txt', 'b2\n');
  await box.user('commit', '--quiet', '--all', '--message', 'theirs');
  const targetHead = await box.user('rev-parse', 'HEAD');
  expect(await land(box, commit)).toEqual({ kind: 'behind', targetHead });
});

test('a missing target branch is said to be missing', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  expect(await land(box, commit, 'nowhere')).toEqual({ kind: 'missing_branch' });
});

test.each<[string, (box: Sandbox) => Promise<void>, string[]]>([
  ['an unstaged edit', (box) => box.write('a.txt', 'mine\n'), ['a.txt']],
  [
    'a staged edit',
    async (box) => {
      await box.write('a.txt', 'mine\n');
      await box.user('add', '.');
    },
    ['a.txt'],
  ],
  ['a deletion', (box) => rm(join(box.repo, 'a.txt')), ['a.txt']],
  ['a changed mode', (box) => chmod(join(box.repo, 'a.txt'), 0o755), ['a.txt']],
  ['an untracked file in the way', (box) => box.write('new.txt', 'mine\n'), ['new.txt']],
  ['an untracked file where a folder has to be', (box) => box.write('deep', 'mine\n'), ['deep/er.txt']],
  ['an untracked folder where a file has to be', (box) => box.write('new.txt/mine', 'mine\n'), ['new.txt']],
  [
    'an ignored file in the way',
    async (box) => {
      await writeFile(join(box.userGitDir, 'info', 'exclude'), 'new.txt\n');
      await box.write('new.txt', 'ignored\n');
    },
    ['new.txt'],
  ],
])('overlap with %s asks and changes nothing', async (_name, edit, paths) => {
  const box = await makeSandbox();
  const files = { 'a.txt': 'a2\n', 'new.txt': 'n\n', 'deep/er.txt': 'd\n' };
  const commit = await box.engineCommit(box.first, files);
  await edit(box);
  const before = await box.status();
  expect(await land(box, commit)).toEqual({ kind: 'overlap', paths });
  expect(await box.status()).toBe(before);
  expect(await box.user('rev-parse', 'main')).toBe(box.first);
});

test('an edit made after the plan is found by git itself and named', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n', 'b.txt': 'b2\n' });
  const plan = await planLanding(request(box, commit));
  if (plan.kind !== 'fast_forward') throw new Error(plan.kind);
  await box.write('a.txt', 'just now\n');
  const result = await landOnTarget(plan, request(box, commit), { stateDir: box.stateDir });
  expect(result).toEqual({ kind: 'overlap', paths: ['a.txt'] });
  expect(await box.read('b.txt')).toBe('b1\n');
  expect(await box.status()).toBe(' M a.txt\n');
});

test('a target that moved after the plan is answered as moved', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const plan = await planLanding(request(box, commit));
  if (plan.kind !== 'fast_forward') throw new Error(plan.kind);
  await box.user('commit', '--quiet', '--allow-empty', '--message', 'theirs');
  const actual = await box.user('rev-parse', 'HEAD');
  const result = await landOnTarget(plan, request(box, commit), { stateDir: box.stateDir });
  expect(result).toEqual({ kind: 'moved', actual });
  expect(await box.status()).toBe('');
});

test('a landing that was answered as moved is repeated in the same state directory after a sync', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const plan = await planLanding(request(box, commit));
  if (plan.kind !== 'fast_forward') throw new Error(plan.kind);
  await box.write('b.txt', 'theirs\n');
  await box.user('commit', '--quiet', '--all', '--message', 'theirs');
  const targetHead = await box.user('rev-parse', 'HEAD');
  expect(await landOnTarget(plan, request(box, commit), box)).toEqual({ kind: 'moved', actual: targetHead });
  await git(['update-ref', 'refs/heads/workcenter/item-1', commit], { gitDir: box.engineGitDir });
  const sync = { ...box, ...STAMP, itemId: 'item-1', itemBranchHead: commit, targetHead };
  const synced = await syncWithTarget(sync);
  if (synced.kind !== 'synced') throw new Error(synced.kind);
  expect(await land(box, synced.head)).toEqual({ kind: 'landed', commit: synced.head });
  expect(await box.read('b.txt')).toBe('theirs\n');
  expect(await box.status()).toBe('');
});

test("another git's index lock is respected and left in place", async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  const lock = join(box.userGitDir, 'index.lock');
  await writeFile(lock, '');
  expect(await land(box, commit)).toEqual({ kind: 'locked', lock });
  expect(await readFile(lock, 'utf8')).toBe('');
  await rm(lock);
  expect(await box.status()).toBe('');
});

test('D32 files that equal the target already are adopted, tracked or not', async () => {
  const box = await makeSandbox();
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n', 'new.txt': 'n\n', 'b.txt': 'b2\n' });
  await box.write('a.txt', 'a2\n');
  await box.write('new.txt', 'n\n');
  await box.write('dir/c.txt', 'mine\n');
  expect(await planLanding(request(box, commit))).toMatchObject({ adopt: ['a.txt', 'new.txt'] });
  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });
  expect(await box.status()).toBe(' M dir/c.txt\n');
});

test('a file becomes a folder and a folder becomes a file', async () => {
  const box = await makeSandbox({ x: 'file\n', 'y/1': 'one\n', 'y/2': 'two\n', keep: 'k\n' });
  const commit = await box.engineCommit(box.first, { x: null, 'x/in': 'in\n', 'y/1': null, 'y/2': null, y: 'y\n' });
  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });
  expect(await box.status()).toBe('');
  expect(await box.read('x/in')).toBe('in\n');
  expect(await box.read('y')).toBe('y\n');
});

test('a branch checked out in a linked worktree is landed there, not in the main one', async () => {
  const box = await makeSandbox();
  const linked = join(box.root, 'linked wörktree');
  await box.user('worktree', 'add', '--quiet', '-b', 'feature', linked);
  await writeFile(join(linked, 'dir/c.txt'), 'mine\n');
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  expect((await inspectTarget({ ...box, branch: 'feature' })).checkouts.map((c) => c.path)).toEqual([linked]);
  expect(await land(box, commit, 'feature')).toEqual({ kind: 'landed', commit });
  expect(await readFile(join(linked, 'a.txt'), 'utf8')).toBe('a2\n');
  expect(await box.userAt(linked, 'status', '--porcelain')).toBe(' M dir/c.txt');
  expect(await box.read('a.txt')).toBe('a1\n');
  expect(await box.status()).toBe('');
});

test('a checkout in the middle of a merge is not moved', async () => {
  const box = await makeSandbox();
  await box.user('checkout', '--quiet', '-b', 'side');
  await box.write('b.txt', 'side\n');
  await box.user('commit', '--quiet', '--all', '--message', 'side');
  await box.user('checkout', '--quiet', 'main');
  await box.user('merge', '--quiet', '--no-ff', '--no-commit', 'side');
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n' });
  expect(await land(box, commit)).toMatchObject({ kind: 'unavailable', reason: 'a merge is in progress' });
});

test('a branch under rebase counts as checked out', async () => {
  const box = await makeSandbox();
  await box.write('a.txt', 'theirs\n');
  await box.user('commit', '--quiet', '--all', '--message', 'theirs');
  await box.user('-c', 'sequence.editor=sed -i s/^pick/edit/', 'rebase', '--quiet', '-i', box.first).catch(() => '');
  const head = await box.user('rev-parse', 'main');
  const commit = await box.engineCommit(head, { 'b.txt': 'b2\n' });
  expect(await land(box, commit)).toMatchObject({ kind: 'unavailable', reason: 'a rebase is in progress' });
});

test('CRLF: files are written as the checkout of this user has them', async () => {
  const box = await makeSandbox({ 'a.txt': 'one\r\n', 'b.txt': 'b\r\n' }, { 'core.autocrlf': 'true' });
  expect(await box.user('cat-file', 'blob', 'HEAD:a.txt')).toBe('one');
  await box.write('b.txt', 'mine\r\n');
  const commit = await box.engineCommit(box.first, { 'a.txt': 'one\ntwo\n', 'new.txt': 'n\n' });
  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });
  expect(await box.read('a.txt')).toBe('one\r\ntwo\r\n');
  expect(await box.read('new.txt')).toBe('n\r\n');
  expect(await box.status()).toBe(' M b.txt\n');
});

test("autocrlf in the user's global configuration counts, and an equal file in CRLF is adopted", async () => {
  const box = await makeSandbox();
  await writeFile(join(box.userEnv.HOME ?? '', '.gitconfig'), '[core]\n\tautocrlf = true\n');
  await box.write('new.txt', 'n\r\n');
  const commit = await box.engineCommit(box.first, { 'new.txt': 'n\n', 'other.txt': 'o\n' });
  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });
  expect(await box.read('other.txt')).toBe('o\r\n');
  expect(await box.status()).toBe('');
});

test("the repository's own filters apply and its hooks do not", async () => {
  const box = await makeSandbox({ '.gitattributes': '*.up filter=upper\n', 'a.up': 'x\n' });
  await box.user('config', 'filter.upper.smudge', 'tr a-z A-Z');
  await box.user('config', 'filter.upper.clean', 'tr A-Z a-z');
  await mkdir(join(box.userGitDir, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'post-merge', 'post-index-change', 'reference-transaction']) {
    await writeFile(join(box.userGitDir, 'hooks', hook), `#!/bin/sh\ntouch "${box.root}/${hook}"\nexit 1\n`);
    await chmod(join(box.userGitDir, 'hooks', hook), 0o755);
  }
  const commit = await box.engineCommit(box.first, { 'a.up': 'new words\n' });
  expect(await land(box, commit)).toEqual({ kind: 'landed', commit });
  expect(await box.read('a.up')).toBe('NEW WORDS\n');
  await rm(join(box.userGitDir, 'hooks'), { recursive: true });
  expect(await box.status()).toBe('');
});
