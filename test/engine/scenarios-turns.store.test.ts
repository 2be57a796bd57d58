import { expect, test } from 'vitest';
import { type Command, dueOf, type ItemState, type Outcome, type Settlement } from '../../src/core/index.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { actionSpec, claim, completed, create, dispatch, settle } from '../store/items.ts';

/** A thousand stand for ten thousand: the rules are per item, so the number changes nothing but the time it takes. */
const FAILING = 1_000;
const HEALTHY = 10;
const TURNS = 6;

const settlementOf = (outcome: Outcome): Settlement => ({ kind: 'outcome', outcome, changedPaths: [], receipts: [] });
const BROKEN = settlementOf({ kind: 'retryable', code: 'exit_1', error: 'It broke.' });
const FINE = settlementOf(completed());

interface World {
  readonly store: Store;
  now(): number;
  advance(ms: number): void;
  /** One Run of the item's first due Action, from claim to settlement. */
  turn(itemId: string): Promise<void>;
}

async function tell(store: Store, command: Command): Promise<ItemState> {
  const answer = await store.execute(command);
  if ('code' in answer) throw new Error(`${command.body.type}: ${answer.code} ${answer.message}`);
  return answer.state;
}

const isHealthy = (itemId: string): boolean => itemId.startsWith('healthy');

/** A store of items that fail whenever they run and items that do not, on a clock that the test moves. */
async function world(): Promise<World> {
  let at = 1_000_000;
  let runs = 0;
  const store = openMemoryStore({ now: () => at, policy: () => ({ concurrency: FAILING + HEALTHY }) });
  const failing = [{ id: 'a1', spec: actionSpec('a1', { maxAttempts: 4 }) }];
  for (let n = 0; n < FAILING; n += 1) await tell(store, create(`failing-${n}`, { actions: failing }));
  const steps = Array.from({ length: TURNS }, (_, n) => ({ id: `a${n + 1}`, spec: actionSpec(`a${n + 1}`) }));
  for (let n = 0; n < HEALTHY; n += 1) await tell(store, create(`healthy-${n}`, { actions: steps }));
  return {
    store,
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
    async turn(itemId) {
      const state = await store.load(itemId);
      const due = state && dueOf(state).find((step) => step.kind === 'claim' && step.at <= at);
      if (due?.kind !== 'claim') throw new Error(`${itemId} has nothing to claim`);
      runs += 1;
      const runId = `run-${runs}`;
      const { runs: live } = await tell(store, claim(itemId, runId, { actionId: due.actionId }));
      const epoch = live[0]?.epoch ?? 0;
      await tell(store, dispatch(itemId, runId, epoch));
      await tell(store, settle(itemId, runId, isHealthy(itemId) ? FINE : BROKEN, epoch));
    },
  };
}

async function readyTimes({ store }: World): Promise<readonly number[]> {
  const states = await Promise.all(Array.from({ length: FAILING }, (_, n) => store.load(`failing-${n}`)));
  return states.map((state) => state?.actions[0]?.readyAt ?? 0);
}

test('many items fail at once: their retries are spread by jitter and do not return together', async () => {
  const made = await world();
  for (let n = 0; n < FAILING; n += 1) await made.turn(`failing-${n}`);
  const waits = (await readyTimes(made)).map((at) => at - made.now());
  const perTenth = new Map<number, number>();
  const [first, last] = [Math.min(...waits), Math.max(...waits)];
  for (const wait of waits) {
    const tenth = Math.floor(((wait - first) / (last - first + 1)) * 10);
    perTenth.set(tenth, (perTenth.get(tenth) ?? 0) + 1);
  }
  expect(last - first).toBeGreaterThan(first / 2);
  expect(perTenth.size).toBe(10);
  expect(Math.max(...perTenth.values())).toBeLessThan((2 * FAILING) / 10);
});

test('many items fail at once: healthy items keep their turns, each before any other has two', async () => {
  const made = await world();
  const turns: string[] = [];
  for (;;) {
    const [next] = await made.store.dueItems({ now: made.now(), limit: 1 });
    if (!next) {
      const due = await made.store.nextDueAt(made.now());
      if (due === null) break;
      made.advance(due - made.now());
      continue;
    }
    turns.push(next.itemId);
    made.advance(1);
    await made.turn(next.itemId);
  }
  expect(turns.filter(isHealthy).length).toBe(HEALTHY * TURNS);
  expect(overtaken(turns)).toEqual([]);
});

/** Items that had two turns while a healthy one, with work left, waited for its next. */
function overtaken(turns: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let n = 0; n < HEALTHY; n += 1) {
    let since = new Set<string>();
    let left = TURNS;
    for (const itemId of turns) {
      if (left === 0) break;
      if (itemId === `healthy-${n}`) {
        since = new Set();
        left -= 1;
      } else if (since.has(itemId)) found.push(`${itemId} before healthy-${n}`);
      else since.add(itemId);
    }
  }
  return found;
}
