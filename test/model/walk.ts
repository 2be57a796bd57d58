import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import {
  type Command,
  type ItemState,
  isRejection,
  leaseResource,
  type Principal,
  type Rejection,
  type RunFence,
  type TurnFence,
} from '../../src/core/index.ts';
import type { Executed } from '../../src/store/index.ts';
import { SNAPSHOT_EVERY } from '../../src/store/read-state.ts';
import { GENERATORS, typeFor } from './commands.ts';
import { type Draw, drawFrom } from './draw.ts';
import { mustRefuse, usualPrincipal } from './fences.ts';
import { bringToEnd } from './finish.ts';
import { type Ledger, newLedger, wrongSums } from './ledger.ts';
import { agreeOnAll, brokenBetween, brokenRules } from './rules.ts';
import { LEASE_MS, OWNERS } from './scene.ts';
import { submission } from './submissions.ts';
import type { Tally } from './tally.ts';
import { same, type Twins, withTwins } from './twins.ts';

/** Items that are worked on side by side. */
const SLOTS = 6;
/** Steps between two comparisons of everything. */
const COMPARE_EVERY = 500;
/** An item with so many events is brought to an end, so that young ones come up. */
const OLD_VERSION = SNAPSHOT_EVERY + 100;
/** Fences of ended Runs that are remembered. */
const SPENT_MAX = 40;

interface World {
  readonly draw: Draw;
  readonly twins: Twins;
  readonly tally: Tally;
  readonly items: Map<string, ItemState>;
  readonly slots: (string | undefined)[];
  readonly spent: RunFence[];
  readonly spentTurns: TurnFence[];
  readonly ledgers: Map<string, Ledger>;
  /** Commands that were accepted under an idempotency key, and what they caused. */
  readonly keyed: Map<string, { readonly command: Command; readonly events: Executed['events'] }>;
  readonly fresh: () => number;
}

function newWorld(seed: number, twins: Twins, tally: Tally): World {
  let numbers = 0;
  return {
    draw: drawFrom(seed),
    twins,
    tally,
    items: new Map(),
    slots: Array<string | undefined>(SLOTS).fill(undefined),
    spent: [],
    spentTurns: [],
    ledgers: new Map(),
    keyed: new Map(),
    fresh: () => {
      numbers += 1;
      return numbers;
    },
  };
}

/** Ended, and not to be reopened: the item of the first slot grows as old as it can. */
function isSpent({ draw }: World, { lifecycle, version }: ItemState, slot: number): boolean {
  if (lifecycle === 'done') return draw.chance(60);
  return lifecycle === 'cancelled' && (version > OLD_VERSION || (slot > 0 && draw.chance(40)));
}

/** A step to try; `slot` is where an item that is created takes its place. */
interface Try {
  readonly command: Command;
  readonly slot: number;
}

function newItem({ draw, fresh }: World, slot: number): Try {
  const principal = draw.chance(10) ? ({ kind: 'agent', name: 'bot' } as const) : usualPrincipal('CreateItem');
  return { command: { itemId: `i${fresh()}`, principal, body: submission(draw) }, slot };
}

/** One of the live items, or a new one where there is none or the old one has ended. */
function newTry(world: World): Try {
  const { draw, items, slots, spent, spentTurns, fresh, twins } = world;
  const slot = draw.chance(15) ? 0 : draw.below(SLOTS);
  const state = items.get(slots[slot] ?? '');
  if (!state || isSpent(world, state, slot)) return newItem(world, slot);
  const scene = { draw, state, spent, spentTurns, fresh, now: twins.now() };
  const isOld = state.version > OLD_VERSION && state.lifecycle === 'open' && draw.chance(20);
  const type = isOld ? 'StopItem' : typeFor(scene);
  const principal: Principal = draw.chance(4)
    ? draw.of([{ kind: 'agent', name: 'bot' } as const, { kind: 'engine', name: 'w1' } as const])
    : usualPrincipal(type);
  return { command: { itemId: draw.chance(1) ? 'nobody' : state.id, principal, body: GENERATORS[type](scene) }, slot };
}

/** Some carry a key, and some of those come again: as they were, or as something else under the same key. */
function withKey(world: World, wanted: Try): Try {
  const { draw, keyed, fresh } = world;
  if (keyed.size > 0 && draw.chance(2)) {
    const key = draw.of([...keyed.keys()]);
    const known = keyed.get(key)?.command;
    const again = known && draw.chance(60) ? known : { ...wanted.command, idempotencyKey: key };
    return { ...wanted, command: again };
  }
  if (!draw.chance(5)) return wanted;
  return { ...wanted, command: { ...wanted.command, idempotencyKey: `key-${fresh()}` } };
}

/** What is compared under a key: who asks for what; where a new item is to be is not asked. */
const wishOf = ({ body, principal, itemId }: Command): unknown =>
  body.type === 'CreateItem' ? [body, principal] : [body, principal, itemId];

/** Under a key that is known, the same comes back as it was, anything else is refused, and nothing happens. */
function checkKnown({ keyed }: World, command: Command, answer: Executed | Rejection): boolean {
  const known = keyed.get(command.idempotencyKey ?? '');
  if (!known) return false;
  const isSame = isDeepStrictEqual(wishOf(command), wishOf(known.command));
  expect(isRejection(answer) ? answer.code : 'replayed').toBe(isSame ? 'replayed' : 'idempotency_mismatch');
  if (!isRejection(answer)) same([answer.events, answer.replayed], [known.events, true], 'a repeated command');
  return true;
}

/** Remembers what an accepted step changed. */
function remember(
  { items, slots, spent, spentTurns, keyed, tally }: World,
  { command, slot }: Try,
  answer: Executed,
): void {
  const { itemId, idempotencyKey } = command;
  const before = items.get(itemId);
  items.set(itemId, answer.state);
  if (before && before.version < SNAPSHOT_EVERY && answer.state.version >= SNAPSHOT_EVERY) tally.count('snapshot');
  if (command.body.type === 'CreateItem') slots[slot] = itemId;
  if (idempotencyKey !== undefined) keyed.set(idempotencyKey, { command, events: answer.events });
  const live = new Set(answer.state.runs.map(({ id }) => id));
  const ended = before?.runs.filter(({ id }) => !live.has(id)) ?? [];
  spent.push(...ended.map(({ id, epoch, owner }) => ({ runId: id, epoch, owner })));
  spent.splice(0, spent.length - SPENT_MAX);
  const turn = before?.coordinator.turn;
  const isOver = turn && (answer.state.coordinator.turn?.id !== turn.id || answer.state.coordinator.epoch > turn.epoch);
  if (isOver) spentTurns.push({ turnId: turn.id, epoch: turn.epoch, owner: turn.owner });
  spentTurns.splice(0, spentTurns.length - SPENT_MAX);
}

const isLeased = ({ tables, now }: Twins, runId: string): boolean =>
  [...tables.leases.values()].some((lease) => lease.runId === runId && lease.expiresAt > now());

function ledgerOf({ ledgers }: World, itemId: string): Ledger {
  const known = ledgers.get(itemId) ?? newLedger();
  ledgers.set(itemId, known);
  return known;
}

/** Tries one command on both stores and checks everything that must hold after it. */
async function step(world: World): Promise<void> {
  const { twins, items, tally } = world;
  const wanted = withKey(world, newTry(world));
  const { command } = wanted;
  const { itemId, body } = command;
  const before = items.get(itemId);
  const words = JSON.stringify(command).slice(0, 600);
  const forbidden = mustRefuse(before, command, (runId) => isLeased(twins, runId));
  const answer = await twins.execute(command);
  tally.command(before, body, answer);
  const isKnown = checkKnown(world, command, answer);
  if (isRejection(answer) || isKnown) {
    same(await twins.load(itemId), before, `state after refused ${words}`);
  } else {
    expect(forbidden, words).toBeUndefined();
    expect(answer.replayed, words).toBe(false);
    remember(world, wanted, answer);
    same(await twins.load(itemId), answer.state, `state after ${words}`);
    expect(brokenRules(before, answer.state, body).join('; '), words).toBe('');
    expect(wrongSums(ledgerOf(world, itemId), answer.events, answer.state).join('; '), words).toBe('');
  }
  expect(brokenBetween(twins, items).join('; '), words).toBe('');
}

/** Time passes, and some owner tells that it is still there. */
async function meanwhile({ draw, twins }: World): Promise<void> {
  twins.advance(draw.of([0, 0, 1, 200, 2_000, 2_000, 20_000, draw.chance(20) ? LEASE_MS + 1 : 5_000]));
  if (!draw.chance(4)) return;
  const leases = await twins.oracle.liveRuns();
  if (leases.length === 0) return;
  const lease = draw.of(leases);
  const state = await twins.oracle.load(lease.itemId);
  const actionId = state?.runs.find(({ id }) => id === lease.runId)?.actionId ?? '';
  const owner = draw.of(OWNERS);
  await twins.ask((store) => store.renewLease(leaseResource(lease.itemId, actionId), owner, lease.epoch, LEASE_MS));
}

/**
 * One walk of `steps` commands from `seed`, on stores of its own, and then every item to its end. Fails with the seed
 * and the step in the message: `WC_SEED=<seed>` walks it again.
 */
export async function walk(seed: number, steps: number, tally: Tally, stores = withTwins): Promise<void> {
  await stores(async (twins) => {
    const world = newWorld(seed, twins, tally);
    let at = 0;
    try {
      for (; at < steps; at += 1) {
        await meanwhile(world);
        await step(world);
        if ((at + 1) % COMPARE_EVERY === 0) await agreeOnAll(twins, world.items.keys());
      }
      await bringToEnd(twins, world.items, tally);
      await agreeOnAll(twins, world.items.keys());
    } catch (cause) {
      const what = cause instanceof Error ? cause.message : `${cause}`;
      throw new Error(`WC_SEED=${seed}, step ${at} of ${steps}: ${what}`, { cause });
    }
  });
}
