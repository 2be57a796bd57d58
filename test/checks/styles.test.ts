import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkStyles } from '../../scripts/rules/styles.ts';

const ROOT = new URL('../../', import.meta.url);

test('every class that the page names is in the style sheet that it is taken from', () => {
  const names = readdirSync(new URL('web/src/', ROOT), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith('.tsx')).map((name) => `web/src/${name}`);
  expect(paths.length).toBeGreaterThan(100);
  const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
  expect(paths.flatMap((path) => checkStyles(path, read))).toEqual([]);
});

test('a class that is not there is found, wherever it is named', () => {
  const files: Readonly<Record<string, string>> = {
    'web/src/a/b.tsx':
      "import css from '../c.module.css';\nimport { facts } from './facts.ts';\n" +
      'export const B = () => <p className={[css.there, facts.other].join()}>\n<b className={css.gone} /></p>;',
    'web/src/c.module.css': '.there:hover > .own { color: red }',
  };
  const problems = checkStyles('web/src/a/b.tsx', (path) => files[path] ?? '');
  expect(problems.map(({ line, message }) => [line, message])).toEqual([[4, 'web/src/c.module.css has no class gone']]);
});
