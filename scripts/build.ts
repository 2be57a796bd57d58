/**
 * `npm run build`: compiles `src/` to `dist/`.
 *
 * Builds beside `dist/` and swaps at the end, so that a running command never finds half a program and
 * nothing of a deleted source file stays behind. Types are not checked here (`npm run check` does that), so
 * an install stays quick and leaves a program that runs.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const binary = join('cli', 'main.js');

function sourceFiles(): string[] {
  if (!existsSync('src')) return [];
  return readdirSync('src', { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice('src/'.length));
}

function compile(outDir: string): boolean {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', outDir];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

/** SQL, prompts and other files that the program reads at run time, kept at the place of their source. */
function copyAssets(files: readonly string[], outDir: string): void {
  for (const file of files) {
    const target = join(outDir, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join('src', file), target);
  }
}

function swapIn(outDir: string): void {
  const previous = `${outDir}-previous`;
  if (existsSync('dist')) renameSync('dist', previous);
  renameSync(outDir, 'dist');
  rmSync(previous, { recursive: true, force: true });
}

function main(): number {
  const files = sourceFiles();
  const isCode = (file: string): boolean => /\.tsx?$/.test(file);
  if (!files.some(isCode)) {
    console.log('build: src holds no code yet');
    return 0;
  }
  const outDir = `dist.next-${process.pid}`;
  try {
    if (!compile(outDir)) return 1;
    copyAssets(
      files.filter((file) => !isCode(file)),
      outDir,
    );
    if (existsSync(join(outDir, binary))) chmodSync(join(outDir, binary), 0o755);
    swapIn(outDir);
    return 0;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

process.exitCode = main();
