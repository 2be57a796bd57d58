import { type Detection, type ProjectFiles, TESTS_PASS } from './project.ts';

/** Checks have a home of their own, so what was fetched has to lie in the project: `target` is ignored by habit. */
const CARGO = 'CARGO_HOME="$PWD/target/cargo-home" cargo';

export function detectCargo(files: ProjectFiles): Detection | undefined {
  if (!files.has('Cargo.toml')) return undefined;
  const locked = files.has('Cargo.lock');
  return {
    ecosystem: 'cargo',
    setup: {
      run: `${CARGO} fetch${locked ? ' --locked' : ''}`,
      inputs: ['Cargo.toml', ...(locked ? ['Cargo.lock'] : [])],
    },
    checks: [{ text: TESTS_PASS, run: `${CARGO} test --offline` }],
  };
}

export function detectGo(files: ProjectFiles): Detection | undefined {
  if (!files.has('go.mod')) return undefined;
  // Without dependencies, or with vendored ones, nothing is loaded.
  const loads = files.has('go.sum') && !files.has('vendor');
  const network = loads ? ({ network: 'all' } as const) : {};
  return {
    ecosystem: 'go',
    checks: [
      { text: TESTS_PASS, run: 'go test ./...', ...network },
      { text: 'go vet finds nothing', run: 'go vet ./...', ...network },
    ],
  };
}

export function detectMaven(files: ProjectFiles): Detection | undefined {
  if (!files.has('pom.xml')) return undefined;
  const maven = files.has('mvnw') ? './mvnw' : 'mvn';
  return { ecosystem: 'maven', checks: [{ text: TESTS_PASS, run: `${maven} --batch-mode test`, network: 'all' }] };
}

export function detectGradle(files: ProjectFiles): Detection | undefined {
  if (!files.has('build.gradle') && !files.has('build.gradle.kts')) return undefined;
  const gradle = files.has('gradlew') ? './gradlew' : 'gradle';
  return { ecosystem: 'gradle', checks: [{ text: TESTS_PASS, run: `${gradle} --no-daemon test`, network: 'all' }] };
}

export function detectDotnet(files: ProjectFiles): Detection | undefined {
  const marks = ['*.sln', '*.slnx', '*.csproj', '*.fsproj', 'global.json', 'Directory.Build.props'];
  if (!marks.some(files.has)) return undefined;
  return { ecosystem: 'dotnet', checks: [{ text: TESTS_PASS, run: 'dotnet test', network: 'all' }] };
}

export function detectMake(files: ProjectFiles): Detection | undefined {
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find(files.has);
  if (makefile === undefined || !/^test\s*:(?!=)/m.test(files.read(makefile))) return undefined;
  return { ecosystem: 'make', checks: [{ text: TESTS_PASS, run: 'make test' }] };
}
