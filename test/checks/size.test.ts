import { expect, it } from 'vitest';
import { checkSize, codeLines, coreCodeLines, sizeLimits } from '../../scripts/rules/size.ts';
import { parseSource } from '../../scripts/rules/source-file.ts';

const repeat = (line: string, count: number): string => `${line}\n`.repeat(count);

const messages = (text: string): string[] =>
  checkSize(parseSource('src/core/a.ts', text)).map((problem) => problem.message);

it('accepts a function of exactly the limit and names the one that is a line longer', () => {
  const inside = sizeLimits.functionLines - 2;
  expect(messages(`function f() {\n${repeat('g();', inside)}}\n`)).toEqual([]);
  expect(messages(`function f() {\n${repeat('g();', inside + 1)}}\n`)).toEqual([
    'f has 61 lines; the limit for a function is 60',
  ]);
});

it.each([
  ['an arrow function', 'const f = () => {', '};', 'f'],
  ['a method', 'class A {\nf() {', '}\n}', 'f'],
  ['a field of an object', 'const a = {\nf: function () {', '} };', 'f'],
  ['an argument', 'call(() => {', '});', 'this function'],
])('measures %s', (_, head, tail, name) => {
  const [message] = messages(`${head}\n${repeat('g();', 70)}${tail}\n`);
  expect(message).toBe(`${name} has 72 lines; the limit for a function is 60`);
});

it('accepts a file of exactly the limit and refuses the next line', () => {
  expect(messages(repeat('g();', sizeLimits.fileLines))).toEqual([]);
  expect(messages(repeat('g();', sizeLimits.fileLines + 1))).toHaveLength(1);
});

it('lets a generated file be as long as it comes', () => {
  const long = repeat('g();', sizeLimits.fileLines + 1);
  expect(messages(`/**\n * @generated\n */\n${long}`)).toEqual([]);
});

it('counts the lines of code without comments and blank lines', () => {
  const text = "/** doc\n * more\n */\n\nconst a = 1; // why\n// alone\nconst url = 'http://x';\n/* b */ f();\n";
  expect(codeLines(parseSource('src/core/a.ts', text))).toBe(3);
});

it('counts only the core towards the size of the core', () => {
  const files = ['src/core/a.ts', 'src/core/state/b.ts', 'src/store/c.ts'];
  expect(coreCodeLines(files.map((path) => parseSource(path, 'f();\n')))).toBe(2);
});
