import { importsOf } from './imports.ts';
import { type Problem, parseSource, type SourceFile } from './source-file.ts';

const HOOKS = new Set(['beforeAll', 'afterAll', 'beforeEach', 'afterEach']);

/**
 * What these tests import is loaded once for many of them: a hook that such a module registers as it is loaded would
 * be one of the first file only. `read` answers the text of a file of the repository.
 */
export function checkSharedModules(tests: readonly string[], read: (path: string) => string): Problem[] {
  const known = new Map<string, SourceFile>();
  const load = (path: string): void => {
    if (known.has(path)) return;
    const file = parseSource(path, read(path));
    known.set(path, file);
    for (const { target, typeOnly } of importsOf(file)) {
      if (!typeOnly && target?.startsWith('test/') && target.endsWith('.ts')) load(target);
    }
  };
  for (const test of tests) load(test);
  return [...known.values()].filter(({ path }) => !path.endsWith('.test.ts')).flatMap(hooksOf);
}

function hooksOf({ path, text, program }: SourceFile): Problem[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return [];
    const { callee } = statement.expression;
    if (callee.type !== 'Identifier' || !HOOKS.has(callee.name)) return [];
    const line = text.slice(0, statement.start).split('\n').length;
    return [{ path, line, message: `${callee.name} here would run for one of the tests that share it only` }];
  });
}
