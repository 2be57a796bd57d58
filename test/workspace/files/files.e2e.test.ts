import { chmod, lstat, mkdir, readFile, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareManifests } from '../../../src/workspace/files/compare-manifests.ts';
import { copyDirectory } from '../../../src/workspace/files/copy-directory.ts';
import { type Manifest, type ManifestLimits, manifest } from '../../../src/workspace/files/manifest.ts';
import { scratch } from '../landing/sandbox.ts';

async function makeFolder(): Promise<string> {
  const folder = join(await scratch(), 'ordner ä');
  await mkdir(join(folder, 'sub dir/node_modules/pkg'), { recursive: true });
  await writeFile(join(folder, 'a.txt'), 'a\n');
  await writeFile(join(folder, 'sub dir/ü.sh'), '#!/bin/sh\n');
  await chmod(join(folder, 'sub dir/ü.sh'), 0o755);
  await writeFile(join(folder, 'sub dir/node_modules/pkg/index.js'), 'x');
  await symlink('/nowhere/at all', join(folder, 'link'));
  return folder;
}

async function describe(folder: string, limits?: ManifestLimits): Promise<Manifest> {
  const result = await manifest(folder, limits);
  if (result.kind !== 'manifest') throw new Error(result.kind);
  return result.manifest;
}

test('a manifest names content, modes and links, and skips what package managers fill', async () => {
  const { entries, totalBytes } = await describe(await makeFolder());
  expect(entries.map(({ path, kind, mode, sizeBytes }) => [path, kind, mode.toString(8), sizeBytes])).toEqual([
    ['a.txt', 'file', '644', 2],
    ['link', 'link', '0', 15],
    ['sub dir/ü.sh', 'file', '755', 10],
  ]);
  // printf 'a\n' | sha256sum
  expect(entries[0]?.sha256).toBe('87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7');
  expect(totalBytes).toBe(27);
});

test('the hash of the whole follows content, mode and name, not times', async () => {
  const folder = await makeFolder();
  const { sha256 } = await describe(folder);
  await utimes(join(folder, 'a.txt'), 1, 1);
  expect((await describe(folder)).sha256).toBe(sha256);
  await chmod(join(folder, 'a.txt'), 0o600);
  expect((await describe(folder)).sha256).not.toBe(sha256);
  await chmod(join(folder, 'a.txt'), 0o644);
  await rename(join(folder, 'a.txt'), join(folder, 'b.txt'));
  expect((await describe(folder)).sha256).not.toBe(sha256);
});

test('a directory beyond a limit is refused as too large with the limit it broke', async () => {
  const folder = await makeFolder();
  expect(await manifest(folder, { maxFiles: 2, maxBytes: 1000 })).toEqual({
    kind: 'too_large',
    limit: 'files',
    found: 3,
    allowed: 2,
  });
  expect(await manifest(folder, { maxFiles: 10, maxBytes: 11 })).toMatchObject({ kind: 'too_large', limit: 'bytes' });
});

test('comparing names what was added, removed and modified', async () => {
  const folder = await makeFolder();
  const before = await describe(folder);
  await writeFile(join(folder, 'new.txt'), 'n');
  await rm(join(folder, 'link'));
  await symlink('elsewhere', join(folder, 'sub dir/link'));
  await writeFile(join(folder, 'sub dir/ü.sh'), '#!/bin/bash\n');
  expect(compareManifests(before, await describe(folder))).toEqual([
    { path: 'link', change: 'removed' },
    { path: 'new.txt', change: 'added' },
    { path: 'sub dir/link', change: 'added' },
    { path: 'sub dir/ü.sh', change: 'modified' },
  ]);
  expect(compareManifests(before, before)).toEqual([]);
});

test('a copy is private: equal in content, modes and links, and writing to it changes nothing here', async () => {
  const folder = await makeFolder();
  const copy = join(await scratch(), '-copy');
  await copyDirectory(folder, copy);
  const before = await describe(folder);
  expect((await describe(copy)).sha256).toBe(before.sha256);
  expect(await readlink(join(copy, 'link'))).toBe('/nowhere/at all');
  expect(await readFile(join(copy, 'sub dir/node_modules/pkg/index.js'), 'utf8')).toBe('x');
  expect((await lstat(join(copy, 'a.txt'))).ino).not.toBe((await lstat(join(folder, 'a.txt'))).ino);
  await writeFile(join(copy, 'a.txt'), 'changed');
  expect(await describe(folder)).toEqual(before);
});

test("a copy that cannot be made says so in the copier's words", async () => {
  const folder = await scratch();
  await expect(copyDirectory(join(folder, 'missing'), join(folder, 'to'))).rejects.toThrow(/missing/);
});
