import { expect, test } from 'vitest';
import { codeOf, ground, use } from './support.ts';

test('a file is shown with line numbers; CRLF, byte order mark, umlauts and names with spaces do no harm', async () => {
  const at = await ground();
  await at.put({ 'größe und maß.txt': '\uFEFFeins\r\nzwei ü 🚀\r\n\r\nvier' });
  expect((await use('read', { path: 'größe und maß.txt' }, at)).text).toBe('1\teins\n2\tzwei ü 🚀\n3\t\n4\tvier');
  await at.put({ 'empty.txt': '' });
  expect((await use('read', { path: 'empty.txt' }, at)).text).toBe('(The file is empty.)');
});

test('a file of 40,000 lines is read piece by piece: every answer within its bounds says where to go on', async () => {
  const at = await ground();
  const lines = Array.from({ length: 40_000 }, (_, index) => `l${index + 1}`);
  await at.put({ 'long.txt': `${lines.join('\n')}\n` });
  const seen: string[] = [];
  let offset: number | undefined = 1;
  while (offset !== undefined) {
    const { text } = await use('read', { path: 'long.txt', offset }, at);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30 * 1024 + 100);
    const shown = text.split('\n').filter((line) => line.includes('\t'));
    expect(shown.length).toBeLessThanOrEqual(3_000);
    seen.push(...shown.map((line) => line.slice(line.indexOf('\t') + 1)));
    offset = Number(/Go on with offset (\d+)/.exec(text)?.[1]) || undefined;
  }
  expect(seen).toEqual(lines);
});

test('offset and limit choose lines; an offset behind the end says how many there are', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a\nb\nc\nd\n' });
  const part = await use('read', { path: 'a.txt', offset: 2, limit: 2 }, at);
  expect(part.text).toBe('2\tb\n3\tc\n(Lines 2 to 3 of 4. Go on with offset 4.)');
  expect((await use('read', { path: 'a.txt', offset: 5 }, at)).text).toContain('a line up to 4, the last one, found 5');
});

test('a line that is too long is cut and can be read on by column, without halves of characters', async () => {
  const at = await ground();
  const long = `${'x'.repeat(1_999)}${'🚀'.repeat(10_000)}`;
  await at.put({ 'a.txt': `${long}\nnext` });
  const first = await use('read', { path: 'a.txt' }, at);
  let shown = /^1\t(.*)… \(/.exec(first.text)?.[1] ?? '';
  expect(first.text).toContain('2\tnext');
  for (let column = shown.length + 1; column <= long.length; column = shown.length + 1) {
    const { text } = await use('read', { path: 'a.txt', offset: 1, column }, at);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30 * 1024);
    shown += /^1\t(.*?)(?:… \(.*)?$/.exec(text)?.[1] ?? '';
  }
  expect(shown).toBe(long);
  expect(codeOf(await use('read', { path: 'a.txt', column: 30_000 }, at))).toBe('bad_offset');
});

test('what is not text is refused with advice; bytes that are not UTF-8 are shown as such', async () => {
  const at = await ground();
  await at.put({ 'a.bin': new Uint8Array([80, 75, 0, 1]), 'latin.txt': new Uint8Array([0x67, 0x72, 0xfc, 0xdf]) });
  const refused = await use('read', { path: 'a.bin' }, at);
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toBe(
    'binary: Expected text at "a.bin", found 4 bytes that are not text. Use view_image for a picture, or a shell command that understands the format.',
  );
  expect((await use('read', { path: 'latin.txt' }, at)).text).toContain('1\tgr\uFFFD\uFFFD\n(Some bytes are not UTF-8');
});

test('a file above 10 MiB is refused before it is read', async () => {
  const at = await ground();
  await at.put({ 'big.txt': 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect(codeOf(await use('read', { path: 'big.txt' }, at))).toBe('too_large');
});

test('an input with unknown or wrong fields is not accepted', async () => {
  const at = await ground();
  for (const input of [
    {},
    { path: 1 },
    { path: 'a', offset: 0 },
    { path: 'a', limit: 3_001 },
    { path: 'a', mode: 'x' },
  ]) {
    await expect(use('read', input, at), JSON.stringify(input)).rejects.toThrow();
  }
});

test('an aborted signal ends every tool with its reason', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a' });
  const aborted = { context: { ...at.context, signal: AbortSignal.abort(new Error('given up')) } };
  const inputs = {
    read: { path: 'a.txt' },
    list: {},
    glob: { pattern: '*' },
    grep: { pattern: 'a' },
    git_read: { operation: 'status' },
    view_image: { path: 'a.txt' },
    edit: { path: 'a.txt', old: 'a', new: 'b' },
    write: { path: 'a.txt', content: 'b' },
    apply_patch: { patch: '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-a\n+b\n' },
  };
  for (const [name, input] of Object.entries(inputs)) {
    await expect(use(name, input, aborted), name).rejects.toThrow('given up');
  }
  expect(await at.text('a.txt')).toBe('a');
});
