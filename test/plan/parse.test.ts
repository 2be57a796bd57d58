import { describe, expect, test } from 'vitest';
import { PLAN_MAX_BYTES, parsePlan } from '../../src/plan/read/parse.ts';
import { compiled, parsed, placesOf, problemsOf } from './support.ts';

const SMALL = 'goal: Fix it\ncriteria:\n  - text: Tests pass\n    check: npm test\nactions:\n  - run: fix\n';

/** A good plan with one line exchanged, so that each case shows only what is wrong. */
const withLine = (line: number, text: string): string =>
  SMALL.split('\n')
    .map((old, index) => (index === line - 1 ? text : old))
    .join('\n');

const bad: readonly (readonly [name: string, text: string, places: readonly string[]])[] = [
  ['a goal that is a number', withLine(1, 'goal: 5'), ['1:7 goal']],
  ['a goal without a value', withLine(1, 'goal:'), ['1:6 goal']],
  ['a goal of white space', withLine(1, 'goal: "  "'), ['1:7 goal']],
  ['no goal at all', withLine(1, ''), ['2:1 goal']],
  ['an unknown key at the top', `${SMALL}colour: red\n`, ['7:1 colour']],
  ['an unknown key in an Action', `${SMALL}    command: x\n`, ['7:5 actions[0].command']],
  ['an Action without run', withLine(6, '  - name: Fix'), ['6:5 actions[0].run']],
  ['a VP beside a command', `${SMALL}    vp: reviewer\n`, ['7:9 actions[0].vp']],
  [
    'a VP beside a command that waits for nobody',
    `${SMALL}    vp: reviewer\n    dependsOn: b\n`,
    ['7:9 actions[0].vp', '8:16 actions[0].dependsOn'],
  ],
  ['a VP that is told nothing', withLine(6, '  - vp: reviewer'), ['6:5 actions[0].brief']],
  ['a VP with a name of another kind', withLine(6, '  - {vp: The Reviewer, brief: x}'), ['6:10 actions[0].vp']],
  ['a model of a command', `${SMALL}    model: fast\n`, ['7:12 actions[0].model']],
  ['a model that is none', withLine(6, '  - {vp: reviewer, brief: x, model: best}'), ['6:37 actions[0].model']],
  [
    'a VP with what only commands have',
    withLine(6, '  - {vp: tester, brief: x, identity: y, silenceSec: 0, effects: external}'),
    ['6:38 actions[0].identity', '6:53 actions[0].silenceSec', '6:65 actions[0].effects'],
  ],
  [
    'a VP by an unknown key, and nothing else',
    withLine(6, '  - {agent: x, brief: y}'),
    ['6:5 actions[0].run', '6:6 actions[0].agent'],
  ],
  ['an Action that is a text', withLine(6, '  - fix'), ['6:5 actions[0]']],
  ['an empty argument list', withLine(6, '  - run: []'), ['6:10 actions[0].run']],
  ['an argument that is a number', withLine(6, '  - run: [sleep, 5]'), ['6:18 actions[0].run[1]']],
  ['criteria that are one text', 'goal: x\ncriteria: y\nactions: [{run: z}]', ['2:11 criteria']],
  ['no criteria', 'goal: x\ncriteria: []\nactions: [{run: z}]', ['2:11 criteria']],
  [
    'a check with two faults',
    withLine(4, '    check: {run: "", expectExit: 256}'),
    ['4:18 criteria[0].check.run', '4:34 criteria[0].check.expectExit'],
  ],
  [
    'a time-out below its range',
    withLine(4, '    check: {run: t, timeoutSec: -5}'),
    ['4:33 criteria[0].check.timeoutSec'],
  ],
  [
    'a time-out above its range',
    withLine(4, '    check: {run: t, timeoutSec: 61m}'),
    ['4:33 criteria[0].check.timeoutSec'],
  ],
  ['a duration that is none', `${SMALL}    timeoutSec: soon\n`, ['7:17 actions[0].timeoutSec']],
  ['a fraction of an attempt', `${SMALL}    maxAttempts: 1.5\n`, ['7:18 actions[0].maxAttempts']],
  ['an unknown delivery', `${SMALL}delivery: by_email\n`, ['7:11 delivery']],
  ['an unknown policy in a mapping', `${SMALL}workspace:\n  policy: isolate\n`, ['8:11 workspace.policy']],
  ['a variable that is a number', `${SMALL}    env: {PORT: 80}\n`, ['7:17 actions[0].env.PORT']],
  ['a variable with a bad name', `${SMALL}    env: {A-B: x}\n`, ['7:11 actions[0].env.A-B']],
  ['a variable of the engine', `${SMALL}    env: {WORKCENTER_RUN: x}\n`, ['7:11 actions[0].env.WORKCENTER_RUN']],
  ['a key twice', `${SMALL}goal: Again\n`, ['7:1 goal']],
  ['a tab before a key', withLine(4, '\tcheck: npm test'), ['4:1']],
  ['an open bracket and an open quote', 'goal: [x\ncriteria: "y\n', ['2:1', '3:1']],
  ['two documents', `${SMALL}---\ngoal: x\n`, ['7:1']],
  ['a tag of its own', withLine(1, 'goal: !mine x'), ['1:7']],
  ['a key that is a list', `${SMALL}? [a]\n: b\n`, ['7:3']],
  ['an alias without an anchor', withLine(6, '  - run: *fix'), ['6:10 actions[0].run']],
  ['an alias within itself', withLine(6, '  - &a {run: fix, env: *a}'), ['6:24 actions[0].env']],
  [
    'a merge key',
    `x: &x {run: fix}\n${withLine(6, '  - <<: *x')}`,
    ['1:1 x', '7:5 actions[0].<<', '7:5 actions[0].run'],
  ],
  ['a list instead of a mapping', '- goal\n', ['1:1']],
  ['one word', 'fix\n', ['1:1']],
  // Rules of the core, found when the shape is right.
  ['a dependency that does not exist', `${SMALL}    dependsOn: [b]\n`, ['7:17 actions[0].dependsOn[0]']],
  ['a dependency in short form', `${SMALL}    dependsOn: b\n`, ['7:16 actions[0].dependsOn']],
  ['a criterion that does not exist', `${SMALL}    for: [c1, c7]\n`, ['7:15 actions[0].for[1]']],
  ['an id twice', `${SMALL}    id: a\n  - run: x\n    id: a\n`, ['9:9 actions[1].id']],
  ['an id of the engine', `${SMALL}    id: verify-1\n`, ['7:9 actions[0].id']],
  ['a cycle', `${SMALL}    id: a\n    dependsOn: a\n`, ['8:16 actions[0].dependsOn']],
  ['a path out of the project', withLine(4, '    check: {run: t, cwd: ../x}'), ['4:26 criteria[0].check.cwd']],
  [
    'a broken expression',
    withLine(4, '    check: {run: t, expectOutput: "("}'),
    ['4:35 criteria[0].check.expectOutput'],
  ],
  [
    'a glob out of the project',
    withLine(4, '    check: {run: t, protect: [a, /b]}'),
    ['4:34 criteria[0].check.protect[1]'],
  ],
  ['a criterion nobody proves (D22)', withLine(4, ''), ['3:5 criteria[0]']],
  [
    'machine proof without a check',
    withLine(4, '    minProof: machine'),
    ['3:5 criteria[0]', '4:15 criteria[0].minProof'],
  ],
  [
    'protected proof without protection',
    `${withLine(3, '  - minProof: machine-protected\n    text: x')}`,
    ['3:15 criteria[0].minProof'],
  ],
  [
    'more attempts than the budget has (D3)',
    `${SMALL}    maxAttempts: 3\nbudget: {attempts: 2}\n`,
    ['7:18 actions[0].maxAttempts'],
  ],
  ['an input out of the project', `${SMALL}setup: {run: i, inputs: [a, ../b]}\n`, ['7:29 setup.inputs[1]']],
  ['a branch without a merge', `${SMALL}delivery: {target: response, branch: b}\n`, ['7:38 delivery.branch']],
  [
    'a sandbox path that depends on where it is read',
    `${SMALL}    sandbox: {writable: x}\n`,
    ['7:25 actions[0].sandbox.writable'],
  ],
  [
    'an integration in place',
    `${SMALL}    workspace: integrate\n    dependsOn: b\n  - {id: b, run: x}\nworkspace: in-place\n`,
    ['7:16 actions[0].workspace'],
  ],
  ['a command that makes a VP (C6, D34)', `${SMALL}    type: create_vp\n`, ['7:11 actions[0].type']],
  [
    'a VP that makes another (C6, D34)',
    withLine(6, '  - {vp: writer, brief: x, type: create_vp}'),
    ['6:34 actions[0].type'],
  ],
  ['a command under a limit of money (D27)', `${SMALL}budget: {usd: 5}\n`, ['7:1 budget.allowUnmetered']],
  [
    'a command under a limit of money that rules it out (D27)',
    `${SMALL}budget: {usd: 5, allowUnmetered: false}\n`,
    ['7:34 budget.allowUnmetered'],
  ],
  ['an amount of money below a cent', `${SMALL}budget: {usd: 0.001}\n`, ['7:15 budget.usd']],
  ['a merge in place', `${SMALL}delivery: merge\nworkspace: in-place\n`, ['7:11 delivery.target']],
];

describe('a bad plan', () => {
  test.each(bad)('%s is reported at its line and column', (_name, text, places) => {
    expect(placesOf(text)).toEqual(places);
  });

  test.each(bad)('%s keeps its place with CRLF and a byte order mark', (_name, text, places) => {
    expect(placesOf(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(places);
  });

  test.each(bad)('%s says what was expected and found', (_name, text) => {
    for (const { path, expected, found, message } of problemsOf(text)) {
      expect(expected).not.toBe('');
      expect(found).not.toBe('');
      expect(message).toBe(`${path === '' ? '' : `${path}: `}expected ${expected}, found ${found}`);
    }
  });

  test('has all its problems reported at once, shape and references alike, in reading order', () => {
    const text = [
      'goal: 5',
      'criteria:',
      '  - text: y',
      '    check: {run: t, timeoutSec: -5, cwd: /x}',
      'delivery: by_email',
      'actions:',
      '  - id: a',
      '    run: x',
      '    dependsOn: [b, zz]',
      '  - id: b',
      '    command: x',
      'budget: {attempts: 9}',
    ].join('\n');
    expect(placesOf(text)).toEqual([
      '1:7 goal',
      '4:33 criteria[0].check.timeoutSec',
      '4:42 criteria[0].check.cwd',
      '5:11 delivery',
      '9:20 actions[0].dependsOn[1]',
      '10:5 actions[1].run',
      '11:5 actions[1].command',
      '12:20 budget.attempts',
    ]);
  });

  test('raises no problem that is only the consequence of another', () => {
    const text = [
      'goal: x',
      'criteria:',
      '  - id: C!',
      '    text: y',
      'actions:',
      '  - id: A!',
      '    run: x',
      '    for: C!',
      '  - run: y',
      '    dependsOn: [A!]',
    ].join('\n');
    expect(placesOf(text)).toEqual(['3:9 criteria[0].id', '6:9 actions[0].id']);
  });

  test.each([
    [`${SMALL}    comand: x\n`, undefined],
    [`${SMALL}    needs: x\n`, 'dependsOn'],
    [`${SMALL}    depends_on: x\n`, 'dependsOn'],
    [`${SMALL}    timeout: 5\n`, 'timeoutSec'],
    [`${SMALL}    environment: {A: b}\n`, 'env'],
    [`${SMALL}    workspace: isolated-writ\n`, 'isolated-write'],
    [`${SMALL}instuctions: x\n`, 'instructions'],
    [`${SMALL}    for: c2\n`, 'c1'],
    [`${SMALL}zebra: x\n`, undefined],
  ])('has a hint where something else was probably meant: %j', (text, meant) => {
    expect(problemsOf(text).map(({ hint }) => hint)).toEqual([
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    ]);
  });

  test('is told to quote a number that was meant as a text', () => {
    expect(problemsOf(`${SMALL}    env: {PORT: 80}\n`)[0]?.hint).toBe('Put it in quotes.');
  });
});

describe('an empty plan', () => {
  test.each(['', '\n\n', '# only a comment\n', '\uFEFF', '---\n'])(
    '%j is answered with an example that works',
    (text) => {
      const [problem, ...others] = problemsOf(text);
      expect(others).toEqual([]);
      expect(problem).toMatchObject({ line: 1, column: 1, found: 'an empty file' });
      const example = problem?.hint?.split('\n\n').at(-1) ?? '';
      expect(problemsOf(example)).toEqual([]);
    },
  );
});

describe('a plan meant to do harm', () => {
  test('is refused above 1 MiB, counted in bytes', () => {
    const comment = (bytes: number): string => `${SMALL}#${'x'.repeat(bytes - SMALL.length - 1)}`;
    expect(parsePlan(comment(PLAN_MAX_BYTES), 'plan.yaml').ok).toBe(true);
    expect(problemsOf(comment(PLAN_MAX_BYTES + 1))[0]?.expected).toBe('at most 1 MiB');
    expect(problemsOf(`#${'é'.repeat(PLAN_MAX_BYTES / 2)}`)[0]?.expected).toBe('at most 1 MiB');
  });

  test('is refused when its aliases multiply', () => {
    const layers = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]`);
    const problems = problemsOf(['a0: &a0 [x]', ...layers].join('\n'));
    expect(problems.map(({ expected }) => expected)).toEqual(['at most 20000 values, aliases counted']);
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['dashes', '- '.repeat(50_000)],
  ])('is refused when its %s nest without end', (_name, text) => {
    expect(problemsOf(text).map(({ expected }) => expected)).toEqual(['at most 32 levels of nesting']);
  });

  test('has a bounded number of problems', () => {
    const problems = problemsOf(`${SMALL}${Array.from({ length: 300 }, (_, i) => `k${i}: 1\n`).join('')}`);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toMatchObject({ expected: 'at most 100 problems', found: '200 more' });
  });

  test('cannot reach a prototype', () => {
    expect(placesOf(`${SMALL}__proto__: {goal: x}\nconstructor: x\n`)).toEqual(['7:1 __proto__', '8:1 constructor']);
    expect(placesOf(`${SMALL}    env: {__proto__: x}\n`)).toEqual(['7:11 actions[0].env.__proto__']);
    expect(Reflect.get({}, 'goal')).toBeUndefined();
  });
});

describe('a good plan', () => {
  test('may share parts by anchor and alias', () => {
    const plan = parsed(`${SMALL}    env: &e {A: x}\n  - run: y\n    env: *e\n`);
    expect(plan.document.actions.map(({ env }) => env)).toEqual([{ A: 'x' }, { A: 'x' }]);
  });

  test('may be written as JSON', () => {
    const plan = { $schema: 'x', goal: 'g', criteria: [{ text: 't', check: 'c' }], actions: [{ run: ['a', 'b'] }] };
    expect(problemsOf(JSON.stringify(plan, null, 2))).toEqual([]);
  });

  test('keeps words that other YAML versions read as truth values', () => {
    expect(parsed(withLine(1, 'goal: yes')).document.goal).toBe('yes');
  });

  test.each([
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['3600', 3600],
  ])('takes %s as %i seconds', (text, seconds) => {
    expect(compiled(`${SMALL}    timeoutSec: ${text}\n`).actions[0]?.spec.timeoutSec).toBe(seconds);
  });

  test('takes 24 criteria of 2,000 characters, and no more of either (D6)', () => {
    const plan = (criteria: number, chars: number): string =>
      `goal: g\ncriteria:\n${`  - text: ${'x'.repeat(chars)}\n    check: t\n`.repeat(criteria)}actions: [{run: x}]\n`;
    expect(problemsOf(plan(24, 2_000))).toEqual([]);
    expect(placesOf(plan(25, 10))).toEqual(['3:3 criteria']);
    expect(problemsOf(plan(1, 2_001))).toMatchObject([{ line: 3, column: 11, found: '2001' }]);
  });
});
