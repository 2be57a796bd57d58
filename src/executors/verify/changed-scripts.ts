import picomatch from 'picomatch';
import type { Criterion } from '../../core/model/contract.ts';
import { type CheckSource, fromTop, globFromTop } from './check-source.ts';

/** Where the ecosystems keep tests. */
const TESTS = picomatch(
  [
    '**/{test,tests,__tests__,spec,specs,testdata,fixtures,__fixtures__,__snapshots__,e2e,cypress,features}/**',
    '**/*.{test,spec,tests,specs,e2e,cy}.*',
    '**/*[-_]{test,tests,spec}.*',
    '**/test_*.*',
    '**/*{Test,Tests,TestCase,Spec,IT}.{java,kt,kts,scala,groovy,cs,fs,vb,php,swift}',
    '**/conftest.py',
    '**/*.{snap,feature,bats,t}',
  ],
  { dot: true },
);

/** What decides what a test command really does. */
const RUNNERS = picomatch(
  [
    '**/{Makefile,makefile,GNUmakefile,justfile,Justfile,.justfile,Rakefile,CMakeLists.txt,Dockerfile,.envrc}',
    '**/*.mk',
    '**/{Taskfile,docker-compose,compose}.{yml,yaml}',
    '**/{tox.ini,pytest.ini,setup.cfg,setup.py,noxfile.py,pyproject.toml,.coveragerc}',
    '**/{jest,vitest,vite,playwright,cypress,karma,ava,wdio,nightwatch,jasmine}.{config,conf,workspace,setup}.*',
    '**/{karma.conf,jest.setup,vitest.setup,setupTests}.*',
    '**/{.mocharc*,.nycrc*,.rspec,.taprc,phpunit.xml*,.swcrc,babel.config.*,.babelrc*}',
    '**/{deno.json,deno.jsonc,bunfig.toml,.npmrc,.yarnrc.yml,nx.json,turbo.json,lerna.json,project.json}',
    '**/{build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts,gradle.properties,pom.xml,build.sbt,build.xml}',
    '**/{Cargo.toml,build.rs,.cargo/config,.cargo/config.toml,go.mod,mix.exs,Gemfile,Directory.Build.props,*.runsettings}',
    '**/{*.mak,*.make,config.mak*,*.cmake,configure,gradlew,gradlew.bat,mvnw,mvnw.cmd,.bundle/config,*.gemspec}',
    '**/{.pnpmfile.*,pnpm-workspace.yaml,.yarnrc,.yarn/**,.pnp.*,.mvn/**,gradle/wrapper/**,go.work,rust-toolchain*}',
  ],
  { dot: true },
);

/**
 * Installed or compiled code that was committed: programs and imports are found there before anybody looks at the
 * sources beside it. Then what a language loads by itself, and modules that stand before a test runner of their name.
 */
const SHADOWS = picomatch(
  [
    '**/{node_modules,.venv,venv,site-packages,.tox,.nox,__pycache__,__pypackages__,vendor/bin,.bin,.eggs}/**',
    '**/*.{pyc,pyo,pth}',
    '**/{sitecustomize,usercustomize}.py',
    '**/{sitecustomize,usercustomize,pytest,_pytest,unittest,doctest,nose,nose2,coverage,tox,pluggy,xdist}/**',
    '**/{pytest,_pytest,py,unittest,doctest,nose,nose2,coverage,tox,pluggy}.py',
  ],
  { dot: true },
);

/** Parts of package.json that decide how tests run. */
const PACKAGE_KEYS = ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'c8', 'nyc', 'tap', 'type', 'workspaces'];

export interface ChangedMatters {
  readonly tests: readonly string[];
  readonly scripts: readonly string[];
}

/** All differences between base and result that may decide about a check; looked at once for all checks. */
export async function changedMatters(source: CheckSource, changed: readonly string[]): Promise<ChangedMatters> {
  const scripts: string[] = [];
  for (const path of changed) {
    const isPackage = path === 'package.json' || path.endsWith('/package.json');
    const decides = SHADOWS(path) || (isPackage ? await packageDiffers(source, path) : RUNNERS(path));
    if (decides) scripts.push(path);
  }
  return { tests: changed.filter((path) => TESTS(path)), scripts };
}

/** Those of them that one criterion's protection did not put back, with the files that its command names. */
export function mattersOf(
  criterion: Criterion,
  all: ChangedMatters,
  changed: readonly string[],
  subdirectory: string,
): ChangedMatters {
  const { check } = criterion;
  const globs = (check?.protect ?? []).map((glob) => globFromTop(subdirectory, glob));
  const isProtected = globs.length === 0 ? () => false : picomatch(globs, { dot: true });
  const named = new Set(namedFiles(check?.run ?? '', fromTop(subdirectory, check?.cwd ?? '')));
  const scripts = new Set([...all.scripts, ...changed.filter((path) => named.has(path))]);
  return {
    tests: all.tests.filter((path) => !isProtected(path)),
    scripts: [...scripts].filter((path) => !isProtected(path)).sort(),
  };
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh', 'fish', '.', 'source', 'exec', 'env', 'time', 'sudo']);
const SCRIPT_PLACES = /(?:^|\/)(?:\.?ci|scripts?|tools?|hack|\.github)\//;
const SCRIPT_NAMES = /(?:check|verif|test|lint|valid|assert|smoke|bench|accept|e2e|(?:^|[-_.])(?:ci|run|spec))[^/]*$/i;

/**
 * Files that a command line runs, seen from the top: what a shell is given or is called by its path, and what looks
 * like a script for checking. A file that is only read, or a program of the project run by its interpreter, is
 * the work itself.
 */
function namedFiles(run: string, folder: string): string[] {
  const words = run.split(/[\s;&|<>()"'`=]+/).filter((word) => word !== '' && !word.startsWith('-'));
  const scripts = words.filter((word, index) => {
    const previous = words[index - 1]?.split('/').at(-1) ?? '';
    return SHELLS.has(previous) || word.startsWith('./') || SCRIPT_PLACES.test(word) || SCRIPT_NAMES.test(word);
  });
  return scripts.flatMap((word) => [tidy(word), tidy(`${folder}/${word}`)]);
}

function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

async function packageDiffers(source: CheckSource, path: string): Promise<boolean> {
  const [before, after] = await Promise.all([source.readText('base', path), source.readText('result', path)]);
  return PACKAGE_KEYS.some((key) => partOf(before, key) !== partOf(after, key));
}

function partOf(text: string | undefined, key: string): string {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    const value: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, key) : undefined;
    return JSON.stringify(value) ?? '';
  } catch {
    return text ?? '';
  }
}
