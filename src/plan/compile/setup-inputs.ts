/** What each installer reads to decide what to install. */
const INPUTS: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/\bnpm\b/, ['package.json', 'package-lock.json', 'npm-shrinkwrap.json']],
  [/\bpnpm\b/, ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']],
  [/\byarn\b/, ['package.json', 'yarn.lock', '.yarnrc.yml']],
  [/\bbun\b/, ['package.json', 'bun.lock', 'bun.lockb']],
  [/\bcargo\b/, ['Cargo.toml', 'Cargo.lock']],
  [/\bgo\b/, ['go.mod', 'go.sum']],
  [/\buv\b/, ['pyproject.toml', 'uv.lock']],
  [/\bpoetry\b/, ['pyproject.toml', 'poetry.lock']],
  [/\bpip3?\b/, ['pyproject.toml', 'requirements.txt']],
  [/\bmvnw?\b/, ['pom.xml']],
  [/\bgradlew?\b/, ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradle.lockfile']],
  [/\bbundle\b/, ['Gemfile', 'Gemfile.lock']],
  [/\bcomposer\b/, ['composer.json', 'composer.lock']],
];

/**
 * Files whose content decides whether the result of `run` may be used again: manifests and lock files of the
 * installers it names, and files that it names itself (`-r dev.txt`, `./install.sh`). `exists` leaves out those the project has not.
 */
export function setupInputs(run: string, exists: (path: string) => boolean): readonly string[] {
  const ofTools = INPUTS.filter(([program]) => program.test(run)).flatMap(([, files]) => files);
  const named = [...run.matchAll(/(?:-r|--requirement)[ =]+([\w./-]+)|(?:^|\s)\.\/([\w./-]+)/g)].flatMap(
    ([, listed, script]) => listed ?? script ?? [],
  );
  return [...new Set([...ofTools, ...named])].filter(exists);
}
