import { describe, expect, it } from 'vitest';
import { compileAction } from '../../src/coordinator/decision/compile-action.ts';
import { tidyTitle } from '../../src/coordinator/decision/compile-decision.ts';
import type { CompileInput } from '../../src/coordinator/decision/compile-input.ts';
import type { WrittenAction, WrittenPart } from '../../src/coordinator/decision/schema.ts';
import { compileDecision, turnAnswer } from '../../src/coordinator/index.ts';
import { completed, criterion } from '../core/builders.ts';
import type { Scenario } from '../core/scenario.ts';
import {
  compileInput,
  coordinated,
  create,
  decideCall,
  decides,
  decision,
  opens,
  planned,
  says,
  vp,
  written,
} from './support.ts';

/** An item with one open criterion and a turn of the given origin. */
function begun(origin: 'user' | 'automatic' = 'automatic'): Scenario {
  const item = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
  if (origin === 'user') says(item, 'Please change it.');
  opens(item);
  return item;
}

const COMMANDS = [
  vp('ada', ['implement'], { executor: { kind: 'command', run: ['agent', '--go'], env: { MODE: 'fast' } } }),
  vp('bob', ['review'], { executor: { kind: 'command', run: 'review-it' } }),
];

const compile = (item: Scenario, parts: readonly WrittenPart[], more: Partial<CompileInput> = {}) =>
  compileDecision(decision(...parts), compileInput(item, more));

const creating = (...actions: WrittenAction[]): WrittenPart => ({ kind: 'create_actions', actions });

function decided(item: Scenario, ...parts: WrittenPart[]) {
  const compiled = compile(item, parts);
  if (compiled.kind === 'complaints') throw new Error(JSON.stringify(compiled.complaints));
  return compiled.decided;
}

function complaints(item: Scenario, parts: readonly WrittenPart[], more: Partial<CompileInput> = {}) {
  const compiled = compile(item, parts, more);
  return compiled.kind === 'complaints' ? compiled.complaints : [];
}

const one = (item: Scenario, action: WrittenAction, more: Partial<CompileInput> = {}) =>
  compileAction(action, 'a', compileInput(item, more), () => 'fresh');

describe('compiling Actions (D19)', () => {
  it('adds ids, a VP and defaults, and changes no intent', () => {
    expect(one(begun(), written())).toEqual({
      id: 'fresh',
      spec: {
        type: 'implement',
        name: 'Round the totals',
        brief: {
          objective: 'Round once, at the end.',
          approach: 'Keep cents until the sum is made.',
          expectedOutcome: 'The totals add up.',
        },
        for: ['c1'],
        dependsOn: [],
        workspace: 'isolated-write',
        executor: { kind: 'agent', vp: 'ada', assigned: expect.stringMatching(/^auto: /) },
        effects: 'none',
        env: {},
        timeoutSec: 3_600,
        silenceSec: 900,
        maxAttempts: 2,
        sandbox: { network: 'loopback', readable: [], writable: [] },
        commission: { sources: [], unblocks: [], forDelivery: false, rationale: 'Nothing has been done yet.' },
      },
    });
  });

  it('runs the command of a VP that is one, under its name, and on the ledger where it acts outside', () => {
    const spec = (type: string) => one(begun(), written({ type }), { vps: COMMANDS });
    expect(spec('implement')).toMatchObject({
      spec: {
        executor: { kind: 'command', run: ['agent', '--go'], identity: 'ada' },
        env: { MODE: 'fast' },
        effects: 'none',
        sandbox: { network: 'all' },
      },
    });
    expect(spec('operate')).toMatchObject({ spec: { effects: 'external' } });
  });

  it('gives the network that was asked for, and complains where settings allow less', () => {
    const item = begun();
    const defaults = { ...compileInput(item).defaults, network: 'loopback' as const };
    expect(one(item, written({ network: 'all' }))).toMatchObject({ spec: { sandbox: { network: 'all' } } });
    expect(one(item, written({ network: 'all' }), { defaults })).toEqual([
      { path: 'a.network', expected: 'at most loopback', found: 'all' },
    ]);
  });

  it('makes ids from types that neither the item nor the decision has', () => {
    const item = begun();
    decides(item, [create(planned('implement-2'))]);
    item.completes('implement-2', completed([]));
    opens(item);
    const { decisions } = decided(
      item,
      creating(
        written({ type: 'Fix it!', objective: 'One.' }),
        written({ objective: 'Two.', id: 'implement-3' }),
        written({ objective: 'Three.' }),
        written({ type: 'verify-x', objective: 'Four.' }),
      ),
    );
    expect(decisions.flatMap((it) => (it.kind === 'create_actions' ? it.actions.map(({ id }) => id) : []))).toEqual([
      'fix-it-1',
      'implement-3',
      'implement-4',
      'action-1',
    ]);
  });

  it('is what the core accepts', () => {
    const item = begun();
    decides(item, decided(item, creating(written())).decisions);
    expect(item.action('implement-1').status).toBe('ready');
  });

  it('repeats an existing id to the model instead of renaming it', () => {
    const item = begun();
    decides(item, [create(planned('a'))]);
    item.completes('a', completed([]));
    opens(item);
    expect(complaints(item, [creating(written({ id: 'a' }))])).toContainEqual({
      path: 'decisions[0].actions[0].id',
      expected: 'an id that is new',
      found: 'a',
    });
  });
});

describe('assigning VPs', () => {
  it('takes the first of those the model names, with its reason', () => {
    const wish = written({ vp: ['cy', 'ada'], assignmentReason: 'She knows the code.' });
    expect(one(begun(), wish)).toMatchObject({
      spec: { executor: { vp: 'cy', assigned: expect.stringContaining('She knows the code.') } },
    });
  });

  it.each([
    ['an unknown VP', { vp: ['ada', 'zoe'], assignmentReason: 'x' }, 'a.vp[1]'],
    ['VPs without a reason', { vp: ['ada'] }, 'a.assignmentReason'],
    ['a VP made by nobody in particular', { type: 'create_vp' }, 'a.vp'],
    [
      'a VP made where nothing may be written',
      { type: 'create_vp', vp: ['ada'], assignmentReason: 'x', workspaceMode: 'read' },
      'a.workspaceMode',
    ],
  ] as const)('complains about %s', (_, more, path) => {
    const made = one(begun(), written({ ...more, vp: 'vp' in more ? [...more.vp] : [] } as Partial<WrittenAction>));
    expect(made).toMatchObject([{ path }]);
  });

  it('lets nobody review their own work, and complains when only authors are left', () => {
    const item = begun();
    decides(item, [create(planned('fix'))]);
    item.completes('fix', completed([]));
    opens(item);
    const review = written({ type: 'review', workspaceMode: 'read', capability: 'implement' });
    expect(one(item, { ...review, sources: ['fix'] })).toMatchObject({ spec: { executor: { vp: 'cy' } } });
    expect(one(item, review)).toMatchObject({ spec: { executor: { vp: 'cy' } } });
    const failed = one(item, { ...review, vp: ['ada'], assignmentReason: 'I like her.' });
    expect(failed).toMatchObject([
      { path: 'a.vp', found: expect.stringContaining('only authors of the work are left') },
    ]);
  });

  it('complains when there is nobody at all', () => {
    expect(one(begun(), written(), { vps: [] })).toMatchObject([
      { path: 'a.vp', expected: 'Add a VP, or repair the files that could not be read.' },
    ]);
  });
});

describe('modes', () => {
  it('never turns a review that writes into one that reads', () => {
    const found = complaints(begun(), [creating(written({ type: 'review', workspaceMode: 'shared' }))]);
    expect(found).toEqual([
      { path: 'decisions[0].actions[0].workspaceMode', expected: 'read, for a review', found: 'shared' },
    ]);
  });

  it('lets an integration wait for the conflicts that it resolves, and for nothing else', () => {
    const item = begun();
    decides(item, [create(planned('fix'), planned('doc', { for: ['c2'] }))]);
    item.completes('fix', completed(['c1']));
    item.later();
    item.start('doc');
    item.settle('doc', completed([]));
    item.conflict('doc');
    opens(item);
    const integrate = (sources: string[]) =>
      creating(written({ type: 'integrate', workspaceMode: 'integrate', for: ['c2'], sources }));
    const [made] = decided(item, integrate(['doc'])).decisions;
    expect(made).toMatchObject({
      actions: [{ id: 'integrate-1', spec: { dependsOn: ['doc'], workspace: 'integrate' } }],
    });
    expect(complaints(item, [integrate(['fix'])])).toMatchObject([
      { path: 'decisions[0].actions[0].sources', found: 'fix' },
    ]);
    expect(complaints(item, [integrate([])])).toMatchObject([
      { path: 'decisions[0].actions[0].sources', found: 'none' },
    ]);
  });
});

describe('proposals (D20)', () => {
  const proposal = (more: Partial<Extract<WrittenPart, { kind: 'propose_contract' }>>): WrittenPart => ({
    kind: 'propose_contract',
    ...more,
  });

  it('are the whole contract with what changes: ids stay, new ones were never used', () => {
    const item = begun('user');
    const { decisions } = decided(
      item,
      proposal({
        goal: 'Another goal.',
        criteria: [
          { text: 'New one.', check: { run: 'make test' } },
          { id: 'c1', text: 'Sharper.' },
          { text: 'Second.' },
        ],
        removeCriteria: ['c2'],
        delivery: { target: 'merge', branch: 'main' },
      }),
    );
    const { contract } = item.item;
    expect(decisions).toEqual([
      {
        kind: 'propose_contract',
        contract: {
          ...contract,
          goal: 'Another goal.',
          delivery: { target: 'merge', branch: 'main' },
          criteria: [
            { id: 'c1', version: 1, text: 'Sharper.', minProof: 'self' },
            {
              id: 'c3',
              version: 1,
              text: 'New one.',
              check: { run: 'make test', timeoutSec: 600, expectExit: 0, protect: [], network: 'loopback' },
              minProof: 'machine',
            },
            { id: 'c4', version: 1, text: 'Second.', minProof: 'self' },
          ],
        },
      },
    ]);
    decides(item, decisions);
    expect(item.item.contract).toEqual(contract);
    expect(item.openKinds()).toContain('contract_proposal');
  });

  it('are refused in an automatic turn, whatever they say (G7)', () => {
    for (const part of [proposal({}), proposal({ criteria: [] }), proposal({ title: 'A title' })])
      expect(complaints(begun('automatic'), [part])).toMatchObject([
        { path: 'decisions[0]', found: 'an automatic turn' },
      ]);
  });

  it.each([
    ['an unknown criterion', { criteria: [{ id: 'c9', text: 'x' }] }, 'decisions[0].criteria[0].id'],
    ['a new criterion without words', { criteria: [{ check: { run: 'x' } }] }, 'decisions[0].criteria[0].text'],
    ['the removal of an unknown one', { removeCriteria: ['c9'] }, 'decisions[0].removeCriteria[0]'],
    ['one criterion twice', { criteria: [{ id: 'c1', text: 'x' }], removeCriteria: ['c1'] }, 'decisions[0].criteria'],
    ['nothing new', { goal: 'A goal' }, 'decisions[0]'],
  ])('complain about %s', (_, more, path) => {
    expect(complaints(begun('user'), [proposal(more)])).toMatchObject([{ path }]);
  });
});

describe('a decision as a whole', () => {
  it('carries the words of the core to their place in the list', () => {
    const found = complaints(begun('user'), [
      { kind: 'answer' },
      { kind: 'guide_actions', guidance: [{ actionId: 'nobody', instruction: 'Go.' }] },
      { kind: 'complete', summary: 'Done.', residualRisks: [] },
    ]);
    expect(found.map(({ path }) => path)).toEqual(['decisions', 'decisions[1].guidance[0].actionId', 'decisions[2]']);
    expect(found.at(-1)?.found).toContain('c1 is unmet');
  });

  it('owes words to a person who wrote, and none to nobody', () => {
    const question: WrittenPart = { kind: 'request_human', question: 'Which branch?' };
    const silent = (origin: 'user' | 'automatic') =>
      compileDecision({ ...decision(question), reply: ' ' }, compileInput(begun(origin)));
    expect(silent('user')).toMatchObject({ kind: 'complaints', complaints: [{ path: 'reply' }] });
    expect(silent('automatic')).toMatchObject({ kind: 'decided', decided: { decisions: [{ options: [] }] } });
  });

  it('shortens a title and never refuses it', () => {
    expect(tidyTitle('  Totals\n add   up ')).toBe('Totals add up');
    expect(tidyTitle('one two three four five six seven eight nine ten eleven twelve thirteen')).toMatch(/twelve…$/);
    expect(tidyTitle('界'.repeat(200))).toHaveLength(80);
    const titled = compileDecision({ ...decision({ kind: 'answer' }), title: ' ' }, compileInput(begun('user')));
    expect(titled).toMatchObject({ kind: 'decided', decided: { decisions: [{ kind: 'answer' }] } });
    expect(titled.kind === 'decided' && 'title' in titled.decided).toBe(false);
  });

  it('goes from an answer to decisions in one step', () => {
    const input = compileInput(begun('user'));
    expect(turnAnswer(decideCall(decision({ kind: 'answer' })), input)).toMatchObject({ kind: 'decided' });
    expect(turnAnswer(decideCall({}), input)).toMatchObject({ kind: 'complaints' });
  });
});
