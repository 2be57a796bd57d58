import { describe, expect, test } from 'vitest';
import { leaseResource, type Rejection } from '../../src/core/index.ts';
import { checkInvariants } from '../../src/invariants/invariants.ts';
import type { Executed, PolicyChoice, SideRecordQuery, Store } from '../../src/store/index.ts';
import {
  actionSpec,
  claim,
  command,
  completed,
  create,
  createBody,
  dispatch,
  expire,
  LEASE_MS,
  OWNER,
  outcomeOf,
  settle,
  USER,
} from './items.ts';
import { callCases, entryCases, limitCases, moneyCases } from './talk-cases.ts';

/** What the suite needs of a store besides opening it. */
export interface Subject {
  readonly store: Store;
  /** Another store on the same data, as another process would open it. */
  readonly second: () => Promise<Store>;
  /** The clock of both, which only moves when told to. */
  readonly advance: (ms: number) => Promise<void>;
  readonly now: () => number;
}

export interface Conformance {
  readonly name: string;
  /** Runs a test with a fresh store and cleans up behind it. */
  readonly withStore: (work: (subject: Subject) => Promise<void>, policy?: PolicyChoice) => Promise<void>;
  /** Groups of cases this store does not serve, with the reason. */
  readonly skip: Readonly<Partial<Record<Group, string>>>;
}

export type Group = 'door' | 'leases' | 'turns' | 'lists' | 'runs' | 'talk' | 'sides' | 'changes' | 'doctor';

export function executed(result: Executed | Rejection): Executed {
  if ('type' in result) return result;
  throw new Error(`refused: ${result.code}: ${result.message}`);
}

export const refusal = (result: Executed | Rejection): string => ('type' in result ? 'executed' : result.code);

const types = (result: Executed | Rejection): readonly string[] =>
  executed(result).events.map((event) => event.body.type);

async function done(store: Store, itemId: string): Promise<void> {
  executed(await store.execute(create(itemId)));
  executed(await store.execute(claim(itemId, `${itemId}-r1`)));
  executed(await store.execute(dispatch(itemId, `${itemId}-r1`)));
  executed(await store.execute(settle(itemId, `${itemId}-r1`)));
}

type With = Conformance['withStore'];

function doorCases(withStore: With): void {
  test('a created item can be loaded, and its stream has no gaps', () =>
    withStore(async ({ store }) => {
      const result = executed(await store.execute(create('i1')));
      expect(types(result)).toEqual(['ItemCreated', 'ItemStarted']);
      expect(await store.load('i1')).toEqual(result.state);
      expect((await store.events('i1')).map((event) => event.seq)).toEqual([1, 2]);
      expect(await store.events('i1', { after: 1 })).toEqual(result.events.slice(1));
      expect(await store.load('none')).toBeUndefined();
    }));

  test('events are told by their types as well, in their order and page by page', () =>
    withStore(async ({ store }) => {
      await done(store, 'i1');
      await done(store, 'i2');
      const all = await store.events('i1');
      const types = ['RunClaimed', 'RunSettled', 'NoSuchType'];
      const wanted = all.filter(({ body }) => types.includes(body.type));
      expect(wanted.length).toBeGreaterThan(1);
      expect(await store.events('i1', { types })).toEqual(wanted);
      expect(await store.events('i1', { types, limit: 1 })).toEqual(wanted.slice(0, 1));
      expect(await store.events('i1', { types, after: wanted[0]?.seq ?? 0 })).toEqual(wanted.slice(1));
      expect(await store.events('i1', { types: [] })).toEqual([]);
    }));

  test('claim, dispatch and settle lead to a completed Action that holds nothing', () =>
    withStore(async ({ store }) => {
      await done(store, 'i1');
      const state = await store.load('i1');
      expect(state?.actions[0]?.status).toBe('completed');
      expect(state && checkInvariants(state)).toEqual([]);
      expect(await store.liveRuns()).toEqual([]);
    }));

  test('a refusal changes nothing (rule 7)', () =>
    withStore(async ({ store }) => {
      await store.execute(create('i1'));
      const before = await store.load('i1');
      expect(refusal(await store.execute(create('i1')))).toBe('item_exists');
      expect(refusal(await store.execute(settle('i1', 'never')))).toBe('lease_lost');
      expect(refusal(await store.execute(claim('none', 'r1')))).toBe('item_not_found');
      expect(await store.load('i1')).toEqual(before);
    }));

  test('CLM-4, V5: of two stores that claim one Action at once exactly one wins', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      await store.execute(create('i1'));
      await other.load('i1');
      const results = await Promise.all([
        store.execute(claim('i1', 'r1', { owner: 'one' })),
        other.execute(claim('i1', 'r2', { owner: 'two' })),
      ]);
      expect(results.map(refusal).sort()).toEqual(['executed', 'not_runnable']);
      expect(await store.liveRuns()).toHaveLength(1);
    }));

  test('a state cached here is brought up to date with what another store wrote', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      await store.execute(create('i1'));
      await other.execute(claim('i1', 'r1'));
      executed(await store.execute(dispatch('i1', 'r1')));
      executed(await other.execute(settle('i1', 'r1')));
      expect(await store.load('i1')).toEqual(await other.load('i1'));
    }));

  test('D8: the settlement of an old epoch changes nothing, also under the same owner', () =>
    withStore(async ({ store, advance }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      await store.execute(dispatch('i1', 'r1'));
      await advance(LEASE_MS + 1);
      executed(await store.execute(expire('i1', 'r1')));
      executed(await store.execute(claim('i1', 'r2')));
      expect(refusal(await store.execute(settle('i1', 'r1')))).toBe('lease_lost');
      executed(await store.execute(dispatch('i1', 'r2', 2)));
      executed(await store.execute(settle('i1', 'r2', outcomeOf(completed()), 2)));
    }));

  test('V9, V11: a live lease keeps the sweeper away, an expired one does not, and a second sweep finds nothing', () =>
    withStore(async ({ store, advance }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      expect(refusal(await store.execute(expire('i1', 'r1')))).toBe('lease_live');
      await advance(LEASE_MS + 1);
      executed(await store.execute(expire('i1', 'r1')));
      expect(refusal(await store.execute(expire('i1', 'r1')))).toBe('lease_lost');
      expect((await store.load('i1'))?.actions[0]?.status).toBe('ready');
    }));

  test('fifty submissions with one idempotency key make one item, whose id all of them get', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      const submit = (index: number) =>
        (index % 2 ? store : other).execute(create(`i${index}`, {}, { idempotencyKey: 'k' }));
      const results = (await Promise.all(Array.from({ length: 50 }, (_, index) => submit(index)))).map(executed);
      expect(new Set(results.map((result) => result.state.id)).size).toBe(1);
      expect(results.filter((result) => !result.replayed)).toHaveLength(1);
      expect(new Set(results.map((result) => result.events.length))).toEqual(new Set([2]));
    }));

  test('a key that was used for another command is refused, and the first result stays', () =>
    withStore(async ({ store }) => {
      executed(await store.execute(create('i1', {}, { idempotencyKey: 'k' })));
      const other = create('i1', { contract: { title: 'Another' } }, { idempotencyKey: 'k' });
      expect(refusal(await store.execute(other))).toBe('idempotency_mismatch');
      expect(executed(await store.execute(create('i9', {}, { idempotencyKey: 'k' }))).state.id).toBe('i1');
    }));

  test('D14: the item of a submission is found by its key, and by no other', () =>
    withStore(async ({ store }) => {
      executed(await store.execute(create('i1', {}, { idempotencyKey: 'k' })));
      expect([await store.submitted('k'), await store.submitted('K'), await store.submitted('')]).toEqual([
        'i1',
        undefined,
        undefined,
      ]);
    }));

  test('a refused command leaves its idempotency key free', () =>
    withStore(async ({ store }) => {
      const late = command('i1', { type: 'StartItem' }, { idempotencyKey: 'k', principal: USER });
      expect(refusal(await store.execute(late))).toBe('item_not_found');
      await store.execute(create('i1', { start: false }));
      expect(executed(await store.execute(late)).replayed).toBe(false);
      expect(executed(await store.execute(late)).replayed).toBe(true);
    }));

  test('two concurrent creations of one id lead to one item', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      const results = await Promise.all([store.execute(create('i1')), other.execute(create('i1'))]);
      expect(results.map(refusal).sort()).toEqual(['executed', 'item_exists']);
    }));

  test('a stream that is longer than a snapshot loads as it was folded', () =>
    withStore(async ({ store, second }) => {
      await store.execute(create('i1', { start: false }));
      for (let index = 0; index < 70; index++) {
        const held = { type: 'HoldItem', code: 'user', details: `pause ${index}` } as const;
        executed(await store.execute(command('i1', held, { principal: USER })));
        const controlVersion = (await store.load('i1'))?.controlVersion ?? 0;
        executed(await store.execute(command('i1', { type: 'ResumeItem', controlVersion }, { principal: USER })));
      }
      const state = await store.load('i1');
      expect(state?.version).toBe(141);
      expect(await (await second()).load('i1')).toEqual(state);
    }));

  test('listeners hear of commits after they happened, and one that throws disturbs nobody', () =>
    withStore(async ({ store }) => {
      const heard: string[] = [];
      store.onCommit(() => {
        throw new Error('a listener of poor manners');
      });
      const stop = store.onCommit((state, events) => heard.push(`${state.id}@${state.version}+${events.length}`));
      executed(await store.execute(create('i1')));
      await store.execute(create('i1'));
      stop();
      executed(await store.execute(create('i2')));
      expect(heard).toEqual(['i1@2+2']);
    }));
}

function concurrencyCases(withStore: With): void {
  test('the limit of live Runs holds over all stores on the same data', () =>
    withStore(
      async ({ store, second }) => {
        const other = await second();
        for (const id of ['i1', 'i2', 'i3']) await store.execute(create(id));
        const results = await Promise.all([
          store.execute(claim('i1', 'r1')),
          other.execute(claim('i2', 'r2')),
          store.execute(claim('i3', 'r3')),
        ]);
        expect(results.map(refusal).sort()).toEqual(['concurrency_full', 'executed', 'executed']);
      },
      { concurrency: 2 },
    ));

  const inPlace = (mode: 'read' | 'shared') => ({
    contract: { workspace: 'in-place' as const },
    actions: [{ id: 'a1', spec: actionSpec('a1', { workspace: mode }) }],
  });

  test('D29: a writer excludes others from a directory that nothing isolates, until its Run ends', () =>
    withStore(async ({ store }) => {
      await store.execute(create('i1', inPlace('shared')));
      await store.execute(create('i2', inPlace('shared')));
      executed(await store.execute(claim('i1', 'r1')));
      expect(refusal(await store.execute(claim('i2', 'r2')))).toBe('workspace_busy');
      await store.execute(dispatch('i1', 'r1'));
      executed(await store.execute(settle('i1', 'r1')));
      executed(await store.execute(claim('i2', 'r2')));
    }));

  test('TX-5: a refused writer keeps its place, so that readers cannot starve it', () =>
    withStore(async ({ store }) => {
      for (const id of ['i1', 'i3']) await store.execute(create(id, inPlace('read')));
      await store.execute(create('i2', inPlace('shared')));
      executed(await store.execute(claim('i1', 'r1')));
      expect(refusal(await store.execute(claim('i2', 'r2')))).toBe('workspace_busy');
      expect(refusal(await store.execute(claim('i3', 'r3')))).toBe('workspace_busy');
      const held = { type: 'HoldItem', code: 'user', details: 'not now' } as const;
      executed(await store.execute(command('i2', held, { principal: USER })));
      executed(await store.execute(claim('i3', 'r3')));
    }));
}

function leaseCases(withStore: With): void {
  test('a lease has one owner, and its epoch grows with every owner, also after a release', () =>
    withStore(async ({ store, second, advance }) => {
      const other = await second();
      expect(await store.acquireLease('land:x', 'one', 1_000)).toBe(1);
      expect(await other.acquireLease('land:x', 'two', 1_000)).toBeUndefined();
      await store.releaseLease('land:x', 'one', 1);
      expect(await other.acquireLease('land:x', 'two', 1_000)).toBe(2);
      await advance(1_001);
      expect(await store.acquireLease('land:x', 'one', 1_000)).toBe(3);
    }));

  test('D8: an owner renews an expired lease as long as nobody took over', () =>
    withStore(async ({ store, advance }) => {
      await store.acquireLease('x', 'one', 1_000);
      await advance(5_000);
      expect(await store.renewLease('x', 'one', 1, 1_000)).toBe(true);
      expect(await store.acquireLease('x', 'two', 1_000)).toBeUndefined();
      await advance(1_001);
      expect(await store.acquireLease('x', 'two', 1_000)).toBe(2);
      expect(await store.renewLease('x', 'one', 1, 1_000)).toBe(false);
      expect(await store.renewLease('x', 'one', 2, 1_000)).toBe(false);
      await store.releaseLease('x', 'one', 1);
      expect(await store.acquireLease('x', 'three', 1_000)).toBeUndefined();
    }));

  test('the lease of a Run is renewed without an event, and cannot be acquired past the door', () =>
    withStore(async ({ store, advance }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      const version = (await store.load('i1'))?.version;
      await advance(LEASE_MS - 1);
      const resource = leaseResource('i1', 'a1');
      expect(await store.renewLease(resource, OWNER, 1, LEASE_MS)).toBe(true);
      await advance(LEASE_MS - 1);
      expect(await store.expiredRuns({ limit: 10 })).toEqual([]);
      await advance(2);
      expect((await store.expiredRuns({ limit: 10 })).map((run) => [run.itemId, run.runId, run.epoch])).toEqual([
        ['i1', 'r1', 1],
      ]);
      expect(await store.acquireLease(resource, 'thief', 1_000)).toBeUndefined();
      expect((await store.load('i1'))?.version).toBe(version);
    }));
}

function turnCases(withStore: With): void {
  test('items take turns: the one whose last claim is longest ago comes first', () =>
    withStore(async ({ store, advance, now }) => {
      const two = [
        { id: 'a1', spec: actionSpec('a1') },
        { id: 'a2', spec: actionSpec('a2') },
      ];
      for (const id of ['i1', 'i2']) {
        await store.execute(create(id, { actions: two }));
        await advance(10);
      }
      const due = async () => (await store.dueItems({ now: now(), limit: 10 })).map((item) => item.itemId);
      expect(await due()).toEqual(['i1', 'i2']);
      await store.execute(claim('i1', 'r1'));
      expect(await due()).toEqual(['i2', 'i1']);
    }));

  test('pages of due items continue behind the last one', () =>
    withStore(async ({ store, now }) => {
      for (const id of ['i1', 'i2', 'i3', 'i4', 'i5']) await store.execute(create(id));
      const first = await store.dueItems({ now: now(), limit: 2 });
      const second = await store.dueItems({ now: now(), limit: 10, ...(first[1] ? { after: first[1] } : {}) });
      expect([...first, ...second].map((item) => item.itemId)).toEqual(['i1', 'i2', 'i3', 'i4', 'i5']);
    }));

  test('a retry that lies ahead is not due yet, and says when it will be', () =>
    withStore(async ({ store, advance, now }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      await store.execute(dispatch('i1', 'r1'));
      const failed = { kind: 'retryable', code: 'flaky', error: 'It may work next time.' } as const;
      executed(await store.execute(settle('i1', 'r1', outcomeOf(failed))));
      expect(await store.dueItems({ now: now(), limit: 10 })).toEqual([]);
      const at = await store.nextDueAt(now());
      expect(at).toBeGreaterThan(now());
      await advance((at ?? 0) - now());
      expect((await store.dueItems({ now: now(), limit: 10 })).map((item) => item.itemId)).toEqual(['i1']);
      expect(await store.nextDueAt(now())).toBeNull();
    }));

  test('a running, a held and a draft item owe nothing', () =>
    withStore(async ({ store, now }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      await store.execute(create('i2'));
      const held = { type: 'HoldItem', code: 'user', details: 'not now' } as const;
      await store.execute(command('i2', held, { principal: USER }));
      await store.execute(create('i3', { start: false }));
      expect(await store.dueItems({ now: now(), limit: 10 })).toEqual([]);
    }));
}

function listCases(withStore: With): void {
  const ids = (page: { items: readonly { id: string }[] }): readonly string[] => page.items.map((item) => item.id);

  test('a list is newest change first, in pages that neither repeat nor leave out', () =>
    withStore(async ({ store, advance }) => {
      for (let index = 0; index < 7; index++) {
        await store.execute(create(`i${index}`, { start: index % 2 === 0 }));
        if (index % 3 === 0) await advance(1);
      }
      const whole = ids(await store.list({ limit: 100 }));
      expect(whole[0]).toBe('i6');
      const paged: string[] = [];
      for (let cursor: string | undefined = '', more = true; more; ) {
        const page: Awaited<ReturnType<Store['list']>> = await store.list({ limit: 2, ...(cursor ? { cursor } : {}) });
        paged.push(...ids(page));
        cursor = page.nextCursor;
        more = cursor !== undefined;
      }
      expect(paged).toEqual(whole);
      expect(new Set(paged).size).toBe(7);
    }));

  test('lanes, directory and search narrow a list; counts are of the directory', () =>
    withStore(async ({ store }) => {
      await store.execute(create('i1', { contract: { title: 'Fix 100% of it', directory: '/p/one' } }));
      await store.execute(create('i2', { contract: { title: 'Fix 100 of it', directory: '/p/two' } }));
      await store.execute(create('i3', { contract: { goal: 'A_B', directory: '/p/two' }, start: false }));
      expect(ids(await store.list({ limit: 9, lane: 'draft' }))).toEqual(['i3']);
      expect(ids(await store.list({ limit: 9, directory: '/p/one' }))).toEqual(['i1']);
      expect(ids(await store.list({ limit: 9, search: '100%' }))).toEqual(['i1']);
      expect(ids(await store.list({ limit: 9, search: 'a_b' }))).toEqual(['i3']);
      expect(ids(await store.list({ limit: 9, search: 'fix' })).toSorted()).toEqual(['i1', 'i2']);
      expect((await store.list({ limit: 9 })).counts).toEqual({ needs_you: 0, active: 2, done: 0, draft: 1 });
      const two = await store.list({ limit: 9, directory: '/p/two' });
      expect(two.counts).toEqual({ needs_you: 0, active: 1, done: 0, draft: 1 });
    }));

  test('a list of the last days keeps what has needed a person since before (chapter 4 §10.7)', () =>
    withStore(async ({ store, advance, now }) => {
      for (const id of ['old', 'held']) await store.execute(create(id));
      const held = { type: 'HoldItem', code: 'user', details: 'until Monday' } as const;
      await store.execute(command('held', held, { principal: USER }));
      await advance(10);
      const updatedFrom = now();
      await store.execute(create('new'));
      expect(ids(await store.list({ limit: 9, updatedFrom }))).toEqual(['new', 'held']);
      expect(ids(await store.list({ limit: 9, updatedFrom, search: 'work', lane: 'active' }))).toEqual(['new']);
      expect(ids(await store.list({ limit: 9, updatedFrom, directory: '/projects/example' }))).toHaveLength(2);
      expect(ids(await store.list({ limit: 9 }))).toHaveLength(3);
    }));

  test('D37: a list is narrowed to the tool that created its items, and to a session of it', () =>
    withStore(async ({ store }) => {
      const origins = { i1: { client: 'ide', sessionId: 's1' }, i2: { client: 'ide', sessionId: 's2' }, i3: undefined };
      for (const [id, origin] of Object.entries(origins)) {
        const made = create(id);
        const body = origin && made.body.type === 'CreateItem' ? { ...made.body, origin } : made.body;
        executed(await store.execute({ ...made, body }));
      }
      expect(ids(await store.list({ limit: 9, originClient: 'ide' }))).toEqual(['i2', 'i1']);
      expect(ids(await store.list({ limit: 9, originClient: 'ide', originSession: 's1' }))).toEqual(['i1']);
      expect(ids(await store.list({ limit: 9, originSession: 's2', search: 'work', lane: 'active' }))).toEqual(['i2']);
      expect(ids(await store.list({ limit: 9, originClient: 'id' }))).toEqual([]);
      const first = await store.list({ limit: 1, originClient: 'ide' });
      expect(ids(await store.list({ limit: 9, originClient: 'ide', cursor: first.nextCursor ?? '' }))).toEqual(['i1']);
      expect((await store.doctor()).findings).toEqual([]);
    }));

  test('directories are told by name with the items of each lane, page by page', () =>
    withStore(async ({ store }) => {
      for (const [id, directory] of Object.entries({ i1: '/p/b', i2: '/p/a', i3: '/p/c', i4: '/p/b' })) {
        await store.execute(create(id, { contract: { directory }, start: id !== 'i4' }));
      }
      const none = { needs_you: 0, active: 0, done: 0, draft: 0 };
      const first = await store.directories({ limit: 2 });
      expect(first).toEqual([
        { directory: '/p/a', counts: { ...none, active: 1 } },
        { directory: '/p/b', counts: { ...none, active: 1, draft: 1 } },
      ]);
      expect(await store.directories({ after: '/p/b', limit: 2 })).toMatchObject([{ directory: '/p/c' }]);
      await store.execute(command('i3', { type: 'StopItem', reason: 'enough' }, { principal: USER }));
      expect(await store.directories({ after: '/p/b', limit: 2 })).toMatchObject([{ counts: { ...none, done: 1 } }]);
    }));

  test('a search walks through more items than one step looks at', () =>
    withStore(async ({ store }) => {
      await store.execute(create('needle', { contract: { title: 'A needle' }, start: false }));
      for (let index = 0; index < 1_050; index++) await store.execute(create(`hay${index}`, { start: false }));
      expect(ids(await store.list({ limit: 5, search: 'needle' }))).toEqual(['needle']);
      const page = await store.list({ limit: 1_050 - 600, search: 'Make it' });
      const rest = await store.list({ limit: 500, search: 'make IT', cursor: page.nextCursor ?? '' });
      const last = await store.list({ limit: 500, search: 'make', cursor: rest.nextCursor ?? '' });
      expect(new Set([page, rest, last].flatMap(ids)).size).toBe(1_050);
    }));

  test('a card follows the item: lane, proof and what runs', () =>
    withStore(async ({ store }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      expect((await store.list({ limit: 1 })).items[0]).toMatchObject({
        lane: 'active',
        running: 1,
        proven: 0,
        total: 1,
      });
      await store.execute(command('i1', { type: 'StopItem', reason: 'enough' }, { principal: USER }));
      const page = await store.list({ limit: 1 });
      expect(page.items[0]).toMatchObject({ lifecycle: 'cancelled', lane: 'done', running: 0 });
      expect(page.counts).toEqual({ needs_you: 0, active: 0, done: 1, draft: 0 });
    }));

  test('a cursor from elsewhere and a limit out of range are programmer errors', () =>
    withStore(async ({ store }) => {
      await expect(store.list({ limit: 1, cursor: 'nonsense' })).rejects.toThrow(RangeError);
      await expect(store.list({ limit: 0 })).rejects.toThrow(RangeError);
    }));

  test('items are found by the beginning of their id, wildcards meaning nothing', () =>
    withStore(async ({ store }) => {
      for (const id of ['ab1', 'ab2', 'b1']) await store.execute(create(id));
      expect(await store.findItems('ab')).toEqual(['ab1', 'ab2']);
      expect(await store.findItems('%')).toEqual([]);
    }));
}

function runCases(withStore: With): void {
  test('V15: a Run is told over its whole life, newest first', () =>
    withStore(async ({ store, advance, now }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      expect(await store.runs('i1')).toMatchObject([{ runId: 'r1', status: 'running', dispatchedAt: null }]);
      await store.execute(dispatch('i1', 'r1'));
      const failed = { kind: 'retryable', code: 'flaky', error: 'It may work next time.' } as const;
      await store.execute(settle('i1', 'r1', outcomeOf(failed)));
      await advance(120_000);
      executed(await store.execute(claim('i1', 'r2')));
      executed(await store.execute(dispatch('i1', 'r2', 2)));
      executed(await store.execute(settle('i1', 'r2', outcomeOf(completed()), 2)));
      const runs = await store.runs('i1');
      expect(runs).toMatchObject([
        { runId: 'r2', status: 'completed', summary: 'It works.', commit: 'c'.repeat(40), attemptCharged: true },
        { runId: 'r1', status: 'retryable', code: 'flaky', error: 'It may work next time.' },
      ]);
      expect(runs[0]?.endedAt).toBe(now());
      expect(runs[0]?.usage?.wallMs).toBe(1_000);
      expect(await store.runs('i1', { limit: 1 })).toHaveLength(1);
      expect(await store.runs('i1', { actionId: 'a2' })).toEqual([]);
      const before = runs[0]?.startedSeq ?? 0;
      for (const options of [{ before }, { before, actionId: 'a1' }]) {
        expect((await store.runs('i1', options)).map(({ runId }) => runId)).toEqual(['r1']);
      }
      expect(await store.run('i1', 'r1')).toEqual(runs[1]);
      expect(await store.run('i1', 'r3')).toBeUndefined();
      expect(await store.run('i2', 'r1')).toBeUndefined();
    }));
}

function oddTextCases(withStore: With): void {
  test('a summary with a NUL and half a character settles, and is told as far as it can be stored', () =>
    withStore(async ({ store, second }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      await store.execute(dispatch('i1', 'r1'));
      const odd = { ...completed(), summary: 'half \ud83d and \0 in it' };
      executed(await store.execute(settle('i1', 'r1', outcomeOf(odd))));
      expect((await store.runs('i1'))[0]?.summary).toBe('half \ufffd and \ufffd in it');
      expect(await (await second()).load('i1')).toEqual(await store.load('i1'));
    }));
}

function sideCases(withStore: With): void {
  const worker = { owner: OWNER, machine: 'm1', pid: 7, startTime: '99', bootId: 'b1', version: '0.1.0' };

  test('a worker is known by its heartbeat, and by an orderly stop', () =>
    withStore(async ({ store, advance, now }) => {
      const start = now();
      await store.heartbeat(worker);
      await advance(10);
      await store.heartbeat(worker);
      expect(await store.workers()).toEqual([
        { ...worker, firstSeenAt: start, heartbeatAt: start + 10, stoppedAt: null },
      ]);
      await store.stopWorker(OWNER);
      expect((await store.workers())[0]?.stoppedAt).toBe(start + 10);
    }));

  test('a worker that has ended holds no lease any more, but for those of its Runs', () =>
    withStore(async ({ store }) => {
      await store.execute(create('i1'));
      await store.execute(claim('i1', 'r1'));
      await store.acquireLease('branch:i1', OWNER, 60_000);
      await store.acquireLease('branch:i2', 'another', 60_000);
      await store.stopWorker(OWNER);
      expect(await store.acquireLease('branch:i1', 'another', 60_000)).toBe(2);
      expect(await store.acquireLease('branch:i2', OWNER, 60_000)).toBeUndefined();
      expect((await store.liveRuns()).map(({ runId }) => runId)).toEqual(['r1']);
    }));

  test('processes are recorded per Run and machine, and forgotten', () =>
    withStore(async ({ store, now }) => {
      const row = { runId: 'r1', itemId: 'i1', owner: OWNER, machine: 'm1', pid: 42, startTime: '1' };
      await store.recordProcess(row);
      await store.recordProcess({ ...row, pid: 43 });
      await store.recordProcess({ ...row, runId: 'r2', machine: 'm2' });
      expect(await store.processes({ machine: 'm1' })).toEqual([{ ...row, pid: 43, recordedAt: now() }]);
      await store.forgetProcess('r1');
      expect((await store.processes()).map((process) => process.runId)).toEqual(['r2']);
    }));

  test('content is kept once by its hash, and collected by age unless it is referenced', () =>
    withStore(async ({ store, advance, now }) => {
      const a = await store.putContent('grün');
      expect(await store.putContent(new TextEncoder().encode('grün'))).toEqual(a);
      expect(a.bytes).toBe(5);
      const b = await store.putContent('b');
      const c = await store.putContent('c');
      await advance(10);
      await store.putContent('b');
      expect(await store.gcContent({ olderThan: now(), referenced: new Set([c.hash]) })).toBe(1);
      expect(await store.getContent(a.hash)).toBeUndefined();
      expect(Buffer.from((await store.getContent(b.hash)) ?? []).toString()).toBe('b');
      expect(Buffer.from((await store.getContent(c.hash)) ?? []).toString()).toBe('c');
      await advance(10);
      await store.putContent('c');
      expect(await store.gcContent({ olderThan: now(), only: [c.hash] })).toBe(0);
      await store.putContent('d');
      await advance(10);
      expect(await store.gcContent({ olderThan: now(), only: [c.hash, a.hash] })).toBe(1);
      expect(await store.getContent(b.hash)).toBeDefined();
    }));

  test('a record is written by whoever knows its version, and listed by its time', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      const put = (id: string, at: number, n: number, expected: number) =>
        store.putRecord({ kind: 'hook', id, at, value: { n } }, expected);
      expect(await put('a', 5, 1, 0)).toBe(true);
      expect(await put('a', 5, 2, 0)).toBe(false);
      expect(await put('a', 7, 2, 1)).toBe(true);
      expect(await put('a', 7, 3, 1)).toBe(false);
      expect(await other.getRecord('hook', 'a')).toEqual({ kind: 'hook', id: 'a', version: 2, at: 7, value: { n: 2 } });
      for (const id of ['c', 'b', 'ä']) await put(id, 6, 0, 0);
      await store.putRecord({ kind: 'token', id: 'a', at: 1, value: {} }, 0);
      const ids = async (query: SideRecordQuery) => (await other.listRecords('hook', query)).map(({ id }) => id);
      expect(await ids({ limit: 9 })).toEqual(['b', 'c', 'ä', 'a']);
      expect(await ids({ limit: 2, newestFirst: true })).toEqual(['a', 'ä']);
      expect(await ids({ limit: 9, newestFirst: true, behind: { at: 6, id: 'ä' } })).toEqual(['c', 'b']);
      expect(await ids({ limit: 2, until: 6, behind: { at: 6, id: 'b' } })).toEqual(['c', 'ä']);
      expect(await other.dropRecord('hook', 'a', 1)).toBe(false);
      expect(await other.dropRecord('hook', 'b', 1)).toBe(true);
      expect(await other.dropRecord('hook', 'a')).toBe(true);
      expect(await store.dropRecord('hook', 'a')).toBe(false);
      expect(await store.getRecord('token', 'a')).toBeDefined();
    }));

  test('settings are written by whoever read the present version', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      expect(await store.readSettings()).toEqual({ version: 0, value: {} });
      expect(await store.writeSettings(0, { concurrency: 2 })).toBe(true);
      expect(await other.writeSettings(0, { concurrency: 9 })).toBe(false);
      expect(await other.writeSettings(1, { concurrency: 3 })).toBe(true);
      expect(await store.readSettings()).toEqual({ version: 2, value: { concurrency: 3 } });
    }));
}

function changeCases(withStore: With): void {
  test('what another store wrote is seen through the cursor, once', () =>
    withStore(async ({ store, second }) => {
      const other = await second();
      await other.execute(create('i0'));
      const { cursor } = await store.changedSince(undefined);
      await other.execute(create('i1'));
      await other.execute(claim('i1', 'r1'));
      const changes = await store.changedSince(cursor);
      expect(changes.items).toEqual([{ itemId: 'i1', first: 1, version: 3 }]);
      expect((await store.changedSince(changes.cursor)).items).toEqual([]);
    }));
}

function doctorCases(withStore: With): void {
  test('the doctor finds nothing after ordinary work, also while Runs are live', () =>
    withStore(async ({ store }) => {
      await done(store, 'i1');
      await store.execute(create('i2', { contract: { workspace: 'in-place' } }));
      executed(await store.execute(claim('i2', 'r2')));
      await store.execute(command('i3', createBody({ start: false }), { principal: USER }));
      const report = await store.doctor();
      expect(report.findings).toEqual([]);
      expect(report).toMatchObject({ healthy: true, items: 3 });
      expect(await store.repair()).toEqual({ repaired: [], left: [] });
    }));
}

/** One suite for every store: what it serves it serves exactly like the others. */
export function conformance({ name, withStore, skip }: Conformance): void {
  const groups: readonly (readonly [Group, (withStore: With) => void])[] = [
    ['door', doorCases],
    ['door', concurrencyCases],
    ['leases', leaseCases],
    ['turns', turnCases],
    ['lists', listCases],
    ['runs', runCases],
    ['runs', oddTextCases],
    ['talk', entryCases],
    ['talk', callCases],
    ['talk', limitCases],
    ['lists', moneyCases],
    ['sides', sideCases],
    ['changes', changeCases],
    ['doctor', doctorCases],
  ];
  for (const [group, cases] of groups) {
    const reason = skip[group];
    const title = reason === undefined ? `${name}: ${group}` : `${name}: ${group} (skipped: ${reason})`;
    describe.skipIf(reason !== undefined)(title, () => cases(withStore));
  }
}
