import { type DetectedCheck, type DetectedSetup, type Detection, type ProjectFiles, TESTS_PASS } from './project.ts';

interface Manager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  readonly install: string;
  readonly inputs: readonly string[];
}

const MANAGERS: readonly Manager[] = [
  { name: 'pnpm', install: 'pnpm install --frozen-lockfile', inputs: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'] },
  { name: 'yarn', install: 'yarn install --frozen-lockfile', inputs: ['yarn.lock', '.yarnrc.yml'] },
  { name: 'bun', install: 'bun install --frozen-lockfile', inputs: ['bun.lock', 'bun.lockb'] },
  { name: 'npm', install: 'npm ci', inputs: ['package-lock.json', 'npm-shrinkwrap.json'] },
];

/** Scripts worth proving, each by the first of its usual names. */
const SCRIPTS: readonly { readonly text: string; readonly names: readonly string[] }[] = [
  { text: TESTS_PASS, names: ['test'] },
  { text: 'The types check', names: ['typecheck', 'type-check', 'check-types', 'types', 'tsc'] },
  { text: 'The linter has nothing to say', names: ['lint'] },
  { text: 'It builds', names: ['build'] },
];

/** What `npm init` writes where there is no test. */
const isPlaceholder = (script: string): boolean => script.includes('no test specified');

function fieldOf(manifest: unknown, key: string): Readonly<Record<string, unknown>> {
  const value: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, key) : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A broken package.json is the project's own problem: it is treated as an empty one. */
function manifestOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function setupOf(manager: Manager | undefined, manifest: unknown, files: ProjectFiles): DetectedSetup | undefined {
  if (manager) {
    const modernYarn = manager.name === 'yarn' && files.has('.yarnrc.yml');
    return {
      run: modernYarn ? 'yarn install --immutable' : manager.install,
      inputs: ['package.json', ...manager.inputs.filter(files.has)],
    };
  }
  const wanted = ['dependencies', 'devDependencies'].flatMap((key) => Object.keys(fieldOf(manifest, key)));
  return wanted.length === 0 ? undefined : { run: 'npm install --no-audit --no-fund', inputs: ['package.json'] };
}

function checksOf(manager: string, manifest: unknown): readonly DetectedCheck[] {
  const scripts = fieldOf(manifest, 'scripts');
  return SCRIPTS.flatMap(({ text, names }) => {
    const name = names.find((candidate) => {
      const script = scripts[candidate];
      return typeof script === 'string' && !isPlaceholder(script);
    });
    if (name === undefined) return [];
    return [{ text, run: name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}` }];
  });
}

export function detectNode(files: ProjectFiles): Detection | undefined {
  if (!files.has('package.json')) return undefined;
  const manifest = manifestOf(files.read('package.json'));
  const manager = MANAGERS.find(({ inputs }) => inputs.some((path) => isLock(path) && files.has(path)));
  const setup = setupOf(manager, manifest, files);
  return { ecosystem: 'node', ...(setup ? { setup } : {}), checks: checksOf(manager?.name ?? 'npm', manifest) };
}

const isLock = (path: string): boolean => path !== 'pnpm-workspace.yaml' && path !== '.yarnrc.yml';
