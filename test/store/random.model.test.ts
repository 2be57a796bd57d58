import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Command, checkStep, type ItemState } from '../../src/core/index.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { refusal } from './conformance.ts';
import {
  actionSpec,
  claim,
  command,
  completed,
  create,
  dispatch,
  expire,
  LEASE_MS,
  outcomeOf,
  settle,
  USER,
} from './items.ts';
import { withFiles } from './sqlite-files.ts';

/** One thing that may be tried, with small numbers so that tries meet each other. */
interface Try {
  readonly what: number;
  readonly item: number;
  readonly action: number;
  readonly nth: number;
  readonly advanceMs: number;
}

const tries: fc.Arbitrary<Try> = fc.record({
  what: fc.nat(11),
  item: fc.nat(2),
  action: fc.nat(1),
  nth: fc.nat(3),
  advanceMs: fc.constantFrom(0, 1, 1_000, LEASE_MS + 1, 120_000),
});

const ACTIONS = [
  { id: 'a1', spec: actionSpec('a1', { workspace: 'shared' }) },
  { id: 'a2', spec: actionSpec('a2', { workspace: 'read' }) },
];

const FAILED = { kind: 'retryable', code: 'flaky', error: 'It may work next time.' } as const;

/** The try as a command that fits the state it meets, more often than not. */
function commandOf({ what, item, action, nth }: Try, state: ItemState | undefined): Command {
  const id = `i${item}`;
  const actionId = ACTIONS[action]?.id ?? 'a1';
  const target = state?.actions.find((candidate) => candidate.id === actionId);
  const epoch = (target?.leaseEpoch ?? 0) + (nth === 3 ? -1 : 0);
  const generation = target?.generation ?? 1;
  const run = target?.runId ?? `none-${nth}`;
  const user = { principal: USER };
  const version = { controlVersion: state?.controlVersion ?? 0 };
  const all: readonly Command[] = [
    create(id, { actions: ACTIONS, contract: { workspace: item === 0 ? 'isolated' : 'in-place' } }),
    claim(id, `r-${id}-${actionId}-${epoch + 1}`, { actionId, generation }),
    claim(id, `r-${id}-${actionId}-${epoch + 1}`, { actionId, generation, owner: 'owner-b' }),
    dispatch(id, run, epoch),
    settle(id, run, outcomeOf(completed()), epoch),
    settle(id, run, outcomeOf(FAILED), epoch),
    expire(id, run, epoch),
    command(id, { type: 'HoldItem', code: 'user', details: 'wait' }, user),
    command(id, { type: 'ResumeItem', ...version }, user),
    command(id, { type: 'StopItem', reason: 'enough' }, user),
    command(id, { type: 'ReopenItem' }, user),
    command(id, { type: 'RetryAction', actionId, generation }, user),
  ];
  return all[what] ?? create(id);
}

/** Everything that two stores must agree on. */
async function picture(store: Store, now: number): Promise<unknown> {
  const ids = ['i0', 'i1', 'i2'];
  return {
    states: await Promise.all(ids.map((id) => store.load(id))),
    events: await Promise.all(ids.map((id) => store.events(id))),
    runs: await Promise.all(ids.map((id) => store.runs(id))),
    live: await store.liveRuns(),
    expired: await store.expiredRuns({ limit: 9 }),
    due: await store.dueItems({ now, limit: 9 }),
    next: await store.nextDueAt(now),
    list: await store.list({ limit: 9 }),
  };
}

async function agree(steps: readonly Try[], seen: Set<string>): Promise<void> {
  await withFiles(async ({ open, now, advance }) => {
    const policy = () => ({ concurrency: 3 });
    const stores: readonly [Store, Store, Store] = [
      await open({ policy, cache: { items: 1, chars: 10_000 } }),
      await open({ policy }),
      openMemoryStore({ now, policy }),
    ];
    const [one, two, oracle] = stores;
    for (const [index, step] of steps.entries()) {
      advance(step.advanceMs);
      const before = await oracle.load(`i${step.item}`);
      const wanted = commandOf(step, before);
      const expected = refusal(await oracle.execute(wanted));
      expect(refusal(await (index % 2 ? one : two).execute(wanted))).toBe(expected);
      seen.add(`${wanted.body.type} ${expected === 'executed' ? 'executed' : 'refused'}`);
      const after = await oracle.load(`i${step.item}`);
      if (before && after) expect(checkStep(before, after)).toEqual([]);
    }
    const expected = await picture(oracle, now());
    expect(await picture(one, now())).toEqual(expected);
    expect(await picture(two, now())).toEqual(expected);
    for (const store of stores) expect((await store.doctor()).findings).toEqual([]);
  });
}

describe('two SQLite stores on one file and the memory store', () => {
  test('agree on every answer and every row of random histories, and the doctor finds nothing', async () => {
    const seen = new Set<string>();
    const history = fc.array(tries, { minLength: 30, maxLength: 60 });
    // A run that never tried something proves nothing about it.
    const kinds = [
      'CreateItem',
      'Claim',
      'Dispatch',
      'Settle',
      'ExpireRun',
      'HoldItem',
      'ResumeItem',
      'StopItem',
      'ReopenItem',
    ];
    const all = kinds.flatMap((kind) => [`${kind} executed`, `${kind} refused`]);
    const missing = (): readonly string[] => all.filter((kind) => !seen.has(kind));
    for (let round = 0; round === 0 || (missing().length > 0 && round < 5); round++) {
      await fc.assert(
        fc.asyncProperty(history, (steps) => agree(steps, seen)),
        { numRuns: 30 },
      );
    }
    expect(missing()).toEqual([]);
  }, 240_000);
});
