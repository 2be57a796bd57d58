import { describe, expect, it } from 'vitest';
import type { DiffFile } from '../../web/src/item/diff/diff-data.ts';
import { parseDiff } from '../../web/src/item/diff/parse-diff.ts';
import { parseFile } from '../../web/src/item/diff/parse-file.ts';
import { partnersOf } from '../../web/src/item/diff/partners.ts';
import { placeOf, quoteOfKey } from '../../web/src/item/diff/place.ts';
import { rowsOf } from '../../web/src/item/diff/rows.ts';
import { hrefOf, oneFileOf, sourceOf } from '../../web/src/item/diff/source.ts';
import { wordsWithin } from '../../web/src/item/diff/words-within.ts';

const CHANGED = `diff --git a/src/a.ts b/src/a.ts
index 83db48f..bf269f4 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,5 @@ export
 one
-const two = 2;
-gone
+// A comment that came in between.
+const two = 22;
+const three = 3;
 four
\\ No newline at end of file
`;

const files = (text: string, isCut = false): readonly DiffFile[] =>
  [...parseDiff(text, isCut)].flatMap((part) => part.files);
const only = (text: string): DiffFile => parseFile(text, '0');

describe('a file of a diff', () => {
  it('has its lines with the numbers of both sides, and counts what changed', () => {
    const file = only(CHANGED);
    expect(file).toMatchObject({ path: 'src/a.ts', added: 3, removed: 2, facts: [], modes: null });
    expect(file.lines.map(({ sign, old, now }) => `${sign}${old ?? ''}/${now ?? ''}`)).toEqual([
      ...[' 1/1', '-2/', '-3/', '+/2', '+/3', '+/4', ' 4/5'],
    ]);
    expect(file.hunks).toEqual([{ header: '@@ -1,4 +1,5 @@ export', start: 0, end: 7 }]);
  });

  it('names the line that a changed one replaces by likeness, and the words that are others', () => {
    const file = only(CHANGED);
    const [, two] = file.lines;
    expect(two?.partner).toBe(4);
    expect(file.lines[4]?.partner).toBe(1);
    expect(file.lines[3]?.partner).toBe(-1);
    expect(two && wordsWithin(file, two)?.filter(({ isChanged }) => isChanged)).toEqual([
      { text: '2', isChanged: true },
    ]);
  });

  const odd: readonly (readonly [string, string, Partial<DiffFile>])[] = [
    [
      'binary',
      'diff --git a/x y.png b/x y.png\nindex 1..2 100644\nBinary files a/x y.png and b/x y.png differ\n',
      { path: 'x y.png', facts: ['binary'] },
    ],
    [
      'mode',
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      { path: 'run.sh', modes: ['100644', '100755'], hunks: [] },
    ],
    [
      'rename',
      'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n',
      { facts: ['renamed'], oldPath: 'a' },
    ],
    [
      'new',
      'diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
      { path: 'n', facts: ['added'], modes: null, added: 1 },
    ],
    [
      'gone',
      'diff --git a/g b/g\ndeleted file mode 100644\nindex 1..0\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      { path: 'g', facts: ['deleted'], removed: 1 },
    ],
    [
      'submodule',
      'diff --git a/v b/v\nindex 1..2 160000\n--- a/v\n+++ b/v\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n',
      { facts: ['submodule'] },
    ],
    [
      'quoted',
      'diff --git "a/\\303\\244 \\"q\\"" "b/\\303\\244 \\"q\\""\nindex 1..2 100644\n--- "a/\\303\\244 \\"q\\""\n+++ "b/\\303\\244 \\"q\\""\n@@ -1 +1 @@\n-a\n+b\n',
      { path: 'ä "q"' },
    ],
    [
      'with a space',
      'diff --git a/a b b/a b\nindex 1..2 100644\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-a\n+b\n',
      { path: 'a b' },
    ],
    [
      'of two directions',
      'diff --git a/t b/t\nindex 1..2 100644\n--- a/t\n+++ b/t\n@@ -1 +1 @@\n-a\n+b\u202e\n',
      { facts: ['bidi'] },
    ],
  ];
  it.each(odd)('says what it is: %s', (_name, text, expected) => {
    expect(only(text)).toMatchObject(expected);
  });

  it('takes lines that look like heads for what they are', () => {
    const text = `${CHANGED}diff --git a/b b/b\nindex 1..2 100644\n--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n---- a/x\n+++++ b/x\n diff --git a/no b/no\n`;
    expect(files(text).map(({ path, lines }) => [path, lines.length])).toEqual([
      ['src/a.ts', 7],
      ['b', 3],
    ]);
  });

  it('is marked where the text ends within it', () => {
    expect(files(`${CHANGED}${CHANGED.slice(0, -30)}`, true).map(({ facts }) => facts)).toEqual([[], ['cut']]);
    expect(files('')).toEqual([]);
  });
});

it('reads 40,000 lines in parts, so that the first are there before the last', () => {
  const block = (n: number) =>
    `diff --git a/f${n} b/f${n}\nindex 1..2 100644\n--- a/f${n}\n+++ b/f${n}\n@@ -1,500 +1,500 @@\n${'-a\n+b\n'.repeat(500)}`;
  const parts = [...parseDiff(Array.from({ length: 40 }, (_, n) => block(n)).join(''))];
  expect(parts.length).toBeGreaterThan(10);
  expect(parts[0]?.files.length).toBeLessThan(5);
  expect(parts.flatMap((part) => part.files).reduce((sum, { lines }) => sum + lines.length, 0)).toBe(40_000);
  expect(parts.map(({ done }) => done).indexOf(true)).toBe(parts.length - 1);
});

describe('rows', () => {
  const shape = { isSplit: false, collapsed: new Set<string>(), talked: new Set<string>() };
  const sketch = (change: Partial<typeof shape>) =>
    rowsOf(files(CHANGED), { ...shape, ...change }).map((row) => {
      if (row.kind === 'pair') return `${row.left}|${row.right}`;
      if (row.kind === 'talk') return `talk ${row.key}`;
      return row.kind === 'line' ? `line ${row.at}` : row.kind;
    });

  it('are one for each line, or one for each pair of lines', () => {
    expect(sketch({})).toEqual(['file', 'hunk', ...[0, 1, 2, 3, 4, 5, 6].map((at) => `line ${at}`)]);
    expect(sketch({ isSplit: true })).toEqual(['file', 'hunk', '0|0', '-1|3', '1|4', '2|5', '6|6']);
  });

  it('of a collapsed file are its head alone', () => {
    expect(sketch({ collapsed: new Set(['src/a.ts']) })).toEqual(['file']);
  });

  it('have room below a line for what was said about it', () => {
    const [now, gone] = ['src/a.ts:3\n+const two = 22;', 'src/a.ts:2 (removed)\n-const two = 2;'];
    expect(quoteOfKey(now)).toEqual({ from: 'src/a.ts:3', text: '+const two = 22;' });
    // The same place with other words is another line.
    const talked = new Set([now, gone, 'src/a.ts:4\n+const three = 33;']);
    expect(sketch({ talked })).toEqual([
      ...['file', 'hunk', 'line 0', 'line 1', `talk ${gone}`, 'line 2', 'line 3', 'line 4', `talk ${now}`],
      ...['line 5', 'line 6'],
    ]);
    expect(placeOf({ path: 'x'.repeat(4_000) }, { old: 1, now: null }).length).toBeLessThan(256);
  });
});

it('pairs lines without crossing, and large blocks by their place', () => {
  expect(partnersOf(['let a = 1;', 'let b = 2;'], ['let b = 3;', 'let a = 1;', 'let b = 22;'])).toEqual([
    [0, 1],
    [1, 2],
  ]);
  expect(partnersOf(['x'], ['y'])).toEqual([]);
  expect(partnersOf(Array(50).fill('a'), Array(60).fill('b'))).toHaveLength(50);
});

it('keeps in the address whose changes and which file are shown', () => {
  const source = { itemId: 'w1', actionId: 'a1', runId: 'r1' };
  const href = hrefOf(source, { path: 'a #&?/ä.ts', view: 'after' });
  const { pathname, search } = new URL(href, 'http://page');
  expect(sourceOf('w1', pathname.split('/').slice(4))).toEqual(source);
  expect(oneFileOf(search)).toEqual({ path: 'a #&?/ä.ts', view: 'after' });
  expect(sourceOf('w1', [])).toEqual({ itemId: 'w1' });
});
