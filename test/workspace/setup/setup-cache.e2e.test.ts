import { existsSync } from 'node:fs';
import { appendFile, chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifest } from '../../../src/workspace/files/manifest.ts';
import { evictSetups, listCheckout, provideSetup, storeSetup } from '../../../src/workspace/setup/setup-cache.ts';
import { scratch } from '../landing/sandbox.ts';

const KEY = 'a'.repeat(64);
const NOW = 1_700_000_000_000;

async function makeCheckout(root: string, name: string): Promise<string> {
  const checkout = join(root, name);
  await mkdir(join(checkout, 'pkg/src'), { recursive: true });
  await mkdir(join(checkout, '.git'));
  await writeFile(join(checkout, 'package.json'), '{}');
  await writeFile(join(checkout, 'pkg/src/index.js'), '1');
  return checkout;
}

/** What an installer does: a tree with an executable, a link to it, and a file inside a directory of the project. */
async function install(checkout: string): Promise<void> {
  await mkdir(join(checkout, 'node_modules/tool/bin'), { recursive: true });
  await mkdir(join(checkout, 'node_modules/.bin'));
  await writeFile(join(checkout, 'node_modules/tool/bin/run'), '#!/bin/sh\n');
  await chmod(join(checkout, 'node_modules/tool/bin/run'), 0o755);
  await symlink('../tool/bin/run', join(checkout, 'node_modules/.bin/run'));
  await writeFile(join(checkout, 'pkg/src/generated ü.js'), 'generated');
  await writeFile(join(checkout, '.git/FETCH_HEAD'), '');
}

async function build(root: string, name = 'builder') {
  const checkoutPath = await makeCheckout(root, name);
  const checkoutBefore = await listCheckout(checkoutPath);
  await install(checkoutPath);
  return { cacheRoot: join(root, 'cache'), key: KEY, checkoutPath, checkoutBefore };
}

const fingerprint = async (folder: string) => {
  const result = await manifest(folder, undefined, new Set());
  return result.kind === 'manifest' ? result.manifest.sha256 : result.kind;
};

test('D23 what a set-up added is stored and provided with modes and links', async () => {
  const root = await scratch();
  const request = await build(root);
  const stored = await storeSetup(request);
  expect(stored).toMatchObject({ kind: 'stored', added: ['node_modules', 'pkg/src/generated ü.js'], bytes: 19 });
  expect(existsSync(join(request.checkoutPath, 'node_modules/tool'))).toBe(true);

  const into = await makeCheckout(root, 'user');
  expect(await provideSetup({ ...request, into, now: NOW })).toEqual({ hit: true });
  expect((await lstat(join(into, 'node_modules/tool/bin/run'))).mode & 0o777).toBe(0o755);
  expect(await readlink(join(into, 'node_modules/.bin/run'))).toBe('../tool/bin/run');
  expect(await readFile(join(into, 'pkg/src/generated ü.js'), 'utf8')).toBe('generated');
  expect(await readFile(join(into, 'pkg/src/index.js'), 'utf8')).toBe('1');
  expect(await readdir(join(into, '.git'))).toEqual([]);
});

test('D23 writing through a provided copy never changes the cache', async () => {
  const root = await scratch();
  const request = await build(root);
  await storeSetup(request);
  const before = await fingerprint(join(request.cacheRoot, KEY));
  const into = await makeCheckout(root, 'user');
  await provideSetup({ ...request, into, now: NOW });
  // Each way to write in place: append, write through a link, change a mode, delete; and the builder's own copy.
  await appendFile(join(into, 'node_modules/tool/bin/run'), 'echo evil\n');
  await writeFile(join(into, 'node_modules/.bin/run'), 'evil');
  await chmod(join(into, 'node_modules/tool/bin/run'), 0o600);
  await rm(join(into, 'pkg/src/generated ü.js'));
  await appendFile(join(request.checkoutPath, 'node_modules/tool/bin/run'), 'echo evil\n');
  expect(await fingerprint(join(request.cacheRoot, KEY))).toBe(before);
});

test('an unknown key and an unfinished entry are misses that leave the checkout alone', async () => {
  const root = await scratch();
  const into = await makeCheckout(root, 'user');
  const cacheRoot = join(root, 'cache');
  expect(await provideSetup({ cacheRoot, key: KEY, into, now: NOW })).toEqual({ hit: false });
  await mkdir(join(cacheRoot, KEY, 'content/node_modules'), { recursive: true });
  expect(await provideSetup({ cacheRoot, key: KEY, into, now: NOW })).toEqual({ hit: false });
  expect(existsSync(join(into, 'node_modules'))).toBe(false);
});

test('of builders of one key at the same time exactly one wins and the entry is whole', async () => {
  const root = await scratch();
  const requests = await Promise.all([1, 2, 3, 4].map((number) => build(root, `builder-${number}`)));
  const results = await Promise.all(requests.map(storeSetup));
  expect(results.map((result) => result.kind).sort()).toEqual(['present', 'present', 'present', 'stored']);
  expect(await readdir(join(root, 'cache'))).toEqual([KEY]);
  const into = await makeCheckout(root, 'user');
  expect(await provideSetup({ cacheRoot: join(root, 'cache'), key: KEY, into, now: NOW })).toEqual({ hit: true });
  const builder = requests[0]?.checkoutPath ?? '';
  await rm(join(builder, '.git/FETCH_HEAD'));
  expect(await fingerprint(into)).toBe(await fingerprint(builder));
});

test('eviction takes the least recently used first, keeps what is in use, and clears what builders abandoned', async () => {
  const root = await scratch();
  const request = await build(root);
  const keys = ['1', '2', '3', '4'].map((digit) => digit.repeat(64));
  for (const [index, key] of keys.entries()) {
    await storeSetup({ ...request, key });
    const into = await makeCheckout(root, `user-${index}`);
    await provideSetup({ ...request, key, into, now: NOW + index * 1000 });
  }
  await mkdir(join(request.cacheRoot, '.half-done'));
  const [oldest = '', second = '', third = '', newest = ''] = keys;
  const keep = new Set([oldest]);
  const evicted = await evictSetups({ ...request, keep, maxBytes: 40, abandonedBefore: Date.now() + 60_000 });
  expect(evicted).toEqual([
    { key: second, bytes: 19 },
    { key: third, bytes: 19 },
  ]);
  expect((await readdir(request.cacheRoot)).sort()).toEqual([oldest, newest].sort());
});
