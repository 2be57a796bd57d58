/**
 * `npm run build`: compiles `src/` to `dist/`.
 *
 * Then the command line is put together into a few files: a command that is started for a moment would spend most of
 * it on finding a hundred. The library in `dist/` stays as the compiler wrote it.
 *
 * Builds beside `dist/` and swaps at the end, so that a running command never finds half a program and
 * nothing of a deleted source file stays behind. Types are not checked here (`npm run check` does that), so
 * an install stays quick and leaves a program that runs.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';

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

/**
 * Files that are read at run time are found from the place of the module that reads them. Every bundled file lies in
 * `cli/`, so the way from there is known now.
 */
const keepPlaces = (outDir: string): Plugin => ({
  name: 'keep-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8');
      if (!path.startsWith(outDir) || !contents.includes('import.meta.url')) return undefined;
      const way = relative(join(outDir, 'cli'), path).split(sep).join('/');
      const place = `new URL(${JSON.stringify(way)}, import.meta.url).href`;
      return { contents: contents.replaceAll('import.meta.url', place), loader: 'js' };
    });
  },
});

/** Replaces the program by few files; what a command does not need stays in a file that it does not load. */
async function bundleProgram(outDir: string): Promise<void> {
  if (!existsSync(join(outDir, binary))) return;
  const absolute = realpathSync(outDir);
  const bundled = join(absolute, 'bundled');
  await build({
    // Names in the output, and so its hashes, must not depend on where it is built.
    absWorkingDir: absolute,
    entryPoints: [join(absolute, binary)],
    outdir: bundled,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    chunkNames: 'part-[hash]',
    logLevel: 'warning',
    plugins: [keepPlaces(absolute)],
  });
  for (const name of readdirSync(bundled)) renameSync(join(bundled, name), join(absolute, 'cli', name));
  rmSync(bundled, { recursive: true });
}

/** SQL, prompts and other files that the program reads at run time, kept at the place of their source. */
function copyAssets(files: readonly string[], outDir: string): void {
  for (const file of files) {
    const target = join(outDir, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join('src', file), target);
  }
}

/** The page, and each of its files a second time in gzip, as `workcenter up` sends them. */
async function buildPage(outDir: string): Promise<void> {
  if (!existsSync(join('web', 'index.html'))) return;
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
    await bundleProgram(outDir);
    await buildPage(outDir);
    if (existsSync(join(outDir, binary))) chmodSync(join(outDir, binary), 0o755);
    swapIn(outDir);
    return 0;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

process.exitCode = await main();
