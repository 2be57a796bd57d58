/** `npm run layers`: the rules of this project that no general linter knows. One parse, every rule. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCorePurity } from './rules/core-purity.ts';
import { checkCycles } from './rules/cycles.ts';
import { importsOf } from './rules/imports.ts';
import { checkFolders, checkLayers } from './rules/layers.ts';
import { checkProcessAccess } from './rules/process-access.ts';
import { checkSize, coreCodeLines, sizeLimits } from './rules/size.ts';
import { type Problem, parseSource, type SourceFile } from './rules/source-file.ts';

function loadSources(): SourceFile[] {
  if (!existsSync('src')) return [];
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .sort()
    .map((path) => parseSource(path, readFileSync(path, 'utf8')));
}

/** The packages an installed copy has; development dependencies are not among them. */
function declaredPackages(): Set<string> {
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  const groups = ['dependencies', 'optionalDependencies', 'peerDependencies'];
  return new Set(groups.flatMap((group) => Object.keys(objectAt(manifest, group))));
}

function objectAt(value: unknown, key: string): object {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'object' && found !== null ? found : {};
}

function checkAll(files: readonly SourceFile[]): Problem[] {
  const edges = files.flatMap(importsOf);
  return [
    ...checkFolders(files.map((file) => file.path)),
    ...checkLayers(edges, declaredPackages()),
    ...checkCycles(edges),
    ...files.flatMap((file) => [...checkCorePurity(file), ...checkProcessAccess(file), ...checkSize(file)]),
  ];
}

/** Compiles the core without the types of Node: what the rules by name miss is then an unknown name. */
function coreCompilesAlone(): boolean {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.core.json'], { stdio: 'inherit' });
  return result.status === 0;
}

function main(): number {
  const files = loadSources();
  const problems = checkAll(files);
  for (const { path, line, message } of problems) console.error(`${path}:${line}  ${message}`);

  const coreLines = coreCodeLines(files);
  console.log(`src: ${files.length} files; src/core: ${coreLines} of ${sizeLimits.coreCodeLines} lines of code`);
  const coreTooLong = coreLines > sizeLimits.coreCodeLines;
  if (coreTooLong) console.error('src/core is longer than can be read in one sitting');

  const compiles = coreLines === 0 || coreCompilesAlone();
  return problems.length > 0 || coreTooLong || !compiles ? 1 : 0;
}

process.exitCode = main();
