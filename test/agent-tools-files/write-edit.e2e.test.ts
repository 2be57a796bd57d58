import { chmod, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, ground, use } from './support.ts';

test('write makes missing folders, replaces the whole text and says what it wrote', async () => {
  const at = await ground();
  const created = await use('write', { path: 'neu/ordner ä/a.txt', content: 'eins\nzwei\n' }, at);
  expect(created).toEqual({ text: 'Created "neu/ordner ä/a.txt": 2 lines, 10 bytes.', wrote: ['neu/ordner ä/a.txt'] });
  const replaced = await use('write', { path: './neu/ordner ä/a.txt', content: '' }, at);
  expect(replaced).toEqual({ text: 'Replaced "neu/ordner ä/a.txt": 0 lines, 0 bytes.', wrote: ['neu/ordner ä/a.txt'] });
  expect(await at.text('neu/ordner ä/a.txt')).toBe('');
  expect(codeOf(await use('write', { path: 'neu/x/', content: '' }, at))).toBe('is_directory');
  expect(codeOf(await use('write', { path: 'neu/ordner ä/a.txt/b', content: '' }, at))).toBe('not_a_directory');
});

test('a replaced file keeps its permissions, and a link inside the workspace stays a link', async () => {
  const at = await ground();
  await at.put({ 'run.sh': 'old' });
  await chmod(join(at.workspace, 'run.sh'), 0o754);
  await symlink('run.sh', join(at.workspace, 'alias'));
  expect((await use('write', { path: 'alias', content: 'new' }, at)).wrote).toEqual(['run.sh']);
  expect((await stat(join(at.workspace, 'run.sh'))).mode & 0o777).toBe(0o754);
  expect(await at.text('alias')).toBe('new');
  await use('edit', { path: 'run.sh', old: 'new', new: 'newer' }, at);
  expect((await stat(join(at.workspace, 'run.sh'))).mode & 0o777).toBe(0o754);
});

test('edit replaces a text that is there once, and says where', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'one\ntwo\nthree\n' });
  const edited = await use('edit', { path: 'a.txt', old: 'two', new: '$& 2 $1' }, at);
  expect(edited).toEqual({ text: 'Edited "a.txt" at line 2.', wrote: ['a.txt'] });
  expect(await at.text('a.txt')).toBe('one\n$& 2 $1\nthree\n');
});

test('an edit that is not certain changes nothing and says why', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'same\nother\nsame\n' });
  const cases = [
    [{ old: '', new: 'x' }, 'empty_old', 'Use write for a new file'],
    [{ old: 'same', new: 'same' }, 'no_change', 'two different texts'],
    [{ old: 'same', new: 'x' }, 'not_unique', 'found it 2 times, at lines 1, 3'],
    [{ old: 'absent', new: 'x' }, 'old_not_found', 'Nothing like it is there'],
    [{ old: 'same  other', new: 'x' }, 'old_not_found', 'with other white space'],
  ] as const;
  for (const [input, code, words] of cases) {
    const output = await use('edit', { path: 'a.txt', ...input }, at);
    expect([codeOf(output), output.text]).toEqual([code, expect.stringContaining(words)]);
  }
  expect(await at.text('a.txt')).toBe('same\nother\nsame\n');
  await at.put({ 'many.txt': 'a'.repeat(1_000_000) });
  const huge = await use('edit', { path: 'many.txt', old: 'a', new: 'b'.repeat(10_000), all: true }, at);
  expect(codeOf(huge)).toBe('too_large');
  const all = await use('edit', { path: 'a.txt', old: 'same', new: 'x', all: true }, at);
  expect(all.text).toBe('Edited "a.txt" at 2 places.');
  expect(await at.text('a.txt')).toBe('x\nother\nx\n');
});

test('line ends of the file are kept: a model writes line feeds, the file has CRLF', async () => {
  const at = await ground();
  await at.put({ 'dos.txt': 'a\r\nb\r\nc\r\n', 'mixed.txt': 'a\nb\r\nc\n' });
  await use('edit', { path: 'dos.txt', old: 'a\nb', new: 'x\ny' }, at);
  await use('edit', { path: 'dos.txt', old: 'c', new: 'c\nd' }, at);
  expect(await at.text('dos.txt')).toBe('x\r\ny\r\nc\r\nd\r\n');
  await use('edit', { path: 'mixed.txt', old: 'b\nc', new: 'x' }, at);
  expect(codeOf(await use('edit', { path: 'mixed.txt', old: 'b\nc', new: 'x' }, at))).toBe('old_not_found');
  expect(await at.text('mixed.txt')).toBe('a\nx\n');
});

test('a file that would not survive being written back is not edited', async () => {
  const at = await ground();
  await at.put({ 'latin.txt': new Uint8Array([0x61, 0xfc]), 'bom.txt': '\uFEFFa' });
  expect(codeOf(await use('edit', { path: 'latin.txt', old: 'a', new: 'b' }, at))).toBe('binary');
  await use('edit', { path: 'bom.txt', old: 'a', new: 'b' }, at);
  expect(await at.text('bom.txt')).toBe('\uFEFFb');
});
