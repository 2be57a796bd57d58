import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asTool } from '../../src/executors/agent/tool.ts';
import { fileTools } from '../../src/executors/agent/tools/files/index.ts';
import { codeOf, ground, use } from './support.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('list shows one level with kinds, sizes and where links lead; git’s folder is left out', async () => {
  const at = await ground();
  await at.put({ 'b ä.txt': '12345', 'dir/inner.txt': '', '.env': 'x', '.git/config': '', 'line\nbreak': '' });
  await symlink('dir', join(at.workspace, 'link'));
  expect((await use('list', {}, at)).text.split('\n')).toEqual([
    '.env  1 bytes',
    'b ä.txt  5 bytes',
    'dir/',
    '"line\\nbreak"  0 bytes',
    'link -> dir',
  ]);
  expect((await use('list', { hidden: false }, at)).text).not.toContain('.env');
  expect((await use('list', { path: 'link' }, at)).text).toBe('inner.txt  0 bytes');
  expect(codeOf(await use('list', { path: 'b ä.txt' }, at))).toBe('not_a_directory');
  expect(codeOf(await use('list', { path: 'none' }, at))).toBe('not_found');
});

test('list shows at most 1,000 entries and says how many there are', async () => {
  const at = await ground();
  await mkdir(join(at.workspace, 'many'));
  await at.put(Object.fromEntries(Array.from({ length: 1_010 }, (_, index) => [`many/${index}`, ''])));
  const { text } = await use('list', { path: 'many' }, at);
  expect(text.split('\n')).toHaveLength(1_001);
  expect(text).toContain('(1000 of 1010 entries. Use glob to find the others.)');
});

test('view_image gives the picture by its bytes, whatever its name says', async () => {
  const at = await ground();
  await at.put({
    'ein bild.txt': PNG,
    'fake.png': 'not a picture',
    'doc.png': '%PDF-1.7\n',
    'big.png': Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]),
  });
  const seen = await use('view_image', { path: 'ein bild.txt' }, at);
  expect(seen.images).toEqual([{ mediaType: 'image/png', data: PNG.toString('base64') }]);
  const refused = await use('view_image', { path: 'fake.png' }, at);
  expect(codeOf(refused)).toBe('not_an_image');
  expect(refused.text).toContain('Expected PNG, JPEG, GIF or WebP at "fake.png", found something else');
  expect((await use('view_image', { path: 'doc.png' }, at)).text).toContain('found application/pdf');
  expect(codeOf(await use('view_image', { path: 'big.png' }, at))).toBe('too_large');
});

test('view_image and read take attachments from a folder of ours that is reached through a link', async () => {
  const at = await ground();
  await mkdir(join(at.root, 'data'));
  await symlink('data', join(at.root, 'alias'));
  const attachment = {
    name: 'x.png',
    path: join(at.root, 'alias', 'x.png'),
    mediaType: 'image/png',
    bytes: PNG.length,
  };
  await at.put({ '../data/x.png': PNG });
  const withFile = { context: { ...at.context, attachments: [attachment] } };
  expect((await use('view_image', { path: 'attachment:x.png' }, withFile)).images).toHaveLength(1);
  expect(codeOf(await use('read', { path: 'attachment:x.png' }, withFile))).toBe('binary');
});

test('the tools are named, described within 600 characters, described field by field, and say what they do to the world', async () => {
  const { context } = await ground();
  const capabilities = Object.fromEntries(fileTools.map((tool) => [tool.name, asTool(tool).capability({}, context)]));
  expect(capabilities).toEqual({
    read: 'reads',
    list: 'reads',
    glob: 'reads',
    grep: 'reads',
    git_read: 'reads',
    view_image: 'reads',
    edit: 'writes',
    apply_patch: 'writes',
    write: 'writes',
  });
  for (const tool of fileTools) {
    expect(tool.description.length).toBeLessThanOrEqual(600);
    const { shape } = tool.input as unknown as { shape: Record<string, { description?: string }> };
    for (const [field, schema] of Object.entries(shape))
      expect(schema.description, `${tool.name}.${field}`).toBeTruthy();
    expect(tool.input.safeParse({ surprising: true }).success, tool.name).toBe(false);
  }
});

test('a subject names every path that a call is about, one a line', () => {
  const subject = (name: string, input: object) => fileTools.find((tool) => tool.name === name)?.subject(input);
  expect(subject('read', { path: 'a.txt' })).toBe('a.txt');
  expect(subject('grep', { pattern: 'x' })).toBe('.');
  expect(subject('git_read', { operation: 'diff', paths: ['a', 'b'] })).toBe('a\nb');
  const rename = 'diff --git a/b.txt b/b2.txt\nsimilarity index 100%\nrename from b.txt\nrename to b2.txt\n';
  const patch = `${rename}--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n`;
  expect(subject('apply_patch', { patch })).toBe('b.txt\nb2.txt\nc.txt');
});
