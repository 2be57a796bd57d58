import { expect, test } from 'vitest';
import type { Executed, Store } from '../../src/store/index.ts';
import type { Conformance } from './conformance.ts';
import {
  actionSpec,
  claim,
  command,
  completed,
  create,
  dispatch,
  expire,
  OWNER,
  outcomeOf,
  settle,
  USER,
} from './items.ts';
import {
  AGENT,
  agentItem,
  call,
  coordinated,
  decide,
  ESTIMATE,
  failTurn,
  openTurn,
  post,
  REJECTED,
  responded,
  runFence,
  talkTurn,
  turnFence,
} from './talk-items.ts';

type With = Conformance['withStore'];

/** Executes in order; a refusal fails the test with its words. */
async function run(store: Store, ...commands: readonly Parameters<Store['execute']>[0][]): Promise<Executed> {
  let last: Executed | undefined;
  for (const each of commands) {
    const result = await store.execute(each);
    if (!('type' in result)) throw new Error(`${each.body.type} was refused: ${result.code}: ${result.message}`);
    last = result;
  }
  if (!last) throw new Error('nothing was executed');
  return last;
}

const codeOf = async (store: Store, each: Parameters<Store['execute']>[0]): Promise<string> => {
  const result = await store.execute(each);
  return 'type' in result ? 'executed' : result.code;
};

const deliveries = async (store: Store, itemId: string): Promise<readonly string[]> =>
  (await store.entries(itemId)).map(({ entryId, delivery }) => `${entryId} ${delivery}`);

const running = (store: Store, itemId = 'i1') =>
  run(store, agentItem(itemId), claim(itemId, `${itemId}-r1`), dispatch(itemId, `${itemId}-r1`));

export function entryCases(withStore: With): void {
  test('D14: a message to the Coordinator is queued, scheduled by a turn, queued again when that fails, then delivered', () =>
    withStore(async ({ store, advance }) => {
      await run(store, coordinated('i1'), post('i1', 'How far is it?'));
      expect(await deliveries(store, 'i1')).toEqual(['m1 queued']);
      await run(store, openTurn('i1', 't1'));
      expect(await deliveries(store, 'i1')).toEqual(['m1 scheduled']);
      await run(store, post('i1', 'One more thing.'), failTurn('i1', 't1'));
      expect(await deliveries(store, 'i1')).toEqual(['m1 queued', 'm2 queued']);
      await advance(60_000);
      await run(store, openTurn('i1', 't2'), post('i1', 'And another.'), decide('i1', 't2'));
      expect(await deliveries(store, 'i1')).toEqual(['m1 delivered', 'm2 delivered', 'm3 queued', 't2 delivered']);
      expect((await store.entries('i1')).at(-1)).toMatchObject({
        author: 'coordinator',
        targetKind: 'person',
        targetId: null,
        text: 'It is on its way.',
      });
    }));

  test('a turn that replies nothing leaves no entry', () =>
    withStore(async ({ store }) => {
      const asks = { kind: 'request_human', question: 'Which?', options: [] } as const;
      await run(store, coordinated('i1'), openTurn('i1', 't1'));
      await run(store, decide('i1', 't1', { decisions: [asks], reply: ' \n' }));
      expect(await store.entries('i1')).toEqual([]);
    }));

  test('a held item takes its messages back from the turn that it ends', () =>
    withStore(async ({ store }) => {
      await run(store, coordinated('i1'), post('i1', 'Wait.'), openTurn('i1', 't1'));
      await run(store, command('i1', { type: 'HoldItem', code: 'user', details: 'later' }, { principal: USER }));
      expect(await deliveries(store, 'i1')).toEqual(['m1 queued']);
    }));

  test('D15: a message to a running Action is scheduled by the request that carries it, and delivered by its answer', () =>
    withStore(async ({ store }) => {
      await running(store);
      await run(store, post('i1', 'Mind the tests.', 'a1'), post('i1', 'And the docs.', 'a1'));
      const first = call('i1', runFence('i1-r1'), 'c1', { messages: 1 });
      await run(store, first.prepare);
      expect(await deliveries(store, 'i1')).toEqual(['m1 scheduled', 'm2 queued']);
      await run(store, first.dispatch, first.settle(REJECTED));
      expect(await deliveries(store, 'i1')).toEqual(['m1 queued', 'm2 queued']);
      await run(store, first.dispatch, first.settle(responded()));
      const second = call('i1', runFence('i1-r1'), 'c2', { n: 2, messages: 2 });
      await run(store, second.prepare);
      expect(await deliveries(store, 'i1')).toEqual(['m1 delivered', 'm2 scheduled']);
    }));

  test('D15: what a Run had in hand when it was lost is queued again for the next one', () =>
    withStore(async ({ store, advance }) => {
      await running(store);
      const asked = call('i1', runFence('i1-r1'), 'c1', { messages: 1 });
      await run(store, post('i1', 'Mind the tests.', 'a1'), asked.prepare);
      expect(await deliveries(store, 'i1')).toEqual(['m1 scheduled']);
      await advance(120_000);
      await run(store, expire('i1', 'i1-r1'));
      expect(await deliveries(store, 'i1')).toEqual(['m1 queued']);
    }));

  test('invariant 4: a message that its Action ends without hearing is dropped where everybody sees it', () =>
    withStore(async ({ store }) => {
      await run(store, agentItem('i1'), post('i1', 'Mind the tests.', 'a1'));
      const close = {
        type: 'CloseAction',
        actionId: 'a1',
        generation: 1,
        reason: 'not needed',
        cascade: false,
      } as const;
      await run(store, command('i1', close, { principal: USER }));
      expect(await store.entries('i1')).toMatchObject([
        { entryId: 'm1', delivery: 'rejected', detail: 'Its Action was closed before it was heard.' },
      ]);
    }));

  test('invariant 4: a message to an Action that failed for good is blocked', () =>
    withStore(async ({ store }) => {
      await running(store);
      const failed = outcomeOf({ kind: 'failed', code: 'broken', error: 'It cannot be done.' });
      await run(store, post('i1', 'Mind the tests.', 'a1'), settle('i1', 'i1-r1', failed));
      expect(await store.entries('i1')).toMatchObject([{ entryId: 'm1', delivery: 'blocked' }]);
    }));

  test('rule 17: the message that starts a waiting Action again keeps its place, an older one does not', () =>
    withStore(async ({ store }) => {
      await running(store);
      const waits = outcomeOf({ kind: 'waiting', question: 'Which of the two?' });
      await run(store, post('i1', 'Hurry.', 'a1'), settle('i1', 'i1-r1', waits), post('i1', 'The first.', 'a1'));
      expect((await store.load('i1'))?.actions[0]).toMatchObject({ status: 'ready', generation: 2 });
      expect(await deliveries(store, 'i1')).toEqual(['m1 rejected', 'm2 queued']);
    }));

  test('an answer in words takes effect at once, unless it is the Coordinator’s to hear', () =>
    withStore(async ({ store }) => {
      await running(store);
      await run(store, settle('i1', 'i1-r1', outcomeOf({ kind: 'waiting', question: 'Which?' })));
      const answer = { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'The second.' } as const;
      await run(store, command('i1', answer, { principal: USER }));
      expect(await store.entries('i1')).toMatchObject([
        { entryId: 'r1', author: 'person', targetKind: 'request', targetId: 'r1', delivery: 'delivered' },
      ]);
      const asks = { kind: 'request_human', question: 'Which?', options: [] } as const;
      await run(store, coordinated('i2'), openTurn('i2', 't1'), decide('i2', 't1', { decisions: [asks], reply: '' }));
      await run(store, command('i2', answer, { principal: USER }));
      expect(await deliveries(store, 'i2')).toEqual(['r1 queued']);
      await run(store, openTurn('i2', 't2'), decide('i2', 't2'));
      expect(await deliveries(store, 'i2')).toEqual(['r1 delivered', 't2 delivered']);
    }));

  test('quotes and odd characters come back; events keep what was really said', () =>
    withStore(async ({ store, second }) => {
      await run(store, coordinated('i1'));
      const said = { text: 'half \ud83d and \0', quote: { from: 'a log', text: 'quoted \0' }, attachments: [] };
      const posted = { type: 'PostMessage', target: { kind: 'coordinator' }, ...said } as const;
      await run(store, command('i1', posted, { principal: USER }));
      const entries = await store.entries('i1');
      expect(entries).toMatchObject([{ text: 'half \ufffd and \ufffd', quote: said.quote }]);
      expect(await (await second()).entries('i1')).toEqual(entries);
    }));

  test('pages of a conversation go forwards and backwards, always in order', () =>
    withStore(async ({ store }) => {
      await run(store, coordinated('i1'));
      for (let index = 1; index <= 5; index++) await run(store, post('i1', `Number ${index}`));
      const ids = async (options: Parameters<Store['entries']>[1]) =>
        (await store.entries('i1', options)).map(({ entryId }) => entryId);
      const [, , third] = await store.entries('i1');
      const at = third?.seq ?? 0;
      expect(await ids({ limit: 2 })).toEqual(['m4', 'm5']);
      expect(await ids({ before: at, limit: 1 })).toEqual(['m2']);
      expect(await ids({ after: at, limit: 1 })).toEqual(['m4']);
      expect(await ids({ after: 0, before: at })).toEqual(['m1', 'm2']);
      expect(await store.entries('none')).toEqual([]);
    }));
}

export function callCases(withStore: With): void {
  test('a model request is told over its whole life, with every try, every token and what it cost', () =>
    withStore(async ({ store, advance, now }) => {
      await running(store);
      const preparedAt = now();
      const asked = call('i1', runFence('i1-r1'), 'c1');
      await run(store, asked.prepare);
      const prepared = {
        ...{ itemId: 'i1', callId: 'c1', ownerKind: 'run', ownerId: 'i1-r1', actionId: 'a1', n: 1, tries: 0 },
        ...{ model: 'scripted/one', status: 'prepared', requestHash: 'a'.repeat(64), responseHash: null },
        ...{ estimateTokens: 1_000, estimateCostMicros: 5_000, chargedTokens: null, chargedCostMicros: null },
        ...{ input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null },
        ...{ stop: null, code: null, error: null, preparedAt, dispatchedAt: null, endedAt: null },
      };
      expect(await store.call('i1', 'c1')).toEqual({ ...prepared, seq: (await store.load('i1'))?.version });
      await advance(5);
      await run(store, asked.dispatch, asked.settle(REJECTED));
      const refused = { status: 'rejected', tries: 1, code: 'rate_limited', endedAt: now(), chargedTokens: null };
      expect(await store.call('i1', 'c1')).toMatchObject(refused);
      await advance(5);
      await run(store, asked.dispatch);
      expect(await store.call('i1', 'c1')).toMatchObject({
        status: 'dispatching',
        tries: 2,
        code: null,
        endedAt: null,
      });
      await run(store, asked.settle(responded()));
      expect(await store.call('i1', 'c1')).toMatchObject({
        ...{ status: 'responded', chargedTokens: 700, chargedCostMicros: 2_500, stop: 'end_turn', dispatchedAt: now() },
        ...{ input: 500, output: 200, cacheRead: 10, cacheWrite: 20, reasoning: 30, responseHash: 'b'.repeat(64) },
      });
    }));

  test('calls are found by item and by owner, newest first', () =>
    withStore(async ({ store }) => {
      await running(store);
      for (const n of [1, 2, 3]) {
        const asked = call('i1', runFence('i1-r1'), `c${n}`, { n });
        await run(store, asked.prepare, asked.dispatch, asked.settle(responded(1, null)));
      }
      const ids = async (options: Parameters<Store['calls']>[1]) =>
        (await store.calls('i1', options)).map(({ callId }) => callId);
      expect(await ids({})).toEqual(['c3', 'c2', 'c1']);
      expect(await ids({ ownerId: 'i1-r1', limit: 2 })).toEqual(['c3', 'c2']);
      expect(await ids({ ownerId: 'another' })).toEqual([]);
      const before = (await store.call('i1', 'c2'))?.seq ?? 0;
      expect(await ids({ before })).toEqual(['c1']);
      expect(await ids({ ownerId: 'i1-r1', before })).toEqual(['c1']);
      expect(await store.call('i1', 'c9')).toBeUndefined();
      expect(await store.call('i1', 'c1')).toMatchObject({ chargedTokens: 1, chargedCostMicros: null });
    }));

  test('RES-3, rule 47: a request that was sent when its Run was lost stays charged by its estimate, until it is known better', () =>
    withStore(async ({ store, advance }) => {
      await running(store);
      const asked = call('i1', runFence('i1-r1'), 'c1');
      await run(store, asked.prepare, asked.dispatch);
      await advance(120_000);
      await run(store, expire('i1', 'i1-r1'));
      const { tokens, costMicros } = ESTIMATE;
      const lost = { status: 'unknown', chargedTokens: tokens, chargedCostMicros: costMicros };
      expect(await store.call('i1', 'c1')).toMatchObject(lost);
      const kinds = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 };
      const known = { callId: 'c1', charge: { tokens: 6, costMicros: 7 }, tokens: kinds };
      await run(store, command('i1', { type: 'CorrectCall', ...known }));
      const corrected = { status: 'unknown', chargedTokens: 6, chargedCostMicros: 7, ...kinds };
      expect(await store.call('i1', 'c1')).toMatchObject(corrected);
    }));

  test('a request that its turn did not need any more is abandoned, and why it was refused stays', () =>
    withStore(async ({ store }) => {
      const asked = call('i1', { kind: 'turn', ...turnFence('t1') }, 'c1');
      await run(store, coordinated('i1'), openTurn('i1', 't1'), asked.prepare, asked.dispatch, asked.settle(REJECTED));
      await run(store, failTurn('i1', 't1'));
      const refused = { status: 'abandoned', code: 'rate_limited', actionId: null, ownerKind: 'turn', ownerId: 't1' };
      expect(await store.call('i1', 'c1')).toMatchObject(refused);
    }));

  test('an answer that a turn was given stays when the turn is over', () =>
    withStore(async ({ store }) => {
      await run(store, ...talkTurn('i1', 't1'));
      expect(await store.calls('i1')).toMatchObject([{ callId: 't1-c1', status: 'responded' }]);
    }));

  test('what ran is kept with its Run', () =>
    withStore(async ({ store }) => {
      await run(store, agentItem('i1'), claim('i1', 'r1'));
      const hashes = { vpHash: 'v', policyHash: 'p', systemHash: 's', contextHash: 'c' };
      const agent = {
        ...{ vp: 'implementer', model: 'scripted/one', tools: ['read'], omitted: [], contractVersion: 1 },
        ...hashes,
      };
      const { body } = dispatch('i1', 'r1');
      if (body.type !== 'Dispatch') throw new Error('no dispatch');
      await run(store, command('i1', { ...body, agent }));
      expect((await store.runs('i1'))[0]?.agent).toEqual(agent);
    }));
}

const DAY_MS = 86_400_000;

export function limitCases(withStore: With): void {
  const spend = async (store: Store, runId: string, n: number, tokens: number) => {
    const asked = call('i1', runFence(runId), `c${n}`, { n });
    await run(store, asked.prepare, asked.dispatch, asked.settle(responded(tokens)));
  };

  test('D26: what one store charged today another one counts, and a new day begins at midnight (UTC)', () =>
    withStore(
      async ({ store, second, advance, now }) => {
        await running(store);
        await spend(store, 'i1-r1', 1, 9_500);
        const other = await second();
        const next = call('i1', runFence('i1-r1'), 'c2', { n: 2 });
        expect(await codeOf(other, next.prepare)).toBe('daily_limit');
        await advance(DAY_MS - (now() % DAY_MS) - 1);
        expect(await codeOf(other, next.prepare)).toBe('daily_limit');
        await advance(1);
        expect(await codeOf(other, next.prepare)).toBe('executed');
      },
      { concurrency: 9, dailyTokens: 10_000 },
    ));

  test('D26: the day counts what was sent and lost, and money beside tokens', () =>
    withStore(
      async ({ store, advance }) => {
        await running(store);
        const asked = call('i1', runFence('i1-r1'), 'c1');
        await run(store, asked.prepare, asked.dispatch);
        await advance(120_000);
        await run(store, expire('i1', 'i1-r1'));
        await run(store, agentItem('i2'), claim('i2', 'r2'), dispatch('i2', 'r2'));
        expect(await codeOf(store, call('i2', runFence('r2'), 'c2').prepare)).toBe('daily_limit');
      },
      { concurrency: 9, dailyCostMicros: 9_999 },
    ));

  test('D16: a Run that waits for leave gives its slot back, and takes one again before it goes on', () =>
    withStore(
      async ({ store, second }) => {
        await running(store);
        await run(store, create('i2'));
        const approval = { tool: 'shell', call: 'git push', directory: '/projects', key: 'k1', pattern: '' };
        const fence = { runId: 'i1-r1', epoch: 1, owner: OWNER };
        expect(await codeOf(store, claim('i2', 'r2'))).toBe('concurrency_full');
        await run(store, command('i1', { type: 'AskApproval', fence, approval, risk: 'It leaves this machine.' }));
        expect(await codeOf(await second(), claim('i2', 'r2'))).toBe('executed');
        const wake = command('i1', { type: 'WakeRun', fence });
        expect(await codeOf(store, wake)).toBe('concurrency_full');
        await run(store, dispatch('i2', 'r2'), settle('i2', 'r2'));
        expect(await codeOf(store, wake)).toBe('executed');
        await run(store, create('i3'));
        expect(await codeOf(store, claim('i3', 'r3'))).toBe('concurrency_full');
      },
      { concurrency: 1 },
    ));

  test('D16: an idle lease that is dropped is idle no more for whoever claims next', () =>
    withStore(
      async ({ store, advance }) => {
        await running(store);
        const approval = { tool: 'shell', call: 'git push', directory: '/projects', key: 'k1', pattern: '' };
        const fence = { runId: 'i1-r1', epoch: 1, owner: OWNER };
        await run(store, command('i1', { type: 'AskApproval', fence, approval, risk: 'It leaves this machine.' }));
        await advance(120_000);
        await run(store, expire('i1', 'i1-r1'));
        const leave = { type: 'AnswerRequest', requestId: 'r1', choice: 'approve', text: '' } as const;
        await run(store, command('i1', leave, { principal: USER }));
        await advance(120_000);
        await run(store, claim('i1', 'i1-r2', { generation: 2 }), create('i2'));
        expect(await codeOf(store, claim('i2', 'r2'))).toBe('concurrency_full');
      },
      { concurrency: 1 },
    ));

  test('bodies are stored with the command that names them, and not with one that is refused', () =>
    withStore(async ({ store, second }) => {
      await running(store);
      const asked = call('i1', runFence('i1-r1'), 'c1');
      const text = 'x'.repeat(65_536);
      const executed = await store.executeWith(asked.prepare, [text, new TextEncoder().encode('one')]);
      expect('type' in executed).toBe(true);
      const { hash } = await store.putContent(text);
      expect(Buffer.from((await (await second()).getContent(hash)) ?? []).toString()).toBe(text);
      const refused = await store.executeWith(asked.prepare, ['two']);
      expect('type' in refused).toBe(false);
      const hashOfTwo = '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3';
      expect(await store.getContent(hashOfTwo)).toBeUndefined();
    }));
}

export function moneyCases(withStore: With): void {
  test('a card shows what an item has cost, and a forecast finds what finished items did', () =>
    withStore(async ({ store, advance }) => {
      const spec = { ...AGENT, workspace: 'read' as const };
      const shape = (directory: string) => ({
        contract: { delivery: { target: 'response' as const }, directory },
        actions: [{ id: 'a1', spec }],
      });
      for (const [id, directory] of [
        ['i1', '/p/one'],
        ['i2', '/p/two'],
        ['i3', '/p/two'],
      ] as const) {
        await run(store, agentItem(id, shape(directory)), claim(id, `${id}-r1`), dispatch(id, `${id}-r1`));
        const asked = call(id, runFence(`${id}-r1`), 'c1');
        await run(store, asked.prepare, asked.dispatch, asked.settle(responded(700, id === 'i3' ? null : 2_500)));
        const end = { kind: 'outcome', outcome: completed(), changedPaths: [], receipts: [] } as const;
        if (id !== 'i2') await run(store, settle(id, `${id}-r1`, end));
        await advance(1);
      }
      await run(store, create('i4', { actions: [{ id: 'a1', spec: actionSpec('a1') }] }));
      await run(store, command('i4', { type: 'StopItem', reason: 'enough' }, { principal: USER }));
      const card = (await store.list({ limit: 9 })).items.find(({ id }) => id === 'i2');
      expect(card?.usage).toMatchObject({ requests: 1, tokens: 700, costMicros: 2_500, unpriced: 0 });
      const past = await store.history();
      expect(past.map(({ id }) => id)).toEqual(['i3', 'i1']);
      expect(past[0]?.usage).toMatchObject({ costMicros: 0, unpriced: 1 });
      expect((await store.history('/p/one')).map(({ id }) => id)).toEqual(['i1']);
    }));
}
