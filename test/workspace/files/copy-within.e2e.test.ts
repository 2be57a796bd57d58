import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CopyWithin, copyWithin } from '../../../src/workspace/files/copy-within.ts';

let top: string;
let root: string;
let to: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'wc-copy-')));
  [root, to] = [join(top, 'root'), join(top, 'to')];
  for (const folder of [root, to, join(root, 'folder'), join(top, 'outside')]) await mkdir(folder);
});
afterEach(() => rm(top, { recursive: true, force: true }));

const copy = (paths: readonly string[], limits: Partial<CopyWithin> = {}) =>
  copyWithin({ root, paths, to, maxFileBytes: 100, maxBytes: 1_000, ...limits });

it('copies files with what they may do, and links as links, by names that are bytes', async () => {
  await writeFile(join(root, 'folder', 'run.sh'), 'echo\n', { mode: 0o700 });
  await writeFile(join(root, 'plain'), 'plain\n', { mode: 0o600 });
  await symlink('../outside', join(root, 'link'));
  const odd = Buffer.from([0x66, 0xff]).toString('latin1');
  await writeFile(Buffer.concat([Buffer.from(`${root}/folder/`), Buffer.from(odd, 'latin1')]), 'odd\n');
  const paths = ['folder/run.sh', `folder/${odd}`, 'plain', 'link'];
  expect(await copy(paths)).toEqual({ copied: paths, left: new Map() });
  expect((await stat(join(to, 'folder/run.sh'))).mode & 0o111).toBe(0o111);
  expect((await stat(join(to, 'plain'))).mode & 0o111).toBe(0);
  expect(await readlink(join(to, 'link'))).toBe('../outside');
  expect((await readdir(Buffer.from(join(to, 'folder')), 'latin1')).toSorted()).toEqual([odd, 'run.sh']);
});

it('reads nothing through a link, at the end of a path or on the way, and waits for no pipe', async () => {
  await writeFile(join(top, 'outside', 'a.txt'), 'of somebody else\n');
  await mkdir(join(top, 'outside', 'deep'));
  await writeFile(join(top, 'outside', 'deep', 'a.txt'), 'of somebody else\n');
  await symlink(join(top, 'outside'), join(root, 'away'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const paths = ['away/a.txt', 'away/deep/a.txt', '../outside/a.txt', 'folder', 'pipe', 'none', 'none/of/it'];
  const { copied, left } = await copy(paths);
  expect({ copied, left: [...left] }).toEqual({ copied: [], left: paths.map((path) => [path, 'gone']) });
  expect(await readdir(to, { recursive: true })).toEqual([]);
});

it('leaves what is too large, alone or with the others', async () => {
  for (const name of ['a', 'b', 'c']) await writeFile(join(root, name), name.repeat(60));
  await writeFile(join(root, 'large'), 'x'.repeat(101));
  const { copied, left } = await copy(['a', 'large', 'b', 'c'], { maxBytes: 130 });
  expect({ copied, left: [...left] }).toEqual({
    ...{ copied: ['a', 'b'] },
    left: [
      ['large', 'too_large'],
      ['c', 'too_large'],
    ],
  });
  expect(await readFile(join(to, 'b'), 'utf8')).toBe('b'.repeat(60));
});
