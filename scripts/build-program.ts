/**
 * The program: `src/` compiled, and the command line put together into a few files. A command that is started for a
 * moment would spend most of it on finding a hundred. The library stays as the compiler wrote it.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { BUNDLE } from './bundle-options.ts';

const binary = join('cli', 'main.js');

function sourceFiles(): string[] {
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
  const absolute = realpathSync(outDir);
  const bundled = join(absolute, 'bundled');
  await build({
    // Names in the output, and so its hashes, must not depend on where it is built.
    absWorkingDir: absolute,
    entryPoints: [join(absolute, binary)],
    outdir: bundled,
    ...BUNDLE,
    sourcemap: true,
    chunkNames: 'part-[hash]',
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

const isCode = (file: string): boolean => /\.tsx?$/.test(file);

/** Fills `outDir`. Types are not checked here; false when the compiler could not read the source. */
export async function buildProgram(outDir: string): Promise<boolean> {
  if (!compile(outDir)) return false;
  copyAssets(
    sourceFiles().filter((file) => !isCode(file)),
    outDir,
  );
  await bundleProgram(outDir);
  chmodSync(join(outDir, binary), 0o755);
  return true;
}
