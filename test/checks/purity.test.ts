import { describe, expect, it } from 'vitest';
import { checkCorePurity } from '../../scripts/rules/core-purity.ts';
import { checkProcessAccess } from '../../scripts/rules/process-access.ts';
import { parseSource } from '../../scripts/rules/source-file.ts';

const impurities = (text: string, path = 'src/core/a.ts'): number => checkCorePurity(parseSource(path, text)).length;

const accesses = (text: string, path = 'src/engine/a.ts'): number => checkProcessAccess(parseSource(path, text)).length;

describe('the purity of the core', () => {
  it.each([
    'const now = Date.now();',
    'const at = new Date();',
    'const n = Math.random();',
    'console.log(1);',
    'process.exit(1);',
    'setTimeout(f, 1);',
    'type Later = Promise<string>;',
    'const f = async () => 1;',
    'class A { async f() { return 1; } }',
    'export const a = await b;',
    'void import("./b.ts");',
    'const order = a.localeCompare(b);',
    'const settings = { process };',
  ])('refuses %s', (text) => {
    expect(impurities(text)).toBeGreaterThan(0);
  });

  it.each([
    'const n = Math.max(1, 2);',
    'type Facts = { readonly process: string; Date: number };',
    'const x = facts.process;',
    'const x = { process: 1, console: 2 };',
    '// Date.now() belongs to the caller',
    "const word = 'Promise';",
  ])('accepts %s', (text) => {
    expect(impurities(text)).toBe(0);
  });

  it('leaves the other layers alone', () => {
    expect(impurities('const now = Date.now();', 'src/store/a.ts')).toBe(0);
  });
});

describe('the process belongs to the command line', () => {
  it.each([
    'const home = process.env.HOME;',
    "const home = process['env'];",
    'const home = globalThis.process.env;',
    'const { env } = process;',
    "import { env } from 'node:process';",
    'process.exit(1);',
    'process.exitCode = 1;',
    "process.on('SIGTERM', stop);",
    "process.once('uncaughtException', stop);",
    'process.on(signal, stop);',
  ])('refuses %s below it', (text) => {
    expect(accesses(text)).toBe(1);
  });

  it.each([
    'process.kill(pid, 0);',
    'const id = process.pid;',
    "process.on('message', read);",
    'child.on(name, stop);',
  ])('accepts %s anywhere', (text) => {
    expect(accesses(text)).toBe(0);
  });

  it('lets the command line do all of it', () => {
    expect(accesses('process.exit(Number(process.env.CODE));', 'src/cli/main.ts')).toBe(0);
  });
});
