import { execFile } from 'node:child_process';
import { mkdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createGrepTool } from '../../src/executors/agent/tools/files/grep.ts';
import { call, codeOf, type Ground, ground, SECRET, use } from './support.ts';

const IGNORED = {
  '.gitignore': 'build/\n*.log\n!keep.log\n/only-top.txt\n',
  'sub/.gitignore': 'local.txt\n!extra.log\n',
  'a.ts': 'needle a',
  'sub/b.ts': 'needle b',
  'sub/only-top.txt': 'needle',
  'only-top.txt': 'needle ignored',
  'sub/local.txt': 'needle ignored',
  'sub/extra.log': 'needle',
  'x.log': 'needle ignored',
  'keep.log': 'needle',
  'build/out.ts': 'needle ignored',
  'node_modules/p/i.ts': 'needle ignored',
  '.git/config': 'needle ignored',
  '.hidden/h.ts': 'needle',
};
const SEEN = ['.hidden/h.ts', 'a.ts', 'keep.log', 'sub/b.ts', 'sub/extra.log', 'sub/only-top.txt'];

const lines = (text: string) => text.split('\n').filter((line) => !line.startsWith('('));

async function globbed(at: Ground, pattern: string, path?: string): Promise<string[]> {
  const { text } = await use('glob', { pattern, ...(path === undefined ? {} : { path }) }, at);
  return lines(text).sort();
}

test('glob and grep see what git would see: nested .gitignore files, exceptions, never .git or node_modules', async () => {
  const at = await ground();
  await at.put(IGNORED);
  expect(await globbed(at, '**')).toEqual(
    ['.gitignore', '.hidden/h.ts', 'a.ts', 'keep.log', 'sub/.gitignore', ...SEEN.slice(3)].sort(),
  );
  expect(lines((await use('grep', { pattern: 'needle' }, at)).text).sort()).toEqual(SEEN);
  await promisify(execFile)('rm', ['-r', join(at.workspace, '.git')]);
  await promisify(execFile)('git', ['-C', at.workspace, 'init', '-q']);
  const { stdout } = await promisify(execFile)('git', ['-C', at.workspace, 'ls-files', '-co', '--exclude-standard']);
  const byGit = stdout.split('\n').filter((path) => path !== '' && !path.startsWith('node_modules/'));
  expect(await globbed(at, '**')).toEqual(byGit.sort());
});

test('an ignored folder is searched when it is asked for by name, and outer rules hold in a subfolder', async () => {
  const at = await ground();
  await at.put(IGNORED);
  expect(await globbed(at, '**/*.ts', 'build')).toEqual(['build/out.ts']);
  expect(await globbed(at, '*.ts', 'node_modules/p')).toEqual(['node_modules/p/i.ts']);
  await at.put({ 'sub/y.log': 'needle ignored' });
  expect(lines((await use('grep', { pattern: 'needle', path: 'sub' }, at)).text)).toEqual(SEEN.slice(3));
});

test('glob patterns are relative to the folder; names with spaces, umlauts and leading dots match', async () => {
  const at = await ground();
  await at.put({ 'a.ts': '', 'src/b.ts': '', 'src/tief unten/ä ö.tsx': '', 'src/.env.ts': '' });
  expect(await globbed(at, '*.ts')).toEqual(['a.ts']);
  expect(await globbed(at, './**/*.ts')).toEqual(['a.ts', 'src/.env.ts', 'src/b.ts']);
  expect(await globbed(at, '**/*.{tsx,md}', 'src')).toEqual(['src/tief unten/ä ö.tsx']);
  expect((await use('glob', { pattern: '*.none' }, at)).text).toBe('No file matches.');
});

test('glob gives the newest first, at most 500, and says so', async () => {
  const at = await ground();
  await at.put(Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`f${index}.txt`, ''])));
  for (const [name, second] of [
    ['f3.txt', 3_000_000_000],
    ['f7.txt', 2_900_000_000],
  ] as const) {
    await utimes(join(at.workspace, name), second, second);
  }
  const { text } = await use('glob', { pattern: '*.txt' }, at);
  expect(lines(text).slice(0, 2)).toEqual(['f3.txt', 'f7.txt']);
  expect(lines(text)).toHaveLength(500);
  expect(text).toContain('(The newest 500 of 510. Narrow the pattern for the others.)');
});

test('T14: patterns that lead out are refused, links are not followed, and a walk stays inside', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a' });
  await symlink(at.outside, join(at.workspace, 'out'));
  await symlink(join(at.outside, 'secret.txt'), join(at.workspace, 'file'));
  await symlink('.', join(at.workspace, 'self'));
  for (const pattern of ['../**', '/etc/*', 'a/../../*']) {
    expect(codeOf(await use('glob', { pattern }, at)), pattern).toBe('outside_workspace');
    expect(codeOf(await use('grep', { pattern: 'x', glob: pattern }, at)), pattern).toBe('outside_workspace');
  }
  expect(await globbed(at, '**')).toEqual(['a.txt', 'file', 'out', 'self']);
  expect((await use('grep', { pattern: SECRET, literal: true }, at)).text).toBe('No match.');
  expect(codeOf(await use('grep', { pattern: 'x', path: 'out' }, at))).toBe('outside_workspace');
  expect(codeOf(await use('glob', { pattern: '*', path: 'a.txt' }, at))).toBe('not_a_directory');
  expect(codeOf(await use('glob', { pattern: '*', path: 'none' }, at))).toBe('not_found');
});

test('a walk that takes too long ends with what it has, and says so', async () => {
  let now = 0;
  const clock = () => {
    now += 4_000;
    return now;
  };
  const at = await ground({ now: clock });
  await at.put(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, 'x'])));
  const { text } = await use('glob', { pattern: '*' }, at);
  expect(text).toContain('(The search was ended when its time was up; there may be more. Narrow `path`.)');
  expect(lines(text).length).toBeLessThan(30);
});

test('grep shows lines with their context, apart where lines are left out', async () => {
  const at = await ground();
  await at.put({ 'dir ä/a.txt': 'one\r\ntwo hit\r\nthree\r\nfour\r\nfive hit\r\nsix\r\n', 'b.md': 'HIT' });
  const content = (input: object) =>
    use('grep', { pattern: 'hit', mode: 'content', ...input }, at).then(({ text }) => text);
  expect(await content({})).toBe('dir ä/a.txt:2:two hit\ndir ä/a.txt:5:five hit');
  expect(await content({ context: 1, path: 'dir ä' })).toBe(
    ['-1-one', ':2:two hit', '-3-three', '-4-four', ':5:five hit', '-6-six']
      .map((line) => `dir ä/a.txt${line}`)
      .join('\n'),
  );
  expect(await content({ before: 1 })).toContain('dir ä/a.txt:2:two hit\n--\ndir ä/a.txt-4-four');
  expect(await content({ ignoreCase: true, glob: '*.md' })).toBe('b.md:1:HIT');
  expect(await content({ path: 'b.md', ignoreCase: true })).toBe('b.md:1:HIT');
  expect((await use('grep', { pattern: 'hit', mode: 'count' }, at)).text).toBe('dir ä/a.txt:2');
});

test('grep takes regular expressions, plain text and patterns over several lines', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'f(x)\nfxx\nstart {\n  body 🚀\n}\nend\n' });
  const content = (input: object) => use('grep', { mode: 'content', ...input }, at).then(({ text }) => text);
  expect(await content({ pattern: 'f(x)' })).toBe('a.txt:2:fxx');
  expect(await content({ pattern: 'f(x)', literal: true })).toBe('a.txt:1:f(x)');
  expect(await content({ pattern: 'body .$' })).toBe('a.txt:4:  body 🚀');
  expect(await content({ pattern: 'start.*?^}', multiline: true })).toBe(
    'a.txt:3:start {\na.txt:4:  body 🚀\na.txt:5:}',
  );
  const refused = await use('grep', { pattern: '(' }, at);
  expect(codeOf(refused)).toBe('bad_pattern');
  expect(refused.text).toContain('Correct it or set `literal`');
  expect(await content({ pattern: '\\-|x*', multiline: true, limit: 2 })).toContain('Stopped at the limit of 2');
});

test('a pattern that would run for ever ends in an error, and the process is not held up', async () => {
  const at = await ground();
  await at.put({ 'a.txt': `${'a'.repeat(60)}b\n`, [`${'a'.repeat(200)}b`]: '' });
  const grep = createGrepTool({ matchLimitMs: 300 });
  let beats = 0;
  const beat = setInterval(() => {
    beats += 1;
  }, 10);
  try {
    for (const input of [{ pattern: '^(a+)+$' }, { pattern: '(a|a)*c', multiline: true }]) {
      const output = await call(grep, input, at.context);
      expect(codeOf(output)).toBe('pattern_too_slow');
      expect(output.text).toContain('was stopped. Use a simpler one.');
    }
    const byName = await call(grep, { pattern: 'x', glob: `${'*a'.repeat(30)}*c` }, at.context);
    expect(codeOf(byName)).toBe('pattern_too_slow');
  } finally {
    clearInterval(beat);
  }
  expect(beats, 'timers went on meanwhile').toBeGreaterThan(5);
});

test('a search with a pattern that hangs ends when it is aborted', async () => {
  const controller = new AbortController();
  const at = await ground({ signal: controller.signal });
  await at.put({ 'a.txt': `${'a'.repeat(60)}b\n` });
  const search = use('grep', { pattern: '^(a+)+$' }, at);
  setTimeout(() => controller.abort(new Error('given up')), 100);
  await expect(search).rejects.toThrow('given up');
});

test('a hostile .gitignore does not hold up the walk: rules that would are left out, the others hold', async () => {
  const at = await ground();
  const deep = `${'a/'.repeat(55)}b`;
  const hostile = [
    `${'**/a/'.repeat(40)}c`,
    ...Array.from({ length: 1_000 }, (_, index) => `**/a/**/a/**/a/c${index}`),
  ];
  await at.put({ '.gitignore': `${hostile.join('\n')}\n*.log\n`, [deep]: '', 'x.log': '' });
  expect(await globbed(at, '**')).toEqual(['.gitignore', deep]);
});

test('grep leaves out binary and huge files and says so; long lines are shown around the hit', async () => {
  const at = await ground();
  await at.put({
    'a.bin': new Uint8Array([0, 0x68, 0x69, 0x74]),
    'huge.txt': Buffer.alloc(16 * 1024 * 1024 + 1, 'hit '),
    'wide.txt': `${'x'.repeat(5_000)}hit${'y'.repeat(5_000)}`,
  });
  const { text } = await use('grep', { pattern: 'hit', mode: 'content' }, at);
  expect(text).toContain('(Not searched, binary: 1 file)\n(Not searched, too_large: 1 file: huge.txt)');
  const shown = /^wide.txt:1:(.*)$/m.exec(text)?.[1] ?? '';
  expect(shown).toMatch(/^…x+hity+…$/);
  expect(shown.length).toBe(502);
});

test('a search stops at its limits: hits, files, and the size of an answer', async () => {
  const at = await ground();
  await at.put({ 'many.txt': 'hit\n'.repeat(20_000), 'b.txt': 'hit', 'c.txt': 'hit' });
  const content = await use('grep', { pattern: 'hit', mode: 'content' }, at);
  expect(lines(content.text)).toHaveLength(250);
  expect(content.text).toContain('(Stopped at the limit of 250; there may be more. Narrow the search.)');
  const large = await use('grep', { pattern: 'hit', mode: 'content', limit: 10_000 }, at);
  expect(Buffer.byteLength(large.text)).toBeLessThanOrEqual(32 * 1024 + 200);
  expect(large.text).toContain('as much as an answer holds');
  expect(lines((await use('grep', { pattern: 'hit', limit: 2 }, at)).text)).toEqual(['b.txt', 'c.txt']);
  expect((await use('grep', { pattern: 'hit', mode: 'count' }, at)).text).toContain('many.txt:20000');
});

test('an empty folder and one that cannot be entered are passed over', async () => {
  const at = await ground();
  await mkdir(join(at.workspace, 'empty'));
  expect((await use('grep', { pattern: 'x' }, at)).text).toBe('No match.');
  expect((await use('list', { path: 'empty' }, at)).text).toBe('(The folder is empty.)');
});
