import { describe, expect, test } from 'vitest';
import type { CommandOf } from '../../src/core/index.ts';
import { action, completed, criterion } from './builders.ts';
import { AGENT_SPEC, calls, coordinated, create, decides, opens, says, work } from './coordinator.ts';
import { AGENT, ENGINE, type Scenario, scenario } from './scenario.ts';

const engine = { principal: ENGINE };

/** Agents at work in a coordinated item. */
function atWork(...ids: readonly string[]): Scenario {
  const all = ids.length > 0 ? ids : ['a'];
  const made = coordinated();
  decides(made, [create(...all.map((id) => work(id)))]);
  made.start(...all);
  return made;
}

const beginBody = (made: Scenario, id: string, more: Partial<CommandOf<'BeginOperation'>> = {}, of = 'a') =>
  ({ type: 'BeginOperation', fence: made.fence(of), operationId: id, what: 'post it', tool: 'web', ...more }) as const;

const begins = (made: Scenario, id: string, more: Partial<CommandOf<'BeginOperation'>> = {}): void => {
  made.does(beginBody(made, id, more), engine);
};

const endBody = (made: Scenario, operationId: string, effect: CommandOf<'EndOperation'>['effect']) =>
  ({ type: 'EndOperation', fence: made.fence('a'), operationId, effect }) as const;

const effects = (made: Scenario) => made.item.operations.map(({ id, effect }) => [id, effect]);

describe('O1–O8, OPS-1…8 what acts outside', () => {
  test('is on the ledger before it happens, and ends once (O2, OPS-1)', () => {
    const made = atWork();
    begins(made, 'o1');
    expect(effects(made)).toEqual([['o1', 'pending']]);
    made.refuses(beginBody(made, 'o1'), 'wrong_state', engine);
    made.does(endBody(made, 'o1', 'applied'), engine);
    made.refuses(endBody(made, 'o1', 'not_applied'), 'wrong_state', engine);
    made.refuses(endBody(made, 'o2', 'applied'), 'wrong_state', engine);
  });

  test('belongs to the Run that began it (OPS-3)', () => {
    const made = atWork('a', 'b');
    made.does(beginBody(made, 'o1', {}, 'b'), engine);
    made.refuses(endBody(made, 'o1', 'applied'), 'wrong_state', engine);
    const late = { ...endBody(made, 'o1', 'applied'), fence: { ...made.fence('b'), epoch: 9 } };
    made.refuses(late, 'lease_lost', engine);
  });

  test('while it is pending siblings start as they like (D29)', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a');
    begins(made, 'o1');
    made.claim('b');
  });

  test('unknown, it stops the whole item until a person has said what became of it (OPS-6, OPS-7)', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a');
    begins(made, 'o1');
    made.does(endBody(made, 'o1', 'unknown'), engine);
    expect(made.refuses(made.claimBody('b'), 'not_runnable', engine).message).toContain('external effect is unknown');
    expect(made.openKinds()).toEqual(['operation_unknown']);
    made.answer('operation_unknown', 'applied');
    made.claim('b');
  });

  test('the same by command, for a surface that lists operations (OPS-7)', () => {
    const made = atWork();
    const resolve = { type: 'ResolveOperation', operationId: 'o1', effect: 'not_applied', reason: 'I looked' } as const;
    made.refuses(resolve, 'operation_not_found');
    begins(made, 'o1');
    made.refuses(resolve, 'wrong_state');
    made.does(endBody(made, 'o1', 'unknown'), engine);
    made.refuses(resolve, 'user_required', { principal: AGENT });
    made.refuses({ ...resolve, reason: 'x'.repeat(8_001) }, 'invalid_field');
    made.does(resolve);
    expect(made.openKinds()).toEqual([]);
  });

  test('of a Run that ends is unknown, whatever the Run says (OPS-3, OPS-4)', () => {
    const made = atWork();
    begins(made, 'o1');
    made.settle('a', completed(['c1']));
    expect(effects(made)).toEqual([['o1', 'unknown']]);
    expect(made.openKinds()).toEqual(['operation_unknown']);
  });

  const ends: readonly (readonly [string, (made: Scenario) => void])[] = [
    ['its lease runs out', (made) => made.expire('a', 'lease_expired')],
    ['it is interrupted', (made) => made.interrupt('a')],
    ['it says retryable', (made) => made.settle('a', { kind: 'retryable', code: 'x', error: 'x' })],
  ];
  test.each(ends)('a Run that acted outside is not repeated by itself when %s (D11, invariant 5)', (_, end) => {
    const made = atWork();
    begins(made, 'o1');
    made.does(endBody(made, 'o1', 'applied'), engine);
    end(made);
    expect(made.action('a').status).toBe('failed');
    expect(made.item.operations, 'what is known and over is not carried along').toEqual([]);
    expect(opens(made)).toBe('automatic');
  });

  test.each(ends)('nor one of which nobody knows when %s', (_, end) => {
    const made = atWork();
    begins(made, 'o1');
    end(made);
    expect(made.action('a').status).toBe('failed');
    expect(made.openKinds()).toEqual(['operation_unknown']);
    made.answer('operation_unknown', 'not_applied');
    expect(opens(made), 'now it is the Coordinator’s to decide').toBe('automatic');
  });

  test.each(ends)('but one whose call changed nothing is, when %s', (_, end) => {
    const made = atWork();
    begins(made, 'o1');
    made.does(endBody(made, 'o1', 'not_applied'), engine);
    end(made);
    expect(made.action('a').status).toBe('ready');
  });

  test('a held or stopped item begins nothing outside', () => {
    const made = atWork();
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.refuses(beginBody(made, 'o1'), 'item_held', engine);
  });

  test('completion waits for what is unknown (OPS-6)', () => {
    const made = atWork();
    begins(made, 'o1');
    made.settle('a', completed(['c1']));
    made.merge('a');
    says(made, 'finish it');
    opens(made);
    const complete = { kind: 'complete', summary: 'done', residualRisks: [] } as const;
    const body = {
      type: 'Decide',
      turnId: 't2',
      epoch: 2,
      owner: 'w1',
      decisions: [complete],
      reply: '',
      reason: '',
    } as const;
    expect(made.refuses(body, 'invalid_decision', engine).message).toContain('expected nothing uncertain');
  });
});

const CALL = { tool: 'shell', call: 'git push', directory: '/repo', key: 'key-1', pattern: '"git push *"' };

const askBody = (made: Scenario, more: Partial<typeof CALL> = {}, of = 'a') =>
  ({ type: 'AskApproval', fence: made.fence(of), approval: { ...CALL, ...more }, risk: 'it acts outside' }) as const;

const useBody = (made: Scenario, key = 'key-1') => ({ type: 'UseGrant', fence: made.fence('a'), key }) as const;
const wakeBody = (made: Scenario) => ({ type: 'WakeRun', fence: made.fence('a') }) as const;
const idle = (made: Scenario) => made.item.runs.map((run) => run.idle);

/** Asked once, and answered so. */
function asked(choice: 'approve' | 'deny'): Scenario {
  const made = atWork();
  made.does(askBody(made), engine);
  made.answer('tool_approval', choice);
  return made;
}

describe('D16 leave to act', () => {
  test('is asked with what, where and why, and gives the slot back; process and lease stay', () => {
    const made = atWork();
    const writes = made.does(askBody(made), engine);
    expect(writes).toEqual([{ kind: 'lease_idle', resource: 'run:item-1:a', epoch: 1, idle: true }]);
    expect(made.request('tool_approval')).toMatchObject({
      ...{ kind: 'approval', choices: ['approve', 'deny', 'stop'], details: ['in /repo', 'it acts outside'] },
      ...{ question: 'a wants to use shell: git push. Allow it?' },
    });
    expect(idle(made)).toEqual([true]);
    made.refuses(askBody(made), 'nothing_changed', engine);
  });

  test('is given by a person with a button, not by words', () => {
    const made = atWork();
    made.does(askBody(made), engine);
    const answer = { type: 'AnswerRequest', requestId: 'r1', choice: 'approve', text: '' } as const;
    for (const principal of [ENGINE, AGENT]) made.refuses(answer, 'user_required', { principal });
    made.refuses({ ...answer, choice: 'text', text: 'yes' }, 'choice_not_offered');
    says(made, 'approve r1', 'a');
    made.refuses(useBody(made), 'approval_needed', engine);
  });

  test('takes a slot again before it goes on', () => {
    const made = asked('approve');
    const crowded = { facts: { liveRuns: { total: 3, ofOwner: 0, ownerAlone: false } }, concurrency: 3 };
    made.refuses(wakeBody(made), 'concurrency_full', { ...engine, ...crowded });
    const beside = { facts: { liveRuns: { total: 1, ofOwner: 1, ownerAlone: true } } };
    made.refuses(wakeBody(made), 'must_run_alone', { ...engine, ...beside });
    expect(made.does(wakeBody(made), engine)).toMatchObject([{ kind: 'lease_idle', idle: false }]);
    made.refuses(wakeBody(made), 'wrong_state', engine);
  });

  test('is waited for over a restart: the Run settles waiting, nothing is suspected, and the answer starts another', () => {
    const made = atWork();
    made.does(askBody(made), engine);
    made.expire('a', 'engine_died');
    expect(made.action('a')).toMatchObject({ status: 'waiting', suspicions: 0, attempts: 0 });
    expect(made.item.requests.map(({ subject }) => subject.kind)).toEqual(['tool_approval']);
    made.answer('tool_approval', 'approve');
    expect(made.action('a')).toMatchObject({ status: 'ready', grants: [{ key: 'key-1' }] });
  });

  test('is good for one call', () => {
    const made = asked('approve');
    made.refuses(useBody(made, 'key-2'), 'approval_needed', engine);
    made.does(useBody(made), engine);
    made.refuses(useBody(made), 'approval_needed', engine);
  });

  test('is used in the step that puts the call on the ledger, so never twice', () => {
    const made = asked('approve');
    begins(made, 'o1', { grant: 'key-1' });
    made.refuses(beginBody(made, 'o2', { grant: 'key-1' }), 'approval_needed', engine);
    expect(effects(made)).toEqual([['o1', 'pending']]);
  });

  test('a refusal gives none; another call asks anew', () => {
    const made = asked('deny');
    made.refuses(useBody(made), 'approval_needed', engine);
    made.refuses(beginBody(made, 'o1', { grant: 'key-1' }), 'approval_needed', engine);
    made.does(askBody(made, { key: 'key-2' }), engine);
  });

  test('the second time it may be given for a pattern, which lasts for the Action', () => {
    const made = asked('approve');
    made.does(askBody(made, { key: 'key-2' }), engine);
    expect(made.request('tool_approval').choices).toContain('approve_pattern');
    made.answer('tool_approval', 'approve_pattern');
    expect(made.action('a').grants).toEqual([{ key: 'key-1' }, { key: 'key-2', pattern: CALL.pattern }]);
    for (const id of ['o1', 'o2']) begins(made, id, { grant: 'key-2' });
  });

  test('no pattern is offered for a call that none fits', () => {
    const made = asked('approve');
    made.does(askBody(made, { key: 'key-2', pattern: '' }), engine);
    expect(made.request('tool_approval').choices).not.toContain('approve_pattern');
  });

  test('the leave of one Action is no leave of another, and each asks for itself', () => {
    const made = atWork('a', 'b');
    made.does(askBody(made), engine);
    made.does(askBody(made, {}, 'b'), engine);
    made.answer('tool_approval', 'approve');
    expect([made.action('a').grants.length, made.action('b').grants.length]).toEqual([1, 0]);
    expect(made.request('tool_approval').subject).toMatchObject({ actionId: 'b' });
  });

  test('does not depend on the Run: the next one of the generation has it', () => {
    const made = asked('approve');
    made.expire('a', 'lease_expired');
    made.later();
    made.start('a');
    made.does(useBody(made), engine);
  });

  test('does not outlive the generation', () => {
    const made = asked('approve');
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'otherwise' });
    made.start('a');
    made.refuses(useBody(made), 'approval_needed', engine);
  });

  test('a redirect or a stop withdraws the question', () => {
    const made = atWork();
    made.does(askBody(made), engine);
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'otherwise' });
    expect(made.openKinds()).toEqual([]);
  });
});

describe('D16 nobody has answered in time', () => {
  /** Asked, waited for half an hour, and gave up its process. */
  function gaveUp(): Scenario {
    const made = atWork();
    made.does(askBody(made), engine);
    made.later(1_800_000);
    made.settle('a', { kind: 'waiting', question: 'Waits for leave to use shell' });
    return made;
  }

  test('the Run settles waiting, and only the approval is still asked', () => {
    const made = gaveUp();
    expect(made.action('a')).toMatchObject({ status: 'waiting', attempts: 0 });
    expect(made.openKinds()).toEqual(['tool_approval']);
    expect(made.dueKinds()).toEqual([]);
  });

  test('approval starts another Run that has the leave', () => {
    const made = gaveUp();
    made.answer('tool_approval', 'approve');
    expect(made.action('a')).toMatchObject({ status: 'ready', generation: 2, grants: [{ key: 'key-1' }] });
    made.start('a');
    made.does(useBody(made), engine);
  });

  test('refusal starts another Run that is told so', () => {
    const made = gaveUp();
    made.answer('tool_approval', 'deny', 'Push nothing.');
    expect(made.action('a').guidance).toEqual(['A person refused shell: git push. Push nothing.']);
    expect(made.action('a').grants).toEqual([]);
  });

  test('the same in an item with a plan: one question, not two', () => {
    const made = scenario({
      criteria: [criterion('c1')],
      actions: [action('a', { for: ['c1'], executor: AGENT_SPEC })],
    });
    made.start('a');
    calls(made, 'k1', { actionId: 'a' });
    made.does(askBody(made), engine);
    made.settle('a', { kind: 'waiting', question: 'Waits for leave' });
    expect(made.openKinds()).toEqual(['tool_approval']);
    made.answer('tool_approval', 'approve');
    expect(made.action('a').status).toBe('ready');
  });

  test('a message in its place starts it again without leave', () => {
    const made = gaveUp();
    says(made, 'do it without pushing', 'a');
    expect(made.openKinds()).toEqual([]);
    expect(made.action('a')).toMatchObject({ status: 'ready', grants: [] });
  });
});
