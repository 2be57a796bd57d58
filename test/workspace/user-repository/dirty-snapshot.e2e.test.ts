import { createHash } from 'node:crypto';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../src/workspace/git/run-git.ts';
import { transplant } from '../../../src/workspace/landing/transplant.ts';
import { snapshotDirty } from '../../../src/workspace/user-repository/dirty-snapshot.ts';
import { makeSandbox, type Sandbox, STAMP } from '../landing/sandbox.ts';

const snapshot = (box: Sandbox, limits?: { maxFileBytes: number; maxTotalBytes: number }) =>
  snapshotDirty({
    ...box,
    ...STAMP,
    topLevel: box.repo,
    itemId: 'item-1',
    head: box.first,
    scratchDir: box.root,
    ...(limits === undefined ? {} : { limits }),
  });

const indexHash = async (box: Sandbox) =>
  createHash('sha256')
    .update(await readFile(join(box.userGitDir, 'index')))
    .digest('hex');

async function makeDirty(box: Sandbox): Promise<void> {
  await box.write('a.txt', 'unstaged\n');
  await box.write('b.txt', 'staged\n');
  await box.user('add', 'b.txt');
  await box.write('b.txt', 'staged and more\n');
  await box.user('rm', '--quiet', 'dir/c.txt');
  await box.write('neu ü/x.sh', '#!/bin/sh\n', 0o755);
  await symlink('a.txt', join(box.repo, 'link'));
  await writeFile(join(box.userGitDir, 'info', 'exclude'), '*.log\n');
  await box.write('noise.log', 'ignored\n');
}

test('D30 tracked and untracked edits become a private commit; index, files and stash stay', async () => {
  const box = await makeSandbox();
  await makeDirty(box);
  const before = { status: await box.status(), index: await indexHash(box) };

  const result = await snapshot(box);

  if (result.kind !== 'snapshot') throw new Error(result.kind);
  expect(await box.user('rev-parse', 'refs/workcenter/item-1/dirty', `${result.commit}^`)).toBe(
    `${result.commit}\n${box.first}`,
  );
  const files = await box.user(
    '-c',
    'core.quotePath=false',
    'ls-tree',
    '-r',
    '--format=%(objectmode) %(path)',
    result.commit,
  );
  expect(files.split('\n')).toEqual(['100644 a.txt', '100644 b.txt', '120000 link', '100755 neu ü/x.sh']);
  expect(await box.user('show', `${result.commit}:b.txt`)).toBe('staged and more');
  expect({ status: await box.status(), index: await indexHash(box) }).toEqual(before);
  expect(await box.user('stash', 'list')).toBe('');
  expect((await readdir(box.root)).filter((name) => name.includes('.index'))).toEqual([]);
});

test('the same edits give the same snapshot', async () => {
  const box = await makeSandbox();
  await makeDirty(box);
  expect(await snapshot(box)).toEqual(await snapshot(box));
});

test('a clean checkout needs no snapshot', async () => {
  expect(await snapshot(await makeSandbox())).toEqual({ kind: 'clean' });
});

test('a large file and a repository inside are left out by name; too much in all is refused', async () => {
  const box = await makeSandbox();
  await box.write('big.bin', 'x'.repeat(200));
  await box.write('small.txt', 's\n');
  await box.user('init', '--quiet', 'nested');
  await box.write('nested/own.txt', 'x\n');
  expect(await snapshot(box, { maxFileBytes: 100, maxTotalBytes: 1000 })).toMatchObject({
    kind: 'snapshot',
    paths: ['small.txt'],
    omitted: [
      { path: 'big.bin', bytes: 200, why: 'too_large' },
      { path: 'nested/', why: 'nested_repository' },
    ],
  });
  const refused = await snapshot(box, { maxFileBytes: 1000, maxTotalBytes: 100 });
  expect(refused).toEqual({ kind: 'too_large', bytes: 202, limitBytes: 100 });
});

test('CRLF edits are stored as a commit of this user would store them', async () => {
  const box = await makeSandbox({ 'a.txt': 'a\r\n' }, { 'core.autocrlf': 'true' });
  await box.write('a.txt', 'a\r\nb\r\n');
  const result = await snapshot(box);
  if (result.kind !== 'snapshot') throw new Error(result.kind);
  expect(await git(['cat-file', '-s', `${result.commit}:a.txt`], { gitDir: box.userGitDir })).toBe('4');
});

test("D30 a result made on the snapshot is carried to the clean head without the user's own edits", async () => {
  const box = await makeSandbox({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'b.txt': 'b1\n' });
  await box.write('a.txt', 'mine\n2\n3\n4\n5\n6\n7\n8\n9\n');
  await box.write('own.txt', 'mine\n');
  const made = await snapshot(box);
  if (made.kind !== 'snapshot') throw new Error(made.kind);
  const files = { 'a.txt': 'mine\n2\n3\n4\n5\n6\n7\n8\nnine\n', 'new.txt': 'n\n' };
  const commit = await box.engineCommit(made.commit, files, { author: 'Änn', message: 'nine' });

  const result = await transplant({ ...box, ...STAMP, commit, snapshot: made.commit, onto: box.first });

  if (result.kind !== 'transplanted') throw new Error(result.kind);
  const engine = (...args: string[]) => git(args, { gitDir: box.engineGitDir });
  expect(await engine('show', `${result.head}:a.txt`)).toBe('1\n2\n3\n4\n5\n6\n7\n8\nnine');
  expect(await engine('log', '-1', '--format=%P %an %s', result.head)).toBe(`${box.first} Änn nine`);
  expect(await engine('ls-tree', '--name-only', result.head)).toBe('a.txt\nb.txt\nnew.txt');
});

test('a result on the very lines the user has edited is a conflict', async () => {
  const box = await makeSandbox();
  await box.write('a.txt', 'mine\n');
  const made = await snapshot(box);
  if (made.kind !== 'snapshot') throw new Error(made.kind);
  const commit = await box.engineCommit(made.commit, { 'a.txt': 'mine and more\n' });
  const result = await transplant({ ...box, ...STAMP, commit, snapshot: made.commit, onto: box.first });
  expect(result).toEqual({ kind: 'conflict', paths: ['a.txt'] });
});
