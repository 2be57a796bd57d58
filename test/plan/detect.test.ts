import { describe, expect, test } from 'vitest';
import { type DetectedProject, detectProject } from '../../src/plan/detect/detect-project.ts';
import { planTemplate } from '../../src/plan/detect/plan-template.ts';
import { compiled, PLAIN, problemsOf } from './support.ts';

function detect(files: Readonly<Record<string, string>>, programs: readonly string[] = []): DetectedProject {
  const paths = Object.keys(files);
  return detectProject({
    directory: '/p',
    exists: (path) => paths.some((known) => path === `/p/${known}` || `/p/${known}`.startsWith(`${path}/`)),
    readText: (path) => files[path.replace('/p/', '')],
    which: (program) => (programs.includes(program) ? `/bin/${program}` : undefined),
    list: () => paths.map((path) => path.split('/')[0] ?? path),
  });
}

const manifest = (scripts: object, more: object = {}): string => JSON.stringify({ scripts, ...more });
const TEST = { test: 'vitest run' };

type Found = readonly [
  ecosystem: string,
  setup: string | undefined,
  inputs: readonly string[],
  checks: readonly string[],
];

const projects: readonly (readonly [name: string, files: Record<string, string>, found: Found])[] = [
  [
    'npm',
    { 'package.json': manifest({ ...TEST, lint: 'x', types: 'tsc', build: 'b' }), 'package-lock.json': '{}' },
    [
      'node',
      'npm ci',
      ['package.json', 'package-lock.json'],
      ['npm test', 'npm run types', 'npm run lint', 'npm run build'],
    ],
  ],
  [
    'pnpm',
    { 'package.json': manifest(TEST), 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '' },
    [
      'node',
      'pnpm install --frozen-lockfile',
      ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
      ['pnpm test'],
    ],
  ],
  [
    'yarn 1',
    { 'package.json': manifest(TEST), 'yarn.lock': '' },
    ['node', 'yarn install --frozen-lockfile', ['package.json', 'yarn.lock'], ['yarn test']],
  ],
  [
    'yarn berry',
    { 'package.json': manifest(TEST), 'yarn.lock': '', '.yarnrc.yml': '' },
    ['node', 'yarn install --immutable', ['package.json', 'yarn.lock', '.yarnrc.yml'], ['yarn test']],
  ],
  [
    'bun',
    { 'package.json': manifest(TEST), 'bun.lock': '' },
    ['node', 'bun install --frozen-lockfile', ['package.json', 'bun.lock'], ['bun run test']],
  ],
  [
    'a package without a lock file',
    { 'package.json': manifest(TEST, { devDependencies: { vitest: '1' } }) },
    ['node', 'npm install --no-audit --no-fund', ['package.json'], ['npm test']],
  ],
  [
    'a package that needs nothing and tests nothing',
    { 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) },
    ['node', undefined, [], []],
  ],
  ['a broken package.json', { 'package.json': '{' }, ['node', undefined, [], []]],
  [
    'cargo',
    { 'Cargo.toml': '', 'Cargo.lock': '' },
    [
      'cargo',
      'CARGO_HOME="$PWD/target/cargo-home" cargo fetch --locked',
      ['Cargo.toml', 'Cargo.lock'],
      ['CARGO_HOME="$PWD/target/cargo-home" cargo test --offline'],
    ],
  ],
  ['go', { 'go.mod': '', 'go.sum': '' }, ['go', undefined, [], ['go test ./...', 'go vet ./...']]],
  [
    'uv',
    { 'pyproject.toml': '[tool.pytest.ini_options]', 'uv.lock': '', 'src/x.py': '' },
    ['python', 'uv sync --frozen', ['pyproject.toml', 'uv.lock'], ['PYTHONPATH=src .venv/bin/python -m pytest']],
  ],
  [
    'pip with requirements',
    { 'requirements.txt': 'flask', 'tests/test_a.py': '' },
    [
      'python',
      "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt && printf '*\\n' > .venv/.gitignore",
      ['requirements.txt'],
      ['.venv/bin/python -m unittest discover'],
    ],
  ],
  ['maven', { 'pom.xml': '', mvnw: '' }, ['maven', undefined, [], ['./mvnw --batch-mode test']]],
  ['gradle', { 'build.gradle.kts': '' }, ['gradle', undefined, [], ['gradle --no-daemon test']]],
  ['dotnet', { 'Shop.sln': '' }, ['dotnet', undefined, [], ['dotnet test']]],
  ['make', { Makefile: 'all:\n\ntest: all\n\t./t\n' }, ['make', undefined, [], ['make test']]],
  ['a Makefile without tests', { Makefile: 'test := 1\nall:\n' }, ['unknown', undefined, [], []]],
  ['nothing', { 'notes.txt': '' }, ['unknown', undefined, [], []]],
];

describe('detection', () => {
  test.each(projects)('finds what %s needs and how it is checked', (_name, files, found) => {
    const { ecosystem, setup, checks } = detect(files);
    expect([ecosystem, setup?.run, setup?.inputs ?? [], checks.map(({ run }) => run)]).toEqual(found);
  });

  test('joins what several ecosystems need', () => {
    const found = detect({
      'package.json': manifest(TEST),
      'package-lock.json': '',
      'go.mod': '',
      Makefile: 'test:\n',
    });
    expect(found.setup).toEqual({ run: 'npm ci', inputs: ['package.json', 'package-lock.json'] });
    expect(found.checks.map(({ run }) => run)).toEqual(['npm test', 'go test ./...', 'go vet ./...']);
  });

  test('lists the agents on the PATH with the arguments that come before the prompt', () => {
    expect(detect({}, ['goose', 'claude', 'vim', 'codex']).agents).toMatchObject([
      { name: 'claude', command: ['claude', '-p'] },
      { name: 'codex', command: ['codex', 'exec'] },
      { name: 'goose', command: ['goose', 'run', '--text'] },
    ]);
  });
});

describe('the template', () => {
  test.each(projects)('for %s compiles as it is, with and without an agent', (_name, files) => {
    for (const programs of [[], ['claude'], ['aider', 'qwen']]) {
      const found = detect(files, programs);
      const text = planTemplate(found);
      expect(problemsOf(text)).toEqual([]);
      expect(problemsOf(text, { ...PLAIN, userHome: '/home/ada' })).toEqual([]);
      const { contract } = compiled(text);
      expect(contract.setup?.run).toBe(found.setup?.run);
      expect(contract.setup?.inputs ?? []).toEqual(found.setup?.inputs ?? []);
      expect(contract.criteria.flatMap(({ check }) => check?.run ?? [])).toEqual(found.checks.map(({ run }) => run));
    }
  });

  test('hands the brief to the first agent that was found', () => {
    const { actions } = compiled(planTemplate(detect({}, ['codex', 'goose'])));
    expect(actions[0]?.spec.executor).toEqual({
      kind: 'command',
      run: 'codex exec "$(cat "$WORKCENTER_BRIEF")"',
      identity: 'codex',
    });
  });

  test('opens the login of the agent that it proposes, beneath the home directory of whoever runs it', () => {
    const { actions } = compiled(planTemplate(detect({}, ['claude'])));
    expect(actions[0]?.spec.sandbox.writable).toEqual(['/home/ada/.claude', '/home/ada/.claude.json']);
  });

  test('fails for good and says why when no agent was found', () => {
    const { executor } = compiled(planTemplate(detect({}))).actions[0]?.spec ?? {};
    const run = executor?.kind === 'command' ? String(executor.run) : '';
    expect(run).toMatch(/edit its run: in the plan.*>&2\nexit 78/);
  });

  test('gives tools that load while they test the network they need', () => {
    const { contract } = compiled(planTemplate(detect({ 'pom.xml': '' })));
    expect(contract.criteria[0]?.check?.network).toBe('all');
  });

  test.each(['Fix #12: "quotes", and: colons', 'two\nlines', '- dash', "it's", '  ', '&anchor *star', 'x'.repeat(300)])(
    'keeps the goal %j as it was given',
    (goal) => {
      const { contract } = compiled(planTemplate(detect({}), { goal }));
      expect(contract.goal).toBe(goal.trim() || 'Say here, in a sentence or two, what is to be achieved.');
    },
  );
});
