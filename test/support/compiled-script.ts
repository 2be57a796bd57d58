import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BUNDLE } from '../../scripts/bundle-options.ts';
import { builtOnce, newestIn, ROOT } from './built-once.ts';

/** Files that are read at run time are found from the place of the source. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(src|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};

/**
 * A script of the source or the tests as JavaScript in a few files. What starts it a hundred times would spend most of
 * the time on translating and finding hundreds of modules; what a process does not need stays in a file that it does not load.
 */
export async function compiledScript(script: URL): Promise<string> {
  const path = fileURLToPath(script);
  const name = join('workcenter-scripts', relative(ROOT, path));
  const folder = await builtOnce(name, await newestIn(['src', 'test']), (outdir) =>
    build({
      absWorkingDir: ROOT,
      entryPoints: [path],
      outdir,
      outExtension: { '.js': '.mjs' },
      ...BUNDLE,
      plugins: [keepPlaces],
    }),
  );
  return join(folder, basename(path).replace(/\.ts$/, '.mjs'));
}
