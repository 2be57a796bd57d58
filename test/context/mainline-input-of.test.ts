import { describe, expect, it } from 'vitest';
import { renderMainline } from '../../src/context/mainline.ts';
import { type MainlineExtras, mainlineInputOf } from '../../src/context/mainline-input-of.ts';
import { action, completed, criterion } from '../core/builders.ts';
import { type Scenario, scenario } from '../core/scenario.ts';

const extras = (more: Partial<MainlineExtras> = {}): MainlineExtras => ({
  attempt: 1,
  maxAttempts: 3,
  timeLimitSec: 600,
  ...more,
});

const viewOf = (made: Scenario, id: string, more: Partial<MainlineExtras> = {}) =>
  mainlineInputOf(made.item, made.action(id), extras(more));

const commission = { sources: ['b'], unblocks: [], forDelivery: false, rationale: 'b found the place to change.' };

/** A coordinated item whose Coordinator has commissioned these. */
function commissioned(...actions: readonly ReturnType<typeof action>[]): Scenario {
  const made = scenario({ plan: { kind: 'coordinated' }, actions: [], criteria: [criterion('c1'), criterion('c2')] });
  for (const each of actions) made.happens({ type: 'ActionAdded', action: { ...each, specHash: each.id } });
  return made;
}

/** `c` depends on `a`, has `b` as its source, and `d` is beside it. */
const four = () =>
  commissioned(
    action('a', { for: ['c1'] }),
    action('b', { workspace: 'read' }),
    action('c', { for: ['c2'], dependsOn: ['a'], commission }),
    action('d'),
  );

describe('what an Action is told of its item', () => {
  it('takes results from what it depends on and its sources, and one line from the others', () => {
    const made = four();
    made.completes('a', completed(['c1'], { summary: 'a is made' }), { changedPaths: ['src/a.ts'] });
    made.completes('b', completed([], { summary: 'look at src/b.ts', review: 'approved' }));
    const { results, journal } = viewOf(made, 'c');
    expect(results).toMatchObject([
      {
        actionId: 'a',
        relation: 'dependsOn',
        status: 'completed',
        summary: 'a is made',
        outputs: [{ kind: 'file', ref: 'src/a.ts' }],
      },
      { actionId: 'b', relation: 'source', status: 'completed', summary: 'look at src/b.ts', review: 'approved' },
    ]);
    expect(journal.map(({ actionId, status }) => `${actionId} ${status}`)).toEqual(['d ready']);
  });

  it('gives the reason of a closed dependency instead of a result (D2)', () => {
    const made = four();
    made.does({ type: 'CloseAction', actionId: 'a', generation: 1, reason: 'not needed any more', cascade: false });
    expect(viewOf(made, 'c').results[0]).toMatchObject({
      status: 'closed',
      summary: 'not needed any more',
      claims: [],
    });
  });

  it('says how each criterion stands now and why', () => {
    const made = four();
    made.completes('a', completed(['c1']));
    expect(viewOf(made, 'c').contract.criteria).toMatchObject([
      { id: 'c1', standing: 'passed', why: 'shown by a, strength self', evidence: 'seen' },
      { id: 'c2', standing: 'unmet', why: 'nobody has shown it' },
    ]);
  });

  it('V36, chapter 2 E4: a message reaches its own Action only, and nothing of the Coordinator’s conversation any', () => {
    const made = four();
    made.does({ type: 'PostMessage', target: { kind: 'coordinator' }, text: 'between us', attachments: [] });
    made.does({ type: 'PostMessage', target: { kind: 'action', actionId: 'a' }, text: 'only for a', attachments: [] });
    const text = (id: string) => renderMainline(viewOf(made, id)).text;
    expect(text('a')).toContain('only for a');
    expect(text('b')).not.toContain('only for a');
    expect(text('a') + text('b')).not.toContain('between us');
  });

  it('takes as many messages as it is told to; the rest is handed over later', () => {
    const made = four();
    for (const text of ['one', 'two'])
      made.does({ type: 'PostMessage', target: { kind: 'action', actionId: 'a' }, text, attachments: [] });
    expect(viewOf(made, 'a').messages.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(viewOf(made, 'a', { messageCount: 1 }).messages.map(({ text }) => text)).toEqual(['one']);
  });

  it('V38: guidance of a redirect comes first, with its text', () => {
    const made = four();
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'use the other table' });
    made.does({ type: 'PostMessage', target: { kind: 'action', actionId: 'a' }, text: 'and hurry', attachments: [] });
    expect(viewOf(made, 'a').messages).toMatchObject([
      { id: 'guidance 1', text: 'use the other table' },
      { text: 'and hurry' },
    ]);
  });

  it('H6, V9: resumes from the last attempt, also from a failed one and across generations', () => {
    const made = four();
    expect(viewOf(made, 'a').resume).toBeUndefined();
    made.fails('a');
    expect(viewOf(made, 'a').resume).toMatchObject({
      ordinal: 1,
      status: 'failed',
      code: 'broken',
      error: 'It broke.',
    });
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    expect(made.action('a').generation).toBe(2);
    expect(viewOf(made, 'a').resume).toMatchObject({ status: 'failed', error: 'It broke.' });
  });

  it('takes instructions of the type by its own name (chapter 2 C5)', () => {
    const made = four();
    const typeInstructions = { work: 'Test first.' };
    expect(viewOf(made, 'a', { typeInstructions }).instructions).toEqual({ forType: 'Test first.' });
    const odd = commissioned(action('a', { type: 'constructor' }));
    expect(viewOf(odd, 'a', { typeInstructions }).instructions).toEqual({});
  });

  it('D35: an item that does not reuse memory gets none', () => {
    const memory = [{ itemId: 'w1', title: 't', endedAt: 1, type: 'write', summary: 's' }];
    const made = four();
    const asked = { ...made.item, reuseMemory: true };
    expect(mainlineInputOf(asked, made.action('a'), extras({ memory })).memory).toEqual(memory);
    expect(mainlineInputOf({ ...asked, reuseMemory: false }, made.action('a'), extras({ memory })).memory).toEqual([]);
  });

  it('carries why the Action was commissioned', () => {
    expect(viewOf(four(), 'c').action).toMatchObject({
      rationale: 'b found the place to change.',
      for: ['c2'],
      forDelivery: false,
    });
  });
});
