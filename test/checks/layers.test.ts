import { describe, expect, it } from 'vitest';
import { checkCycles } from '../../scripts/rules/cycles.ts';
import { importsOf } from '../../scripts/rules/imports.ts';
import { checkFolders, checkLayers } from '../../scripts/rules/layers.ts';
import { parseSource } from '../../scripts/rules/source-file.ts';

const declared = new Set(['zod', '@scope/kept']);

function layerProblems(path: string, text: string): string[] {
  return checkLayers(importsOf(parseSource(path, text)), declared).map((problem) => problem.message);
}

function cycles(files: Record<string, string>): string[] {
  const edges = Object.entries(files).flatMap(([path, text]) => importsOf(parseSource(path, text)));
  return checkCycles(edges).map((problem) => problem.message);
}

describe('the layer rule', () => {
  it.each([
    ['an import', "import { x } from '../store/door.ts';"],
    ['a type-only import', "import type { X } from '../store/door.ts';"],
    ['a re-export', "export { x } from '../store/door.ts';"],
    ['a re-export of everything', "export * from '../store/door.ts';"],
    ['a dynamic import', "void import('../store/door.ts');"],
    ['an import type', "type X = import('../store/door.ts').X;"],
  ])('refuses %s from the core upwards', (_, text) => {
    expect(layerProblems('src/core/decide.ts', text)).toEqual([
      'src/core may import no other folder, but this is src/store',
    ]);
  });

  it('lets a layer import itself and what lies below it', () => {
    const text = "import { a } from './a.ts'; import { b } from '../../core/b.ts';";
    expect(layerProblems('src/store/sqlite/door.ts', text)).toEqual([]);
  });

  it('keeps the store and the workspace apart', () => {
    expect(layerProblems('src/workspace/hold.ts', "import { x } from '../store/x.ts';")).toHaveLength(1);
  });

  it('lets the command line import everything and nothing import the command line', () => {
    expect(layerProblems('src/cli/main.ts', "import { x } from '../engine/x.ts';")).toEqual([]);
    expect(layerProblems('src/engine/run.ts', "import { x } from '../cli/x.ts';")).toHaveLength(1);
    expect(layerProblems('src/index.ts', "export { x } from './cli/x.ts';")).toHaveLength(1);
  });

  it('refuses a path that leaves src', () => {
    expect(layerProblems('src/store/door.ts', "import { x } from '../../test/x.ts';")).toHaveLength(1);
  });

  it('refuses a builtin in the core even as a type, and a package unless it is a type', () => {
    expect(layerProblems('src/core/a.ts', "import type { Stats } from 'node:fs';")).toHaveLength(1);
    expect(layerProblems('src/core/a.ts', "import { z } from 'zod';")).toHaveLength(1);
    expect(layerProblems('src/core/a.ts', "import type { z } from 'zod';")).toEqual([]);
  });

  it('refuses a package that an installed copy would lack', () => {
    expect(layerProblems('src/store/a.ts', "import pg from 'pg';")).toHaveLength(1);
    expect(layerProblems('src/store/a.ts', "import { k } from '@scope/kept/sub'; import 'node:fs';")).toEqual([]);
  });

  it('asks for the place of a folder that is not in the table, once', () => {
    const paths = ['src/index.ts', 'src/core/a.ts', 'src/other/a.ts', 'src/other/b.ts'];
    expect(checkFolders(paths).map((problem) => problem.path)).toEqual(['src/other/a.ts']);
  });
});

describe('the rule against import cycles', () => {
  it('names the files of a cycle once', () => {
    const found = cycles({
      'src/core/a.ts': "import { b } from './b.ts';",
      'src/core/b.ts': "import type { C } from './c.ts';",
      'src/core/c.ts': "export * from './a.ts';",
    });
    expect(found).toEqual(['import cycle: src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts']);
  });

  it('accepts a file that is reached on two ways', () => {
    const found = cycles({
      'src/core/a.ts': "import { b } from './b.ts'; import { c } from './c.ts';",
      'src/core/b.ts': "import { d } from './d.ts';",
      'src/core/c.ts': "import { d } from './d.ts';",
    });
    expect(found).toEqual([]);
  });
});
