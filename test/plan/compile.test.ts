import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { DEFAULT_LIMITS } from '../../src/core/model/item.ts';
import { contractProblems } from '../../src/core/rules/contract-rules.ts';
import { planProblems } from '../../src/core/rules/plan-rules.ts';
import { compilePlan, workspaceOf } from '../../src/plan/compile/compile.ts';
import { compiled, IN_GIT, PLAIN, parsed, problemsOf } from './support.ts';

const FULL = `
goal: |
  Make the totals right.
  To the cent.
instructions: Keep the interface.
setup: npm ci && pip install -r dev.txt
criteria:
  - Somebody has read it
  - id: sums
    text: The sums are right
    check:
      run: npm test
      cwd: web
      env: {CI: "1"}
      timeoutSec: 15m
      expectExit: 3
      expectOutput: ^ok$
      protect: test/**
      network: none
    minProof: machine-protected
delivery: merge
workspace: {dirty: snapshot}
budget: {wallClock: 2h, attempts: 2}
sandbox: {network: loopback, readable: [/opt/a]}
actions:
  - name: Review the Change!
    type: review
    workspace: read
    dependsOn: fix
    for: c1
    run: [gemini, -p, go]
    sandbox: {readable: ~/b}
  - id: fix
    brief: {objective: Fix it, approach: Carefully, expectedOutcome: Right sums}
    run: cd web && FOO=1 /usr/bin/claude -p "x"
    env: {A: b}
    timeoutSec: 2h
    silenceSec: 0
    maxAttempts: 1
    effects: external
`;

const small = (rest: string): string => `goal: g\ncriteria: [{text: t, check: c}]\n${rest}`;

describe('compiling a plan', () => {
  test('fills in every default and converts every unit', () => {
    expect(compiled(FULL)).toEqual({
      contract: {
        title: 'Make the totals right.',
        goal: 'Make the totals right.\nTo the cent.',
        instructions: 'Keep the interface.',
        setup: {
          run: 'npm ci && pip install -r dev.txt',
          inputs: [
            'package.json',
            'package-lock.json',
            'npm-shrinkwrap.json',
            'pyproject.toml',
            'requirements.txt',
            'dev.txt',
          ],
          network: 'all',
          timeoutSec: 1800,
        },
        criteria: [
          { id: 'c1', version: 1, text: 'Somebody has read it', minProof: 'self' },
          {
            id: 'sums',
            version: 1,
            text: 'The sums are right',
            check: {
              run: 'npm test',
              cwd: 'web',
              env: { CI: '1' },
              timeoutSec: 900,
              expectExit: 3,
              expectOutput: '^ok$',
              protect: ['test/**'],
              network: 'none',
            },
            minProof: 'machine-protected',
          },
        ],
        delivery: { target: 'merge', branch: 'trunk' },
        directory: '/project',
        workspace: 'isolated',
      },
      plan: { kind: 'graph', planner: 'file' },
      limits: { ...DEFAULT_LIMITS, wallClockSec: 7200, attempts: 2 },
      actions: [
        {
          id: 'review-the-change',
          spec: {
            type: 'review',
            name: 'Review the Change!',
            brief: { objective: 'Review the Change!' },
            for: ['c1'],
            dependsOn: ['fix'],
            workspace: 'read',
            executor: { kind: 'command', run: ['gemini', '-p', 'go'], identity: 'gemini' },
            effects: 'none',
            env: {},
            timeoutSec: 3600,
            silenceSec: 600,
            maxAttempts: 2,
            sandbox: { network: 'loopback', readable: ['/home/ada/b'], writable: [] },
          },
        },
        {
          id: 'fix',
          spec: {
            type: 'task',
            name: 'fix',
            brief: { objective: 'Fix it', approach: 'Carefully', expectedOutcome: 'Right sums' },
            for: [],
            dependsOn: [],
            workspace: 'isolated-write',
            executor: { kind: 'command', run: 'cd web && FOO=1 /usr/bin/claude -p "x"', identity: 'claude' },
            effects: 'external',
            env: { A: 'b' },
            timeoutSec: 7200,
            silenceSec: 0,
            maxAttempts: 1,
            sandbox: { network: 'loopback', readable: ['/opt/a'], writable: [] },
          },
        },
      ],
    });
  });

  test('gives a check its own default proof, network and time', () => {
    const [criterion] = compiled(small('actions: [{run: x}]')).contract.criteria;
    expect(criterion).toEqual({
      id: 'c1',
      version: 1,
      text: 't',
      check: { run: 'c', timeoutSec: 600, expectExit: 0, protect: [], network: 'loopback' },
      minProof: 'machine',
    });
  });

  test('leaves out inputs of the set-up that the project has not', () => {
    const plan = small('setup: npm ci\nactions: [{run: x}]');
    const exists = (path: string): boolean => path === 'package-lock.json';
    expect(compiled(plan, { ...IN_GIT, exists }).contract.setup?.inputs).toEqual(['package-lock.json']);
  });

  test('makes a chain of a linear plan, except where an Action says what it depends on (D1)', () => {
    const { plan, actions } = compiled(
      small(
        'order: linear\nactions: [{run: a}, {run: b}, {run: c, dependsOn: []}, {run: d, dependsOn: [a1, a2]}, {run: e}]',
      ),
    );
    expect(plan).toEqual({ kind: 'linear', template: 'file' });
    expect(actions.map(({ id, spec }) => [id, spec.dependsOn])).toEqual([
      ['a1', []],
      ['a2', ['a1']],
      ['a3', []],
      ['a4', ['a1', 'a2']],
      ['a5', ['a4']],
    ]);
  });

  test('takes a missing dependsOn of a graph as none (D3)', () => {
    const { actions } = compiled(small('actions: [{run: a}, {run: b}]'));
    expect(actions.map(({ spec }) => spec.dependsOn)).toEqual([[], []]);
  });

  test('makes ids that collide with no other', () => {
    const { actions } = compiled(
      small('actions: [{name: Fix, run: a}, {name: fix, run: b}, {id: fix-2, run: c}, {name: 修正, run: d}]'),
    );
    expect(actions.map(({ id }) => id)).toEqual(['fix', 'fix-3', 'fix-2', 'a4']);
  });

  test('takes the only Action to be for every criterion with a check, and never for one without (D22)', () => {
    const one = (rest: string) =>
      compiled(
        `goal: g\ncriteria:\n  - {text: a, check: 'true'}\n  - {text: b, check: 'false'}\nactions:\n  - {run: x${rest}}\n`,
      );
    expect(one('').actions[0]?.spec.for).toEqual(['c1', 'c2']);
    expect(one(', for: c2').actions[0]?.spec.for).toEqual(['c2']);
    expect(one('}\n  - {run: y').actions.map(({ spec }) => spec.for)).toEqual([[], []]);
    const [problem] = problemsOf('goal: g\ncriteria: [a]\nactions:\n  - {run: x}\n');
    expect(problem?.expected).toContain('a check');
  });

  test('lets Actions share the directory where there is no repository (D29)', () => {
    const text = small('actions: [{run: a}, {run: b, workspace: isolated-write}, {run: c, workspace: read}]');
    const { contract, actions } = compiled(text, PLAIN);
    expect(contract.workspace).toBe('in-place');
    expect(actions.map(({ spec }) => spec.workspace)).toEqual(['shared', 'shared', 'read']);
  });

  test('refuses isolation without a repository, at the place that asks for it', () => {
    expect(problemsOf(small('workspace: isolated\nactions: [{run: a}]'), PLAIN)).toMatchObject([
      { line: 3, column: 12, path: 'workspace' },
    ]);
  });

  test('refuses a merge when no branch is known', () => {
    const { defaultBranch: _branch, ...detached } = IN_GIT;
    expect(problemsOf(small('delivery: merge\nactions: [{run: a}]'), detached)).toMatchObject([
      { line: 3, column: 11, path: 'delivery.branch' },
    ]);
  });

  test('lets a person overrule the policy for a dirty directory (D30)', () => {
    const text = small('workspace: {policy: isolated, dirty: in-place}\nactions: [{run: a}]');
    expect(workspaceOf(parsed(text), 'isolated')).toEqual({ policy: 'isolated', dirty: 'in-place' });
    expect(compiled(text, { ...IN_GIT, workspaceChosen: 'in-place' }).contract.workspace).toBe('in-place');
  });

  test('refuses ~/ where no home is known', () => {
    const text = small('sandbox: {writable: [/a, ~/b]}\nactions: [{run: a}]');
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text, PLAIN)).toMatchObject([{ line: 3, column: 26, path: 'sandbox.writable[1]' }]);
  });

  test('never lowers what an Action asks for (D3)', () => {
    const { limits, actions } = compiled(small('actions: [{run: a, maxAttempts: 5}, {run: b}]'));
    expect([limits.attempts, ...actions.map(({ spec }) => spec.maxAttempts)]).toEqual([5, 5, 3]);
  });

  test.each([
    ['claude -p x', 'claude'],
    ['set -eu\ncd web\n./bin/agent --go', 'agent'],
    ['env A=1 npx eslint .', 'eslint'],
    ['"/opt/my tool" x', 'my'],
    ['# note\nexport A=1; codex exec', 'codex'],
    ['A=1', 'command'],
  ])('names the program of %j', (run, identity) => {
    const { actions } = compiled(small(`actions: [{run: ${JSON.stringify(run)}}]`));
    expect(actions[0]?.spec.executor).toMatchObject({ identity });
  });
});

describe('compiling an Action of a VP', () => {
  const KNOWN = new Map([
    ['reviewer', 'agent'],
    ['writer', 'agent'],
    ['old-hand', 'command'],
  ] as const);
  const specOf = (text: string) => compiled(small(text)).actions[0]?.spec;

  test('makes the built-in agent of it, with defaults of its own (D4)', () => {
    const entry =
      '{id: look, type: review, vp: reviewer, model: fast, brief: Look at it, workspace: read, maxAttempts: 2}';
    expect(specOf(`actions: [${entry}]`)).toEqual({
      type: 'review',
      name: 'look',
      brief: { objective: 'Look at it' },
      for: ['c1'],
      dependsOn: [],
      workspace: 'read',
      executor: { kind: 'agent', vp: 'reviewer', assigned: 'fixed by the plan file', model: 'fast' },
      effects: 'none',
      env: {},
      timeoutSec: 3600,
      silenceSec: 600,
      maxAttempts: 2,
      sandbox: { network: 'loopback', readable: [], writable: [] },
    });
  });

  test('leaves the model to the VP where the plan names none, and takes the network that the plan gives to all', () => {
    const spec = specOf('sandbox: {network: none}\nactions: [{vp: writer, brief: b}]');
    expect(spec?.executor).toEqual({ kind: 'agent', vp: 'writer', assigned: 'fixed by the plan file' });
    expect(spec?.sandbox.network).toBe('none');
    expect(spec?.workspace).toBe('isolated-write');
  });

  test.each([
    ['reviewr', 'one of reviewer, writer', 'Did you mean reviewer?'],
    ['nobody', 'one of reviewer, writer', undefined],
    ['old-hand', 'its command as run, for the VP old-hand is one', undefined],
  ])('refuses %s where it is known who there is', (id, expected, hint) => {
    const text = small(`actions: [{vp: ${id}, brief: b}]`);
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text, { ...IN_GIT, vps: KNOWN })).toMatchObject([
      { line: 3, column: 16, path: 'actions[0].vp', expected, found: id },
    ]);
    expect(problemsOf(text, { ...IN_GIT, vps: KNOWN })[0]?.hint).toBe(hint);
  });
});

describe('the limits of a plan', () => {
  const VP = 'actions: [{vp: writer, brief: b}]';
  const SETTINGS = { requests: 50, tokens: 9_000, runRequests: 20, costMicros: 7_000_000, allowUnmetered: false };
  const limitsOf = (text: string) => compiled(small(text), { ...IN_GIT, modelLimits: SETTINGS }).limits;

  test('are what its budget says, money in dollars (D26)', () => {
    const budget = 'budget: {requests: 10, tokens: 200000, runRequests: 5, usd: 1.25, wallClock: 1m}';
    expect(limitsOf(`${budget}\n${VP}`)).toMatchObject({
      requests: 10,
      tokens: 200_000,
      runRequests: 5,
      costMicros: 1_250_000,
      wallClockSec: 60,
    });
  });

  test('are those of the settings where it is silent and a VP works for it', () => {
    expect(limitsOf(VP)).toMatchObject(SETTINGS);
    expect(limitsOf('actions: [{run: x}]')).toEqual(DEFAULT_LIMITS);
  });

  test('let agents work under a limit of money, and commands only by an explicit word (D27)', () => {
    const both = 'actions: [{vp: writer, brief: b}, {run: x}]';
    expect(limitsOf(`budget: {usd: 5}\n${VP}`).allowUnmetered).toBe(false);
    expect(limitsOf(`budget: {usd: 5, allowUnmetered: true}\n${both}`)).toMatchObject({ allowUnmetered: true });
    expect(problemsOf(small(both), { ...IN_GIT, modelLimits: SETTINGS })).toMatchObject([
      { path: 'budget.allowUnmetered', expected: expect.stringContaining('the settings limit money') },
    ]);
  });
});

const word = fc.stringMatching(/^[a-z][a-z0-9 :#'"{}é-]{0,30}[a-z]$/);
const seconds = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max }),
    fc.integer({ min: 1, max: Math.floor(max / 60) }).map((minutes) => `${minutes}m`),
  );
const optional = { requiredKeys: ['run'] } as { requiredKeys: ['run'] };

const checkArb = fc.oneof(
  word,
  fc.record(
    {
      run: word,
      timeoutSec: seconds(3600),
      expectExit: fc.integer({ min: 0, max: 255 }),
      protect: fc.array(fc.constantFrom('test/**', 'a.txt'), { maxLength: 3 }),
      network: fc.constantFrom('none' as const, 'loopback' as const, 'all' as const),
    },
    optional,
  ),
);

/** Plans that obey every rule: dependencies point to Actions of a lower rank, and the list is then shuffled. */
const planArb = fc
  .record({
    goal: word,
    order: fc.constantFrom('graph' as const, undefined),
    criteria: fc.array(fc.record({ text: word, check: checkArb }), { minLength: 1, maxLength: 24 }),
    delivery: fc.constantFrom('response' as const, 'workspace_files' as const, 'merge' as const),
    actions: fc
      .array(
        fc.record(
          {
            run: fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 4 })),
            name: word,
            brief: word,
            timeoutSec: seconds(86_400),
            maxAttempts: fc.integer({ min: 1, max: 5 }),
            workspace: fc.constantFrom('read' as const, 'shared' as const, 'isolated-write' as const),
          },
          optional,
        ),
        { minLength: 1, maxLength: 12 },
      )
      .chain((list) =>
        fc
          .tuple(
            ...list.map((entry, rank) =>
              fc
                .uniqueArray(fc.integer({ min: 0, max: Math.max(0, rank - 1) }), { maxLength: rank === 0 ? 0 : 3 })
                .map((ranks) => ({ ...entry, id: `n${rank}`, dependsOn: ranks.map((other) => `n${other}`) })),
            ),
          )
          .chain((ranked) => fc.shuffledSubarray(ranked, { minLength: ranked.length })),
      ),
  })
  .map(({ order, ...plan }) => ({ ...plan, ...(order ? { order } : {}) }));

describe('any valid plan', () => {
  test('passes through YAML and compiles to what the core accepts, in any topological order (D3)', () => {
    fc.assert(
      fc.property(planArb, (plan) => {
        const { contract, actions } = compiled(stringify(plan));
        expect(contractProblems(contract)).toEqual([]);
        expect(planProblems(contract, actions)).toEqual([]);
        expect(contract.goal).toBe(plan.goal);
        expect(contract.criteria.map(({ text }) => text)).toEqual(plan.criteria.map(({ text }) => text));
        expect(actions.map(({ id, spec }) => [id, spec.dependsOn, spec.executor])).toEqual(
          plan.actions.map(({ id, dependsOn, run }) => [id, dependsOn, expect.objectContaining({ run })]),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('compiles to the same thing twice', () => {
    fc.assert(
      fc.property(planArb, (plan) => {
        const file = parsed(stringify(plan));
        expect(compilePlan(file, IN_GIT)).toEqual(compilePlan(file, IN_GIT));
        expect(compiled(JSON.stringify(plan))).toEqual(compiled(stringify(plan)));
      }),
      { numRuns: 20 },
    );
  });
});
