import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSharedModules } from '../../scripts/rules/shared-modules.ts';

const ROOT = new URL('../../', import.meta.url);
const isShared = (name: string): boolean =>
  /\.test\.ts$/.test(name) && (/^api\//.test(name) || !/\.(e2e|store|model|crash|soak)\.test\.ts$/.test(name));

test('pure tests and those of the API share what they load: none of it registers hooks', () => {
  const names = readdirSync(new URL('test/', ROOT), { recursive: true, encoding: 'utf8' });
  const tests = names.filter(isShared).map((name) => `test/${name}`);
  expect(tests.length).toBeGreaterThan(100);
  expect(checkSharedModules(tests, (path) => readFileSync(new URL(path, ROOT), 'utf8'))).toEqual([]);
});

test('a hook is found behind a helper of a helper', () => {
  const files: Readonly<Record<string, string>> = {
    'test/a/a.test.ts': "import { b } from './b.ts';\nimport type { D } from './d.ts';\nafterEach(b);",
    'test/a/b.ts': "export { c as b } from '../c.ts';",
    'test/c.ts': 'export const c = 1;\nafterEach(() => {});',
    'test/a/d.ts': 'afterAll(() => {});',
  };
  const problems = checkSharedModules(['test/a/a.test.ts'], (path) => files[path] ?? '');
  expect(problems.map(({ path, line }) => [path, line])).toEqual([['test/c.ts', 2]]);
});
