import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonicalDirectory, holdKey } from '../../../src/workspace/hold-key.ts';
import { makeSandbox, scratch } from '../landing/sandbox.ts';

test('D29 nested directories and links to them share the top level of their checkout', async () => {
  const box = await makeSandbox();
  const link = join(box.root, 'link');
  await symlink(join(box.repo, 'dir'), link);
  expect(await canonicalDirectory(box.repo)).toBe(box.repo);
  expect(await canonicalDirectory(join(box.repo, 'dir'))).toBe(box.repo);
  expect(await canonicalDirectory(link)).toBe(box.repo);
});

test('a linked worktree is a directory of its own', async () => {
  const box = await makeSandbox();
  const linked = join(box.root, 'linked');
  await box.user('worktree', 'add', '--quiet', '--detach', linked);
  expect(await canonicalDirectory(join(linked, 'dir'))).toBe(linked);
});

test('a directory without git stands for itself; a missing one for nothing', async () => {
  const folder = await scratch();
  await mkdir(join(folder, 'plain'));
  expect(await canonicalDirectory(join(folder, 'plain/../plain'))).toBe(join(folder, 'plain'));
  expect(await canonicalDirectory(join(folder, 'missing'))).toBeNull();
});

test('a directory is keyed with its machine, a remote without', () => {
  expect(holdKey({ machine: 'm1', directory: '/x' })).not.toBe(holdKey({ machine: 'm2', directory: '/x' }));
  expect(holdKey({ remote: 'ssh://host/x.git' })).toBe('remote:ssh://host/x.git');
});
