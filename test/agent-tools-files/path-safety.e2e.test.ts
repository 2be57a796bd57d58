import { execFile } from 'node:child_process';
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolvePlace } from '../../src/executors/agent/path-safety.ts';
import { applyChanges } from '../../src/executors/agent/tools/files/apply-changes.ts';
import { openRegular, readBounded } from '../../src/executors/agent/tools/files/open-file.ts';
import { codeOf, type Ground, ground, SECRET, use } from './support.ts';

async function codeFor(path: string, at: Ground): Promise<string> {
  const place = await resolvePlace(path, at.context);
  return place.ok ? 'ok' : place.problem.code;
}

async function placeFor(path: string, at: Ground) {
  const place = await resolvePlace(path, at.context);
  if (!place.ok) throw new Error(place.problem.message);
  return place.value;
}

test('V30: paths that lead out of the workspace are refused, relative and absolute, with what to do next', async () => {
  const at = await ground();
  for (const path of [
    '..',
    '../outside/secret.txt',
    'a/../../outside',
    '/etc/passwd',
    at.outside,
    `${at.workspace}x`,
  ]) {
    expect(await codeFor(path, at), path).toBe('outside_workspace');
  }
  const refused = await use('read', { path: '../outside/secret.txt' }, at);
  expect(refused.text).toBe(
    'outside_workspace: Expected a path inside the workspace, found "../outside/secret.txt", which leads out of it. Use a path relative to the project folder.',
  );
  expect(await codeFor(join(at.workspace, 'new.txt'), at)).toBe('ok');
  expect(await codeFor('a/../b', at)).toBe('ok');
});

test('relative paths start at the project folder and may reach the rest of the workspace', async () => {
  const at = await ground();
  await at.put({ 'packages/app/a.txt': 'app', 'top.txt': 'top' });
  const inProject = { ...at, context: { ...at.context, projectPath: join(at.workspace, 'packages/app') } };
  expect((await use('read', { path: 'a.txt' }, inProject)).text).toBe('1\tapp');
  expect((await use('read', { path: '../../top.txt' }, inProject)).text).toBe('1\ttop');
  expect(codeOf(await use('read', { path: '../../../outside/secret.txt' }, inProject))).toBe('outside_workspace');
});

test('T9: links inside the workspace are followed, those that leave it are refused, also for files to be made', async () => {
  const at = await ground();
  await at.put({ 'real/a.txt': 'inside' });
  await symlink('real', join(at.workspace, 'inner'));
  await symlink(at.outside, join(at.workspace, 'outer'));
  await symlink(join(at.outside, 'secret.txt'), join(at.workspace, 'file-link'));
  await symlink(join(at.outside, 'new.txt'), join(at.workspace, 'dangling'));
  await symlink('circle', join(at.workspace, 'circle'));
  expect((await use('read', { path: 'inner/a.txt' }, at)).text).toBe('1\tinside');
  expect((await placeFor('inner/new.txt', at)).shown).toBe('real/new.txt');
  for (const path of ['outer', 'outer/secret.txt', 'outer/new.txt', 'outer/deep/new.txt', 'file-link']) {
    expect(await codeFor(path, at), path).toBe('outside_workspace');
    expect(codeOf(await use('write', { path, content: 'x' }, at)), path).toBe('outside_workspace');
  }
  for (const path of ['dangling', 'circle', 'circle/x', 'dangling/x']) {
    expect(await codeFor(path, at), path).toBe('not_found');
    expect(codeOf(await use('write', { path, content: 'x' }, at)), path).toBe('not_found');
  }
});

test("nothing in git's own folder is read or written, by any spelling or link", async () => {
  const at = await ground();
  await at.put({ '.git/config': '[core]', 'sub/.git/HEAD': 'ref', '.gitignore': 'x' });
  await symlink('.git', join(at.workspace, 'alias'));
  for (const path of [
    '.git',
    '.git/config',
    '.GIT/config',
    'sub/.git/HEAD',
    'sub/.git/hooks/new',
    'alias/config',
    'a/../.git/x',
  ]) {
    expect(await codeFor(path, at), path).toBe('protected');
    expect(codeOf(await use('write', { path, content: 'x' }, at)), path).toBe('protected');
  }
  expect(await codeFor('.gitignore', at)).toBe('ok');
  expect(await codeFor('a.git/x', at)).toBe('ok');
});

test('what is no path at all is refused: empty, NUL, line breaks, longer than a file system allows', async () => {
  const at = await ground();
  for (const path of ['', ' ', 'a\0b', 'a\nb', 'x'.repeat(256), 'y/'.repeat(2_100)]) {
    expect(await codeFor(path, at), path.slice(0, 20)).toBe('bad_path');
  }
  await at.put({ 'a.txt': 'file' });
  expect(await codeFor('a.txt/b', at)).toBe('not_a_directory');
});

test('attachments are for read and view_image only (T12), and a link in their place is not followed', async () => {
  const at = await ground();
  await writeFile(join(at.root, 'stored'), 'attached text');
  await symlink(join(at.outside, 'secret.txt'), join(at.root, 'swapped'));
  const attachments = ['stored', 'swapped'].map((name) => ({
    name: `${name}.txt`,
    path: join(at.root, name),
    mediaType: 'text/plain',
    bytes: 13,
  }));
  const withFiles = { context: { ...at.context, attachments } };
  expect((await use('read', { path: 'attachment:stored.txt' }, withFiles)).text).toBe('1\tattached text');
  expect(codeOf(await use('read', { path: 'attachment:swapped.txt' }, withFiles))).toBe('not_a_file');
  const unknown = await use('read', { path: 'attachment:../stored' }, withFiles);
  expect(unknown.text).toContain('There are: attachment:stored.txt, attachment:swapped.txt');
  for (const [tool, rest] of [
    ['write', { content: 'x' }],
    ['edit', { old: 'a', new: 'b' }],
    ['list', {}],
    ['grep', { pattern: 'a' }],
  ] as const) {
    expect(codeOf(await use(tool, { path: 'attachment:stored.txt', ...rest }, withFiles)), tool).toBe('protected');
  }
  expect(await readFile(join(at.root, 'stored'), 'utf8')).toBe('attached text');
});

test('devices, pipes and folders are not opened as files, and a pipe does not make the tool wait', async () => {
  const at = await ground();
  await promisify(execFile)('mkfifo', [join(at.workspace, 'pipe')]);
  await mkdir(join(at.workspace, 'folder'));
  expect(codeOf(await use('read', { path: 'pipe' }, at))).toBe('not_a_file');
  expect(codeOf(await use('write', { path: 'pipe', content: 'x' }, at))).toBe('not_a_file');
  expect(codeOf(await use('read', { path: 'folder' }, at))).toBe('is_directory');
  expect(codeOf(await use('write', { path: 'folder', content: 'x' }, at))).toBe('is_directory');
  expect(codeOf(await use('read', { path: 'absent' }, at))).toBe('not_found');
});

test('T11: a link that is swapped in after the check is not followed when the file is opened', async () => {
  const at = await ground();
  await at.put({ 'dir/secret.txt': 'mine', 'plain.txt': 'mine' });
  const inDir = await placeFor('dir/secret.txt', at);
  const plain = await placeFor('plain.txt', at);
  await rename(join(at.workspace, 'dir'), join(at.workspace, 'moved'));
  await symlink(at.outside, join(at.workspace, 'dir'));
  await rm(plain.real);
  await symlink(join(at.outside, 'secret.txt'), plain.real);
  for (const place of [inDir, plain]) {
    expect(await readBounded(place, 1_000)).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } });
    expect(await openRegular(place)).toMatchObject({ ok: false });
  }
});

test('a pipe that is put in the place of a file after the check does not make the tool wait', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a' });
  const place = await placeFor('a.txt', at);
  await rm(place.real);
  await promisify(execFile)('mkfifo', [place.real]);
  expect(await readBounded(place, 1_000)).toMatchObject({ ok: false, problem: { code: 'not_a_file' } });
});

test('T11: a link that is swapped in after the check does not lead a write outside', async () => {
  const at = await ground();
  await at.put({ 'dir/secret.txt': 'mine', 'keep/me.txt': 'x' });
  const existing = await placeFor('dir/secret.txt', at);
  const fresh = await placeFor('keep/deep/new.txt', at);
  await rename(join(at.workspace, 'dir'), join(at.workspace, 'moved'));
  await symlink(at.outside, join(at.workspace, 'dir'));
  await rename(join(at.workspace, 'keep'), join(at.workspace, 'kept'));
  await symlink(at.outside, join(at.workspace, 'keep'));
  for (const target of [existing, fresh]) {
    const outcome = await applyChanges([{ kind: 'put', target, content: Buffer.from('evil') }], at.context);
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } });
  }
  expect(await at.text('moved/secret.txt')).toBe('mine');
});

test('T11: while a folder turns into a link and back, no read shows and no write reaches what is outside', async () => {
  const at = await ground();
  await at.put({ 'dir/secret.txt': 'mine' });
  const dir = join(at.workspace, 'dir');
  const away = join(at.workspace, 'away');
  let isOver = false;
  const swapping = (async () => {
    while (!isOver) {
      await rename(dir, away);
      await symlink(at.outside, dir);
      await rm(dir);
      await rename(away, dir);
    }
  })();
  const seen = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const read = await use('read', { path: 'dir/secret.txt' }, at);
    expect(read.text).not.toContain(SECRET);
    seen.add(codeOf(read));
    const found = await use('grep', { pattern: 'outside', mode: 'content' }, at);
    expect(found.text).not.toContain(SECRET);
    await use('edit', { path: 'dir/secret.txt', old: 'mine', new: 'mine!', all: true }, at);
    await use('edit', { path: 'dir/secret.txt', old: SECRET, new: 'gone' }, at).then((output) =>
      expect(output.isError).toBe(true),
    );
  }
  isOver = true;
  await swapping;
  expect(seen.size, 'the swap was met at different moments').toBeGreaterThan(1);
});

test('a second name of a file (a hard link) is left alone: a write makes a new file', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'old' });
  await link(join(at.workspace, 'a.txt'), join(at.workspace, 'b.txt'));
  await use('write', { path: 'a.txt', content: 'new' }, at);
  expect(await at.text('b.txt')).toBe('old');
});

test('whatever the path, no tool reads or writes outside the workspace or in .git', async () => {
  const at = await ground();
  await at.put({ '.git/config': 'untouched', 'real/a.txt': 'a' });
  await symlink(at.outside, join(at.workspace, 'out'));
  await symlink('../outside', join(at.workspace, 'real', 'out'));
  await symlink('real', join(at.workspace, 'in'));
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'out',
      'in',
      'real',
      '.git',
      '.Git',
      'config',
      'a.txt',
      'secret.txt',
      'outside',
      'ws',
      'neu ö',
    ),
    fc.string({ maxLength: 6 }),
  );
  const path = fc
    .tuple(fc.constantFrom('', '/', './', `${at.workspace}/`, `${at.root}/`, '~/'), fc.array(part, { maxLength: 7 }))
    .map(([start, parts]) => start + parts.join('/'));
  await fc.assert(
    fc.asyncProperty(path, async (candidate) => {
      const place = await resolvePlace(candidate, at.context);
      if (place.ok) expect(`${place.value.real}/`.startsWith(`${at.workspace}/`)).toBe(true);
      expect((await use('read', { path: candidate }, at)).text).not.toContain(SECRET);
      expect((await use('list', { path: candidate }, at)).text).not.toContain(`secret.txt  ${SECRET.length} bytes`);
      await use('write', { path: candidate, content: 'w' }, at);
      await use('apply_patch', { patch: `--- /dev/null\n+++ ${candidate}\n@@ -0,0 +1 @@\n+w\n` }, at);
      // A write may have made a folder of that name inside; only what was there before counts.
      expect(await at.text('.git/config')).toBe('untouched');
    }),
    { numRuns: 250 },
  );
});
