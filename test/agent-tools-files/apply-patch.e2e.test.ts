import { execFile } from 'node:child_process';
import { chmod, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createApplyPatchTool } from '../../src/executors/agent/tools/files/apply-patch.ts';
import { call, codeOf, everyPath, type Ground, ground, use } from './support.ts';

const apply = (at: Ground, patch: string) => use('apply_patch', { patch }, at);

async function snapshot(at: Ground): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const path of await everyPath(at.workspace)) {
    if ((await stat(path)).isFile())
      files[path.slice(at.workspace.length + 1)] = await at.text(path.slice(at.workspace.length + 1));
  }
  return files;
}

const change = (path: string, from: string, to: string) =>
  `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

test('one patch changes, creates, deletes and renames, and reports each file', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'bye\n', 'old name.txt': 'x\ny\n' });
  const patch = [
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2.5\n three\n',
    'diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n',
    'diff --git a/neu/ä.txt b/neu/ä.txt\nnew file mode 100755\n--- /dev/null\n+++ b/neu/ä.txt\n@@ -0,0 +1,2 @@\n+eins\n+zwei\n',
    'diff --git a/old name.txt b/new name.txt\nsimilarity index 50%\nrename from old name.txt\nrename to new name.txt\n--- a/old name.txt\n+++ b/new name.txt\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n',
  ].join('');
  const output = await apply(at, patch);
  expect(output.text).toBe(
    'M a.txt (+2 -1)\nD gone.txt (+0 -1)\nA neu/ä.txt (+2 -0)\nR old name.txt -> new name.txt (+1 -1)',
  );
  expect(output.wrote).toEqual(['a.txt', 'gone.txt', 'neu/ä.txt', 'new name.txt', 'old name.txt']);
  expect(await snapshot(at)).toEqual({
    'a.txt': 'one\n2\n2.5\nthree\n',
    'neu/ä.txt': 'eins\nzwei\n',
    'new name.txt': 'x\nz\n',
  });
  expect((await stat(join(at.workspace, 'neu/ä.txt'))).mode & 0o777).toBe(0o755);
});

test('what git diff writes is what apply_patch takes', async () => {
  const at = await ground();
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', at.workspace, ...args]);
  const before = {
    'a b.txt': 'x\n'.repeat(30),
    'ü.txt': 'no end',
    'sub/move me.txt': '1\n2\n3\n4\n5\n',
    'del.txt': 'd',
  };
  await at.put(before);
  await git('init', '-q');
  await git('add', '-A');
  await git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'x');
  const after = {
    'a b.txt': `${'x\n'.repeat(15)}y\n${'x\n'.repeat(15)}`,
    'ü.txt': 'end\n',
    'moved.txt': '1\n2\n3\n4\nfive\n',
    'made.txt': '',
  };
  for (const path of ['sub/move me.txt', 'del.txt']) await rm(join(at.workspace, path));
  await at.put({ ...after, 'made.txt': 'new' });
  await git('add', '-A');
  const { stdout: patch } = await git('diff', '-M', '--cached', 'HEAD');
  const other = await ground();
  await other.put(before);
  expect(codeOf(await apply(other, patch))).toBe('ok');
  expect(await snapshot(other)).toEqual({ ...after, 'made.txt': 'new' });
});

test('every hunk is checked first: one that does not fit leaves all files alone, and the answer says which and why', async () => {
  const at = await ground();
  const files = { 'a.txt': 'a\n', 'b.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n' };
  await at.put(files);
  const hunks = '--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -8,2 +8,2 @@\n-eight\n+8\n 9\n';
  const output = await apply(at, change('a.txt', 'a', 'A') + hunks + change('absent.txt', 'x', 'y'));
  expect(output.text).toContain('"b.txt": hunk 2 (@@ -8,2) does not fit: it begins with "eight", line 8 is "8"');
  expect(output.text).toContain('not_found: Nothing is at "absent.txt"');
  expect(await snapshot(at)).toEqual(files);
});

test('hunks that have moved still fit, with all their surroundings', async () => {
  const at = await ground();
  await at.put({ 'a.txt': `${'new\n'.repeat(20)}before\nold\nafter\n` });
  expect(codeOf(await apply(at, '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n before\n-old\n+newer\n after\n'))).toBe(
    'ok',
  );
  expect(await at.text('a.txt')).toBe(`${'new\n'.repeat(20)}before\nnewer\nafter\n`);
});

test('a file with CRLF keeps it under a patch with line feeds', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a\r\nb\r\n' });
  await apply(at, '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n');
  expect(await at.text('a.txt')).toBe('a\r\nc\r\nd\r\n');
});

test('when the third file fails while it is written, the first two are as they were and new ones are gone', async () => {
  const at = await ground();
  const files = { 'a.txt': 'a\n', 'd.txt': 'd\n' };
  await at.put(files);
  await chmod(join(at.workspace, 'a.txt'), 0o755);
  const patch = [
    change('a.txt', 'a', 'A'),
    '--- /dev/null\n+++ b/new/deep/n.txt\n@@ -0,0 +1 @@\n+n\n',
    change('d.txt', 'd', 'D'),
  ].join('');
  const seen: string[] = [];
  const tool = createApplyPatchTool({
    beforeEach: async ({ shown }) => {
      seen.push(shown);
      if (shown === 'd.txt') await writeFile(join(at.workspace, 'd.txt'), 'someone else was here\n');
    },
  });
  const output = await call(tool, { patch }, at.context);
  expect(codeOf(output)).toBe('changed_meanwhile');
  expect(output.wrote).toBeUndefined();
  expect(seen).toEqual(['a.txt', 'new/deep/n.txt', 'd.txt']);
  expect(await snapshot(at)).toEqual({ ...files, 'd.txt': 'someone else was here\n' });
  expect((await stat(join(at.workspace, 'a.txt'))).mode & 0o777).toBe(0o755);
  expect(await everyPath(at.workspace)).toHaveLength(2);
});

test('deletions and renames are taken back too, also when the call is aborted half way', async () => {
  const at = await ground();
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
  await at.put(files);
  const rename = 'diff --git a/b.txt b/b2.txt\nsimilarity index 100%\nrename from b.txt\nrename to b2.txt\n';
  const patch = `--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n${rename}${change('c.txt', 'c', 'C')}`;
  const controller = new AbortController();
  const tool = createApplyPatchTool({
    beforeEach: async ({ shown }) => {
      if (shown === 'b.txt') controller.abort(new Error('given up'));
    },
  });
  const context = { ...at.context, signal: controller.signal };
  await expect(call(tool, { patch }, context)).rejects.toThrow('given up');
  expect(await snapshot(at)).toEqual(files);
});

test('a bare rename is not lost when the next file follows without a git header', async () => {
  const at = await ground();
  await at.put({ 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const rename = 'diff --git a/b.txt b/b2.txt\nsimilarity index 100%\nrename from b.txt\nrename to b2.txt\n';
  expect((await apply(at, rename + change('c.txt', 'c', 'C'))).text).toBe('R b.txt -> b2.txt\nM c.txt (+1 -1)');
  expect(await snapshot(at)).toEqual({ 'b2.txt': 'b\n', 'c.txt': 'C\n' });
});

test('V30: every path of a patch is checked, old and new', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a\n', '.git/config': 'x\n' });
  await symlink(at.outside, join(at.workspace, 'out'));
  const patches = {
    outside_workspace: [
      change('../outside/secret.txt', 'x', 'y'),
      '--- /dev/null\n+++ b/out/new.txt\n@@ -0,0 +1 @@\n+x\n',
      '--- /dev/null\n+++ /tmp/new.txt\n@@ -0,0 +1 @@\n+x\n',
      'diff --git a/a.txt b/out/a.txt\nrename from a.txt\nrename to out/a.txt\n',
    ],
    protected: [change('.git/config', 'x', 'y'), '--- /dev/null\n+++ b/.git/hooks/post-checkout\n@@ -0,0 +1 @@\n+x\n'],
  };
  for (const [code, list] of Object.entries(patches)) {
    for (const patch of list) {
      const { text } = await apply(at, change('a.txt', 'a', 'b') + patch);
      expect(text, patch).toContain(`${code}: `);
    }
  }
  expect(await at.text('a.txt')).toBe('a\n');
});

test('a patch that is not understood is refused whole, with what was expected', async () => {
  const at = await ground();
  await at.put({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'full.txt': '1\n2\n' });
  const cases = [
    ['', 'found no file in it'],
    ['please change a to b', 'found no file in it'],
    [
      '--- a/a.txt\n+++ b/a.txt\n@@ ... @@\n-a\n+b\n',
      'Expected a hunk header such as @@ -10,3 +10,4 @@, found "@@ ... @@"',
    ],
    ['--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-a\n+b\n', 'Count the lines'],
    ['@@ -1 +1 @@\n-a\n+b\n', 'Expected --- and +++ lines'],
    ['--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-a\n+b\n', 'Expected one name'],
    ['--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n a\n', 'changes nothing'],
    ['--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n', 'exists: Expected nothing at "a.txt"'],
    ['--- a/full.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n', 'take away every line'],
    [change('a.txt', 'a', 'b') + change('./a.txt', 'a', 'c'), 'a.txt is in the patch twice'],
    [
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n',
      'is to become a link',
    ],
    ['diff --git a/a.txt b/c.txt\nsimilarity index 100%\ncopy from a.txt\ncopy to c.txt\n', 'is a copy'],
    ['diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n', 'is a binary change'],
  ] as const;
  for (const [patch, words] of cases) {
    const output = await apply(at, patch);
    expect([codeOf(output), output.text], patch).toEqual(['bad_patch', expect.stringContaining(words)]);
  }
  expect(await snapshot(at)).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'full.txt': '1\n2\n' });
});

test('a hunk that fits nearly everywhere in a huge file is refused instead of holding up the process', async () => {
  const at = await ground();
  await at.put({ 'blank.txt': '\n'.repeat(200_000) });
  const hunk = `@@ -1,1001 +1,1000 @@\n${' \n'.repeat(1_000)}-absent\n`;
  expect((await apply(at, `--- a/blank.txt\n+++ b/blank.txt\n${hunk}`)).text).toContain('too many places to try');
});
