/**
 * Takes Actions from a store as fast as it can and completes each, without any engine around it. Input, as JSON in
 * the first argument: `ClaimerOrder`. Prints `ready`, and on the first word
 * of its standard input begins: `claimed <runId> <item> <action>` for each, and `over` when none is left.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { dueOf, NO_USAGE } from '../../src/core/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { printNow } from './effects.ts';

export interface ClaimerOrder {
  readonly database: string;
  readonly owner: string;
}

const { database, owner }: ClaimerOrder = JSON.parse(process.argv[2] ?? '');
const store = await openSqliteStore({ path: database, durability: 'normal', policy: () => ({ concurrency: 64 }) });
const engine = { kind: 'engine', name: owner } as const;
const enforcement = { sandbox: 'none', filesystem: false, network: false, processes: false } as const;
const outcome = { kind: 'completed', summary: 'done', evidence: [], claims: [], outputs: [] } as const;

/** One Action of the item from claim to settlement; what it was refused with, or nothing. */
async function takeOne(itemId: string): Promise<string | undefined> {
  const state = await store.load(itemId);
  const steps = state ? dueOf(state).filter((step) => step.kind === 'claim') : [];
  // Everybody tries the same one first: that is what is to be tested.
  const [step] = steps;
  if (!step) return 'nothing due';
  const runId = randomUUID();
  const { actionId, generation } = step;
  const claim = { type: 'Claim', actionId, generation, runId, owner, leaseMs: 60_000 } as const;
  const claimed = await store.execute({ itemId, principal: engine, body: claim });
  if ('code' in claimed) return claimed.code;
  printNow(`claimed ${runId} ${itemId} ${actionId}`);
  const run = claimed.state.runs.find(({ id }) => id === runId);
  const fence = { runId, epoch: run?.epoch ?? 0, owner };
  await must(itemId, { type: 'Dispatch', fence, base: 'b'.repeat(40), enforcement });
  const settlement = { kind: 'outcome', outcome, changedPaths: [], receipts: [] } as const;
  await must(itemId, { type: 'Settle', fence, settlement, usage: NO_USAGE });
  return undefined;
}

async function must(itemId: string, body: Parameters<typeof store.execute>[0]['body']): Promise<void> {
  const answer = await store.execute({ itemId, principal: engine, body });
  if ('code' in answer) throw new Error(`${body.type}: ${answer.code} ${answer.message}`);
}

/** Refusals that only mean that somebody else was first. */
const LOST_RACE = new Set([
  'not_runnable',
  'generation_stale',
  'concurrency_full',
  'nothing due',
  'item_ended',
  'wrong_state',
]);

// Whoever is slow to start would find everything taken.
printNow('ready');
await once(process.stdin, 'data');

for (let isWork = true; isWork; ) {
  const due = await store.dueItems({ now: Date.now(), limit: 8 });
  isWork = due.length > 0;
  for (const { itemId } of due) {
    const refused = await takeOne(itemId);
    if (refused !== undefined && !LOST_RACE.has(refused)) throw new Error(`refused: ${refused}`);
  }
}
await store.close();
process.stdin.destroy();
printNow('over');
