/**
 * `npm run build`: the program and the page, in `dist/`.
 *
 * Builds beside `dist/` and swaps at the end, so that a running command never finds half a program and
 * nothing of a deleted source file stays behind. Types are not checked here (`npm run check` does that), so
 * an install stays quick and leaves a program that runs.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildProgram } from './build-program.ts';

/** The page, and each of its files a second time in gzip, as `workcenter up` sends them. */
async function buildPage(outDir: string): Promise<void> {
  const { build: bundle } = await import('vite');
  const target = join(realpathSync(outDir), 'web');
  await bundle({ configFile: join('web', 'vite.config.ts'), logLevel: 'warn', build: { outDir: target } });
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    const path = join(target, name);
    if (/\.(js|css|html|svg)$/.test(name)) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

function swapIn(outDir: string): void {
  const previous = `${outDir}-previous`;
  if (existsSync('dist')) renameSync('dist', previous);
  renameSync(outDir, 'dist');
  rmSync(previous, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const outDir = `dist.next-${process.pid}`;
  try {
    if (!(await buildProgram(outDir))) return 1;
    await buildPage(outDir);
    swapIn(outDir);
    return 0;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

process.exitCode = await main();
