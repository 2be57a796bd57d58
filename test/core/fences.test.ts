import { describe, expect, test } from 'vitest';
import { leaseResource } from '../../src/core/index.ts';
import { action, completed, createBody, ENFORCED } from './builders.ts';
import { ENGINE, Scenario, scenario } from './scenario.ts';

describe('D5 fences: a stale one is refused and changes nothing', () => {
  test('Action generation', () => {
    const made = scenario();
    made.fails('a');
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    const old = { actionId: 'a', generation: 1 };
    made.refuses({ ...made.claimBody('a'), generation: 1 }, 'generation_stale', { principal: ENGINE });
    made.refuses({ type: 'RetryAction', ...old }, 'generation_stale');
    made.refuses({ type: 'RedirectAction', ...old, guidance: 'x' }, 'generation_stale');
    made.refuses({ type: 'CloseAction', ...old, reason: '', cascade: false }, 'generation_stale');
  });

  test('contract version; a title alone counts it up but supersedes nothing', () => {
    const made = scenario();
    const { contract } = made.item;
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...contract, title: 'Two' } });
    expect(made.action('a').status).toBe('ready');
    const refusal = made.refuses(
      { type: 'EditContract', contractVersion: 1, contract: { ...contract, title: 'Three' } },
      'contract_version_stale',
    );
    expect(refusal).toMatchObject({ expected: 'contract version 1', found: '2' });
  });

  test('what does not exist is named with what does', () => {
    const made = scenario();
    const refusal = made.refuses({ type: 'RetryAction', actionId: 'zz', generation: 1 }, 'action_not_found');
    expect(refusal.expected).toBe('one of: a');
    made.refuses({ type: 'AnswerRequest', requestId: 'r9', choice: 'retry', text: '' }, 'request_not_found');
    expect(() => new Scenario().does({ type: 'StartItem' })).toThrow('item_not_found');
  });

  test('an item is created once', () => {
    scenario().refuses(createBody({}), 'item_exists');
  });
});

describe('D8 epochs', () => {
  test('the epoch of an Action only grows, whatever its generation', () => {
    const made = scenario();
    made.start('a');
    made.expire('a', 'lease_expired');
    made.later();
    made.start('a');
    expect(made.item.runs[0]).toMatchObject({ epoch: 2, ordinal: 2, generation: 1 });
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'x' });
    made.claim('a');
    expect(made.item.runs[0]).toMatchObject({ epoch: 3, ordinal: 3, generation: 2 });
  });

  test('rule 5: a late owner can neither dispatch nor settle, and its successor is untouched', () => {
    const made = scenario();
    made.start('a');
    const late = made.settleBody('a', completed(['c1']));
    made.expire('a', 'lease_expired');
    made.later();
    made.start('a');
    made.refuses(late, 'lease_lost', { principal: ENGINE });
    made.refuses({ type: 'Dispatch', fence: late.fence, base: 'b', enforcement: ENFORCED }, 'lease_lost', {
      principal: ENGINE,
    });
  });

  test('the same Run at another epoch, or of another owner, is a lost lease', () => {
    const made = scenario();
    made.start('a');
    const body = made.settleBody('a', completed(['c1']));
    made.refuses({ ...body, fence: { ...body.fence, epoch: 2 } }, 'lease_lost', { principal: ENGINE });
    made.refuses({ ...body, fence: { ...body.fence, owner: 'w2' } }, 'lease_lost', { principal: ENGINE });
  });

  test('a lease that is live is not expired; one that was renewed meanwhile saves its Run', () => {
    const made = scenario();
    made.start('a');
    const resource = leaseResource(made.itemId, 'a');
    const lease = { resource, owner: 'w1', epoch: 1, expiresAt: made.now + 1 };
    made.refuses(made.expireBody('a', 'lease_expired'), 'lease_live', { principal: ENGINE, facts: { lease } });
    made.does(made.expireBody('a', 'lease_expired'), {
      principal: ENGINE,
      facts: { lease: { ...lease, expiresAt: made.now } },
    });
    expect(made.action('a').status).toBe('ready');
  });

  test('a provable death does not wait for the lease; a repeated sweep finds nothing (REC-2)', () => {
    const made = scenario();
    made.start('a');
    const body = made.expireBody('a', 'engine_died');
    const lease = { resource: 'x', owner: 'w1', epoch: 1, expiresAt: made.now + 60_000 };
    made.does(body, { principal: ENGINE, facts: { lease } });
    made.refuses(body, 'lease_lost', { principal: ENGINE });
  });

  test('a claim puts the lease with the epoch of its Run', () => {
    const made = scenario();
    expect(made.claim('a')).toEqual([
      {
        kind: 'lease_put',
        lease: { resource: leaseResource(made.itemId, 'a'), owner: 'w1', epoch: 1, expiresAt: made.now + 60_000 },
        itemId: 'item-1',
        runId: 'run-1',
        alone: false,
      },
    ]);
  });
});

describe('D7 identity', () => {
  test('the spec is hashed once and carried by every Run; attempts are not meaning', () => {
    const made = scenario({
      actions: [
        action('a', { for: ['c1'] }),
        action('b', {
          name: 'a',
          brief: { objective: 'do a' },
          for: ['c1'],
          executor: { kind: 'command', run: './a', identity: 'a' },
          maxAttempts: 5,
        }),
      ],
    });
    expect(made.action('a').specHash).toMatch(/^v1:[0-9a-f]{64}$/);
    expect(made.action('a').specHash).toBe(made.action('b').specHash);
    made.claim('a');
    expect(made.item.runs[0]?.specHash).toBe(made.action('a').specHash);
  });

  test('V17, chapter 2 C13: a new generation starts clean: no result, no merge, no failure of the old one', () => {
    const made = scenario();
    made.completes('a');
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    const { result, failureCode, runId, merge } = made.action('a');
    expect({ result, failureCode, runId, merge }).toEqual({
      result: undefined,
      failureCode: undefined,
      runId: undefined,
      merge: { kind: 'none' },
    });
  });
});
