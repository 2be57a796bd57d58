import { describe, expect, test } from 'vitest';
import { type Contract, type Decision, fold, goalOf, type ItemState } from '../../src/core/index.ts';
import { action, completed, criterion, ENFORCED, USED } from './builders.ts';
import {
  AGENT_SPEC,
  COMPLETE,
  callFence,
  calls,
  close,
  coordinated,
  create,
  decideBody,
  decides,
  objection,
  opens,
  postBody,
  prepareBody,
  responded,
  review,
  says,
  sends,
  settleCallBody,
  work,
} from './coordinator.ts';
import { AGENT, ENGINE, type Scenario, scenario } from './scenario.ts';

const engine = { principal: ENGINE };

function atWork(more: Parameters<typeof work>[1] = {}): Scenario {
  const made = coordinated();
  decides(made, [create(work('a', more))]);
  made.start('a');
  return made;
}

const planned = (): Scenario =>
  scenario({ actions: [action('a', { for: ['c1'], executor: AGENT_SPEC })], criteria: [criterion('c1')] });

const texts = (made: Scenario, id: string) => made.action(id).messages.map(({ text }) => text);
const heardOf = ({ runs }: ItemState, id: string) => runs.find(({ actionId }) => actionId === id)?.messagesHeard;
const standing = (made: Scenario) => goalOf(made.item).criteria[0]?.standing;

describe('what people say', () => {
  test('rule 16: a later attempt hears what an interrupted one was told, also when 600 events lie between', () => {
    const made = atWork();
    says(made, 'first', 'a');
    calls(made, 'k1', { actionId: 'a' });
    says(made, 'second', 'a');
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    const between = made.events.slice(-2);
    for (let times = 0; times < 300; times += 1) for (const { body } of between) made.happens(body);
    expect(made.events.length).toBeGreaterThan(600);
    made.expire('a', 'lease_expired');
    made.later();
    made.start('a');
    expect(texts(made, 'a')).toEqual(['first', 'second']);
    calls(made, 'k2', { actionId: 'a' });
    expect(heardOf(made.item, 'a')).toBe(2);
  });

  test('rule 17, chapter 2 E5: what a redirect dropped stays dropped after stop and reopen; what came after it is heard', () => {
    const made = planned();
    made.start('a');
    says(made, 'old', 'a');
    calls(made, 'k1', { actionId: 'a' });
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'otherwise' });
    says(made, 'new', 'a');
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(texts(made, 'a')).toEqual(['new']);
  });

  test('rule 26: words and turn are on record before anything is asked; a turn whose owner is gone ends and frees both', () => {
    const made = coordinated();
    says(made, 'hello');
    expect(made.events.at(-1)?.body.type, 'the words').toBe('MessagePosted');
    opens(made);
    expect(made.events.at(-1)?.body.type, 'the turn').toBe('TurnOpened');
    sends(made, 'k1');
    made.does({ type: 'AdoptTurn', turnId: 't1', epoch: 9, owner: 'w2' }, engine);
    made.does({ type: 'MarkCallUnknown', fence: callFence(made), callId: 'k1' }, engine);
    const failure = { code: 'call_lost', error: 'cut', counted: false, permanent: false };
    made.does({ type: 'FailTurn', turnId: 't1', epoch: 9, owner: 'w2', ...failure }, engine);
    expect(made.item.coordinator.turn).toBeUndefined();
    says(made, 'still there?');
    made.answer('call_unknown', 'ask_again');
    expect(opens(made)).toBe('user');
    expect(made.item.inbox).toHaveLength(2);
  });
});

describe('what a delivery target follows from', () => {
  const WORDS = 'Push it, open a pull request, merge it into main and publish every file.';

  test('rule 34, chapter 2 D18: words never choose it: an item that asks for a merge in words still delivers an answer', () => {
    const made = coordinated({ goal: WORDS, criteria: [criterion('c1', { text: WORDS })] });
    says(made, WORDS);
    decides(made, [create(work('a', { forDelivery: true }))]);
    made.completes('a', completed(['c1'], { summary: 'It says so.' }));
    decides(made, [COMPLETE]);
    expect(made.item).toMatchObject({ lifecycle: 'done', finalResult: { delivery: { target: 'response' } } });
    expect([made.count('ResultPublished'), made.count('LandingReserved')]).toEqual([0, 0]);
  });

  test('chapter 2 D9: only a person changes it: an agent and the engine may neither edit nor confirm it', () => {
    const made = coordinated();
    says(made, 'rather a branch');
    const contract: Contract = { ...made.item.contract, delivery: { target: 'workspace_files' } };
    decides(made, [{ kind: 'propose_contract', contract }]);
    const { id: requestId } = made.request('contract_proposal');
    for (const principal of [AGENT, ENGINE]) {
      made.refuses({ type: 'EditContract', contractVersion: 1, contract }, 'user_required', { principal });
      made.refuses({ type: 'AnswerRequest', requestId, choice: 'confirm', text: '' }, 'user_required', { principal });
    }
    made.answer('contract_proposal', 'confirm');
    expect(made.item.contract.delivery).toEqual({ target: 'workspace_files' });
  });
});

describe('a decision', () => {
  test('chapter 2 D4: answers nobody in an automatic turn, and a person in a turn of theirs', () => {
    const made = coordinated();
    expect(objection(made, [{ kind: 'answer' }])).toContain('expected more than an answer, for nobody asked');
    decides(made, [create(work('a'))]);
    says(made, 'how far?');
    decides(made, [{ kind: 'answer' }]);
    expect(made.action('a').status).toBe('ready');
  });

  test('chapter 2 D6: two Actions that settle together owe one decision, and not before the last of them', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a', 'b');
    made.settle('a', completed());
    made.merge('a');
    expect(made.dueKinds()).toEqual([]);
    made.settle('b', completed());
    made.merge('b');
    expect(made.dueKinds()).toEqual(['decide']);
    decides(made, [create(work('c'))]);
    expect(made.dueKinds(), 'one decision was for both').toEqual(['c']);
  });

  test('chapter 2 D7: the final result is never written again', () => {
    const made = atWork();
    made.settle('a', completed(['c1']));
    made.merge('a');
    decides(made, [COMPLETE]);
    const { finalResult } = made.item;
    made.refuses({ type: 'OpenTurn', turnId: 't9', epoch: 99, owner: 'w1' }, 'item_ended', engine);
    made.refuses(postBody('one more'), 'item_ended');
    made.refuses({ type: 'RetryAction', actionId: 'a', generation: 1 }, 'item_ended');
    made.refuses({ type: 'ReopenItem' }, 'wrong_state');
    expect(made.item.finalResult).toBe(finalResult);
  });

  test('chapter 2 D8, rule 25: an interrupted Run goes on; a reopened item asks its Coordinator, old Actions are superseded', () => {
    const made = atWork();
    made.expire('a', 'engine_died');
    expect(made.action('a')).toMatchObject({ status: 'ready', attempts: 0 });
    made.later();
    made.start('a');
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(made.action('a').status).toBe('superseded');
    expect(made.dueKinds()).toEqual(['decide']);
  });

  test('chapter 2 D12: a decision that is owed stays owed when its turn is lost before anything was asked', () => {
    const made = coordinated();
    opens(made);
    made.does({ type: 'AdoptTurn', turnId: 't1', epoch: 9, owner: 'w2' }, engine);
    const failure = { code: 'shutdown', error: 'x', counted: false, permanent: false };
    made.does({ type: 'FailTurn', turnId: 't1', epoch: 9, owner: 'w2', ...failure }, engine);
    made.later();
    expect(made.dueKinds()).toEqual(['decide']);
  });

  test('V14, chapter 2 D13: an Action that is given up after its engine died again and again owes exactly one decision', () => {
    const made = atWork();
    for (let deaths = 0; deaths < 3; deaths += 1) {
      made.expire('a', 'engine_died');
      made.later();
      if (made.action('a').status === 'ready') made.start('a');
    }
    expect(made.action('a')).toMatchObject({ status: 'failed', failureCode: 'quarantined' });
    expect(made.dueKinds()).toEqual(['decide']);
    decides(made, [close('a'), create(work('b'))]);
    expect(made.dueKinds()).toEqual(['b']);
  });

  test('chapter 2 D14, D20: a failed Action may be closed and proves nothing by it, whatever it claimed', () => {
    const made = atWork();
    made.settle('a', { kind: 'failed', code: 'broken', error: 'c1 passed all the same' });
    expect(objection(made, [close('a'), COMPLETE])).toContain('found c1 is unmet');
    decides(made, [close('a'), create(work('b', { for: ['c1'] }))]);
    made.completes('b', completed(['c1']));
    decides(made, [COMPLETE]);
    expect(made.item.finalResult?.criteria).toMatchObject([{ runId: 'run-2' }]);
  });

  test('chapter 2 D20, V42: a Run that claims nothing proves nothing', () => {
    const made = atWork();
    made.settle('a', completed([], { summary: 'All criteria pass.' }));
    made.merge('a');
    expect(objection(made, [COMPLETE])).toContain('found c1 is unmet');
  });
});

describe('what may be commissioned', () => {
  const refusal = (more: Parameters<typeof work>[1]): string => {
    const made = atWork();
    made.settle('a', completed());
    made.merge('a');
    return objection(made, [create(work('x', more))]);
  };

  test.each([
    ['no objective', { objective: ' ', approach: 'so', expectedOutcome: 'that' }],
    ['no approach', { objective: 'this', expectedOutcome: 'that' }],
    ['no expected outcome', { objective: 'this', approach: 'so' }],
  ])('chapter 2 C7: no Action with %s', (_, brief) => {
    expect(refusal({ brief })).toContain('actions[0].brief: expected');
  });

  test('chapter 2 C8: no review of what is not there', () => {
    const more = { type: 'review', workspace: 'read', sources: ['b'] } as const;
    expect(refusal(more)).toContain('actions[0].sources: expected an Action of the item, found b');
  });

  test('V24: what takes the place of an Action is another one, and the old one is heard no more', () => {
    const made = atWork();
    const late = made.settleBody('a', completed(['c1']));
    made.expire('a', 'lease_expired');
    says(made, 'otherwise');
    decides(made, [{ kind: 'create_actions', actions: [work('b')], supersede: ['a'] }]);
    expect([made.action('a').status, made.action('b').specHash === made.action('a').specHash]).toEqual([
      'superseded',
      false,
    ]);
    made.refuses(late, 'lease_lost', engine);
  });
});

describe('a Run', () => {
  test('V29: a call is on the ledger and begun in one step; when its engine dies nobody knows what became of it', () => {
    const made = atWork();
    const begin = {
      type: 'BeginOperation',
      fence: made.fence('a'),
      operationId: 'o1',
      what: 'push',
      tool: 'shell',
    } as const;
    made.does(begin, engine);
    expect(made.events.at(-1)?.body.type).toBe('OperationBegun');
    expect(made.item.operations).toMatchObject([{ id: 'o1', effect: 'pending' }]);
    made.expire('a', 'engine_died');
    expect(made.item.operations).toMatchObject([{ id: 'o1', effect: 'unknown' }]);
    expect([made.openKinds(), made.action('a').status]).toEqual([['operation_unknown'], 'failed']);
  });

  test('V3: what it used is charged in the step that interrupts it', () => {
    const made = atWork();
    const before = made.events.length;
    const settlement = { kind: 'interrupted', code: 'shutdown', error: 'x' } as const;
    made.does({ type: 'Settle', fence: made.fence('a'), settlement, usage: { ...USED, wallMs: 7_000 } }, engine);
    expect(made.item.usage.wallMs).toBe(7_000);
    expect(made.events.slice(before).map(({ body }) => body.type)).toEqual(['RunSettled']);
  });

  test('V18: what it is made of is written once', () => {
    const made = atWork();
    const body = { type: 'Dispatch', fence: made.fence('a'), base: 'other', enforcement: ENFORCED } as const;
    made.refuses(body, 'already_dispatched', engine);
  });

  test.each([
    ['a stop', (made: Scenario) => void made.does({ type: 'StopItem', reason: 'enough' })],
    ['its lease ran out', (made: Scenario) => made.expire('a', 'lease_expired')],
    [
      'a redirect',
      (made: Scenario) => void made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'x' }),
    ],
  ])('V23: an answer that comes after %s is refused and changes nothing', (_, end) => {
    const made = atWork();
    sends(made, 'k1', { actionId: 'a' });
    const late = settleCallBody(made, 'k1', responded(), 'a');
    end(made);
    made.refuses(late, 'lease_lost', engine);
  });
});

describe('goal state', () => {
  const lie = (summary: string): Decision => ({
    ...COMPLETE,
    ...{ summary, progress: { missing: [] }, allProven: true },
  });

  test('G1: is derived from Runs, whatever a model says of it, and the same when the item is read anew', () => {
    const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
    decides(made, [create(work('a', { for: ['c1', 'c2'] }))]);
    made.completes('a', completed(['c1'], { summary: 'c1 and c2 are proven, 100 %.' }));
    expect(objection(made, [lie('2 of 2 proven')])).toContain('found c2 is unmet');
    const anew = fold(made.itemId, made.events);
    expect(anew && goalOf(anew)).toEqual(goalOf(made.item));
    expect(goalOf(made.item).proven).toBe(1);
  });

  test('G2, V17, chapter 2 C13: a pass of an older generation, of another criterion or of an older contract is no proof', () => {
    const made = atWork();
    made.settle('a', completed(['c1', 'c9']));
    made.merge('a');
    expect(standing(made)).toBe('passed');
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, goal: 'another' } });
    expect(standing(made)).toBe('unmet');
    const again = atWork();
    again.settle('a', completed(['c1']));
    again.merge('a');
    again.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    expect(standing(again)).toBe('unmet');
  });

  test('G4: a later look leaves a proof as it is; later writing ages it', () => {
    const seen = (late: ReturnType<typeof work>): Scenario => {
      const made = coordinated();
      decides(made, [create(review('r'))]);
      made.completes('r', completed(['c1'], { review: 'approved' }));
      says(made, 'one more');
      decides(made, [create(late)]);
      made.completes(late.id, completed({ c1: 'deferred' }));
      return made;
    };
    expect(standing(seen(work('look', { for: [], forDelivery: true, type: 'research', workspace: 'read' })))).toBe(
      'passed',
    );
    const written = seen(work('w', { for: [], forDelivery: true }));
    expect(standing(written)).toBe('stale');
  });

  test('G5: an answer needs words, and files need a file', () => {
    const silent = atWork();
    silent.settle('a', completed(['c1'], { summary: ' ' }));
    silent.merge('a');
    decides(silent, [COMPLETE]);
    expect(silent.item.lifecycle).toBe('open');
    const nothing = coordinated({ delivery: { target: 'workspace_files' } });
    decides(nothing, [create(work('a', { type: 'research', workspace: 'read' }))]);
    nothing.completes('a', completed(['c1']), { changedPaths: [] });
    decides(nothing, [COMPLETE]);
    expect(nothing.item.lifecycle).toBe('open');
  });

  test('G11: a proof outlives hold, extension and resume, and the contract keeps its version', () => {
    const made = coordinated({ limits: { requests: 1 } });
    decides(made, [create(work('a'))]);
    made.start('a');
    calls(made, 'k1', { actionId: 'a' });
    made.settle('a', completed(['c1']));
    made.merge('a');
    expect(made.item.hold?.code).toBe('requests_exhausted');
    made.does({ type: 'ExtendBudget', controlVersion: made.item.controlVersion, requests: 5 });
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    expect([standing(made), made.item.contractVersion]).toEqual(['passed', 1]);
  });
});

test('V45: a held item gives out no work, no turn and no request; who works may still end it', () => {
  const made = coordinated();
  decides(made, [create(work('a'), work('b'))]);
  made.start('a');
  says(made, 'hello');
  made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
  made.refuses(made.claimBody('b'), 'item_held', engine);
  made.refuses({ type: 'OpenTurn', turnId: 't2', epoch: 9, owner: 'w1' }, 'item_held', engine);
  made.refuses(prepareBody(made, 'k1', { actionId: 'a' }), 'item_held', engine);
  made.settle('a', completed(['c1']));
  expect(made.action('a').status).toBe('completed');
});

test('V47: attempts are counted over generations, and what is used up can still be closed', () => {
  const made = coordinated();
  decides(made, [create(work('a', { maxAttempts: 2 }))]);
  made.retries('a');
  made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'otherwise' });
  made.retries('a');
  expect(made.action('a')).toMatchObject({ generation: 2, status: 'failed', failureCode: 'attempts_exhausted' });
  opens(made);
  const guide: Decision = { kind: 'guide_actions', guidance: [{ actionId: 'a', instruction: 'again' }] };
  made.refuses(decideBody(made, [guide]), 'invalid_decision', engine);
  decides(made, [close('a')]);
  expect(made.action('a').status).toBe('closed');
});
