import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { actionSpec, claim, command, dispatch, USER } from './items.ts';
import { withFiles } from './sqlite-files.ts';
import { AGENT, agentItem, call, coordinated, post, responded, runFence } from './talk-items.ts';

/** Two processes would open the same file like this. */
const withTwo = (work: (one: Store, two: Store) => Promise<void>): Promise<void> =>
  withFiles(async ({ open }) => work(await open(), await open()));

const codeOf = async (store: Store, each: Command): Promise<string> => {
  const result = await store.execute(each);
  return 'type' in result ? (result.replayed ? 'replayed' : 'executed') : result.code;
};

async function all(store: Store, ...commands: readonly Command[]): Promise<void> {
  for (const each of commands) expect(await codeOf(store, each)).toBe('executed');
}

const named = (each: Command, key: string): Command => ({ ...each, idempotencyKey: key });

describe('rule 21: one client message id', () => {
  test('has one effect, however many processes say it at once', () =>
    withTwo(async (one, two) => {
      await all(one, coordinated('i1'));
      const said = named(post('i1', 'hello'), 'i1:message:c1');
      const codes = await Promise.all([one, two, one, two].map((store) => codeOf(store, said)));
      expect(codes.toSorted()).toEqual(['executed', 'replayed', 'replayed', 'replayed']);
      expect((await two.entries('i1')).map(({ text }) => text)).toEqual(['hello']);
    }));

  test('has its first effect also when its fence is stale by now', () =>
    withTwo(async (one, two) => {
      await all(one, agentItem('i1'));
      const { body } = post('i1', 'hello', 'a1');
      if (body.type !== 'PostMessage') throw new Error('no message');
      const said = named(command('i1', { ...body, generation: 1 }, { principal: USER }), 'i1:message:c1');
      await all(one, said);
      const redirect = { type: 'RedirectAction', actionId: 'a1', generation: 1, guidance: 'otherwise' } as const;
      await all(one, command('i1', redirect, { principal: USER }));
      expect(await codeOf(two, said)).toBe('replayed');
      expect(await codeOf(two, named(said, 'i1:message:c2'))).toBe('generation_stale');
      expect(await two.entries('i1')).toHaveLength(1);
    }));

  test('is refused for other words, or for somebody else to hear', () =>
    withTwo(async (one, two) => {
      await all(one, agentItem('i1'), coordinated('i2'));
      await all(one, named(post('i1', 'hello', 'a1'), 'c1'));
      expect(await codeOf(two, named(post('i2', 'hello'), 'c1'))).toBe('idempotency_mismatch');
      expect(await codeOf(two, named(post('i1', 'other', 'a1'), 'c1'))).toBe('idempotency_mismatch');
      expect(await two.entries('i2')).toEqual([]);
    }));
});

test('rule 41, G12: of two processes that want the last request of an item one is told no before it has sent anything', () =>
  withTwo(async (one, two) => {
    const actions = ['a1', 'a2'].map((id) => ({ id, spec: actionSpec(id, { executor: AGENT.executor }) }));
    await all(one, agentItem('i1', { actions }, { requests: 1 }));
    for (const id of ['1', '2']) {
      const { body } = claim('i1', `r${id}`);
      if (body.type !== 'Claim') throw new Error('no claim');
      await all(one, command('i1', { ...body, actionId: `a${id}` }), dispatch('i1', `r${id}`));
    }
    const [first, second] = [call('i1', runFence('r1'), 'c1'), call('i1', runFence('r2'), 'c2')];
    const codes = await Promise.all([codeOf(one, first.prepare), codeOf(two, second.prepare)]);
    expect(codes.toSorted()).toEqual(['budget_reserved', 'executed']);
    const won = codes[0] === 'executed' ? first : second;
    await all(one, won.dispatch, won.settle(responded()));
    expect((await two.load('i1'))?.usage.requests).toBe(1);
    expect(await two.calls('i1')).toHaveLength(1);
  }));
