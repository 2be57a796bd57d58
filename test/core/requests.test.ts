import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../src/core/index.ts';
import { action, checked, completed, criterion } from './builders.ts';
import { ENGINE, scenario } from './scenario.ts';

const waiting = () => {
  const made = scenario();
  made.start('a');
  made.settle('a', { kind: 'waiting', question: 'Which port?' });
  return made;
};

describe('D16 requests', () => {
  test('a question is opened once, answered once with words, and the answer becomes guidance of the next Run', () => {
    const made = waiting();
    const request = made.request('action_waiting');
    expect(request).toMatchObject({
      id: 'r1',
      kind: 'question',
      question: 'Which port?',
      choices: ['text', 'close', 'stop'],
    });
    const body = { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: '8080' } as const;
    made.does(body);
    expect(made.action('a')).toMatchObject({ status: 'ready', generation: 2, guidance: ['8080'] });
    made.refuses(body, 'request_not_found');
    made.start('a');
    made.settle('a', { kind: 'waiting', question: 'And host?' });
    expect(made.request('action_waiting').id).toBe('r2');
  });

  test('only offered choices answer it, and words are words', () => {
    const made = waiting();
    const body = { type: 'AnswerRequest', requestId: 'r1', text: ' ' } as const;
    made.refuses({ ...body, choice: 'retry' }, 'choice_not_offered');
    made.refuses({ ...body, choice: 'text' }, 'invalid_field');
    made.refuses({ ...body, choice: 'text', text: 'x'.repeat(8_001) }, 'invalid_field');
  });

  test('the close and stop of an answer do what the commands do', () => {
    const closed = waiting();
    closed.answer('action_waiting', 'close', 'never mind');
    expect(closed.action('a')).toMatchObject({ status: 'closed', closeReason: 'never mind' });
    const stopped = waiting();
    stopped.answer('action_waiting', 'stop');
    expect(stopped.item.lifecycle).toBe('cancelled');
    expect(stopped.count('RequestAnswered')).toBe(1);
  });

  test('a request that became moot is withdrawn, with the reason', () => {
    const made = waiting();
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    expect(made.openKinds()).toEqual([]);
    expect(made.events.find((event) => event.body.type === 'RequestWithdrawn')?.body).toMatchObject({
      requestId: 'r1',
      reason: 'no longer so',
    });
  });

  test('a waiting outcome consumes no attempt', () => {
    expect(waiting().action('a').attempts).toBe(0);
  });

  test('requests may be answered while the item is held', () => {
    const made = waiting();
    made.does({ type: 'HoldItem', code: 'user', details: '' });
    made.answer('action_waiting', 'text', '8080');
    expect(made.action('a').status).toBe('ready');
    expect(made.dueKinds()).toEqual([]);
  });

  test('the sentence says what is asked', () => {
    expect(sentenceOf(waiting().item)).toContain('Waiting for you: Which port?');
  });

  test('long details are cut to their end', () => {
    const made = scenario();
    made.start('a');
    made.settle('a', { kind: 'failed', code: 'x', error: `${'.'.repeat(5_000)}the end` });
    const [, detail = ''] = made.request('action_failed').details;
    expect(detail).toHaveLength(1_000);
    expect(detail.endsWith('the end')).toBe(true);
  });
});

describe('D15 retry and redirect', () => {
  const chain = () =>
    scenario({
      criteria: [criterion('c1')],
      actions: [
        action('a'),
        action('b', { dependsOn: ['a'] }),
        action('c', { for: ['c1'], dependsOn: ['b'] }),
        action('d'),
      ],
    });

  test('a completed Action may be retried: all that built on it goes back, siblings keep what they have', () => {
    const made = chain();
    for (const id of ['a', 'b', 'd']) made.completes(id);
    made.start('c');
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1, guidance: 'better' });
    expect(made.item.actions.map(({ id, status, generation }) => [id, status, generation])).toEqual([
      ['a', 'ready', 2],
      ['b', 'ready', 2],
      ['c', 'ready', 2],
      ['d', 'completed', 1],
    ]);
    expect(made.item.runs).toEqual([]);
    expect(made.action('c').lastRun?.status).toBe('superseded');
    expect(made.dueKinds()).toEqual(['a']);
  });

  test('suspects of a refused proof go back once each, in whatever order the plan lists them', () => {
    const made = scenario({
      actions: [action('b', { for: ['c1'], dependsOn: ['a'] }), action('a', { for: ['c1'], maxAttempts: 1 })],
    });
    made.completes('a');
    made.completes('b');
    made.verifies({ c1: 'wrong_exit' });
    made.answer('verification_failed', 'retry', 'look again');
    expect(made.count('ActionReset')).toBe(2);
    expect(made.action('a')).toMatchObject({ generation: 2, grantedAttempts: 1, guidance: ['look again'] });
    expect(made.action('b')).toMatchObject({ generation: 2, guidance: ['look again'] });
  });

  test('redirect restarts a running Action: Run superseded, generation and epoch + 1, no attempt consumed', () => {
    const made = chain();
    made.start('a');
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'else' });
    expect(made.action('a')).toMatchObject({ status: 'ready', generation: 2, attempts: 0, guidance: ['else'] });
    made.claim('a');
    expect(made.item.runs[0]?.epoch).toBe(2);
  });

  test('a redirect needs guidance and an unfinished Action', () => {
    const made = chain();
    made.refuses({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: ' ' }, 'invalid_field');
    made.refuses(
      { type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'x'.repeat(8_001) },
      'invalid_field',
    );
    made.completes('a');
    made.refuses({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'x' }, 'wrong_state');
  });

  test('ready, running and closed Actions are not retried', () => {
    const made = chain();
    made.refuses({ type: 'RetryAction', actionId: 'a', generation: 1 }, 'wrong_state');
    made.start('a');
    made.refuses({ type: 'RetryAction', actionId: 'a', generation: 1 }, 'wrong_state');
    made.does({ type: 'CloseAction', actionId: 'd', generation: 1, reason: '', cascade: false });
    made.refuses({ type: 'RetryAction', actionId: 'd', generation: 1 }, 'wrong_state');
  });

  test('verification is neither redirected nor closed; its retry asks for another', () => {
    const made = scenario();
    made.completes('a');
    made.verifies({ c1: 'wrong_exit' });
    const address = { actionId: 'verify-1', generation: 1 };
    made.refuses({ type: 'RedirectAction', ...address, guidance: 'x' }, 'wrong_state');
    made.refuses({ type: 'CloseAction', ...address, reason: '', cascade: false }, 'wrong_state');
    made.does({ type: 'RetryAction', ...address });
    expect(made.dueKinds()).toEqual(['verify-2']);
  });

  test('a retry that writes nothing leaves the verdict standing: the question comes back instead of a loop', () => {
    const made = scenario();
    made.completes('a');
    made.verifies({ c1: 'wrong_exit' });
    made.answer('verification_failed', 'retry');
    made.start('a');
    made.settle('a', completed());
    made.merge('a', made.item.branch.head);
    expect(made.openKinds()).toEqual(['verification_failed']);
    expect(made.count('ActionAdded')).toBe(1);
  });
});

describe('D2 every stuck state has a question', () => {
  test('a criterion that nothing proved offers its Actions again, or a stop', () => {
    const made = scenario({ criteria: [criterion('c1')] });
    made.completes('a', completed({ c1: 'deferred' }));
    expect(made.request('proof_missing').choices).toEqual(['retry', 'stop']);
    made.answer('proof_missing', 'retry');
    expect(made.dueKinds()).toEqual(['a']);
  });

  test('a check that fails although nobody is for its criterion sends back whoever wrote, and nobody else', () => {
    const reader = action('b', { workspace: 'read' });
    const made = scenario({ criteria: [checked('c1')], actions: [action('a'), reader] });
    made.completes('a');
    made.completes('b');
    made.verifies({ c1: 'timed_out' });
    expect(made.request('verification_failed').choices).toEqual(['retry', 'verify', 'stop']);
    made.answer('verification_failed', 'retry');
    expect(made.dueKinds()).toEqual(['a']);
  });

  test('a check that fails where nobody wrote offers only another verification', () => {
    const reader = action('b', { workspace: 'read' });
    const made = scenario({ criteria: [checked('c1')], actions: [reader] });
    made.completes('b');
    made.verifies({ c1: 'timed_out' });
    expect(made.request('verification_failed').choices).toEqual(['verify', 'stop']);
  });

  test('everything closed: the checks still judge what is there', () => {
    const made = scenario();
    made.does({ type: 'CloseAction', actionId: 'a', generation: 1, reason: '', cascade: false });
    expect(made.dueKinds()).toEqual(['verify-1']);
    made.verifies({ c1: 'passed' });
    expect(made.openKinds()).toEqual(['delivery_blocked']);
    made.refuses({ type: 'RecordPublish', ref: 'x', commit: 'base' }, 'not_deliverable', { principal: ENGINE });
  });
});
