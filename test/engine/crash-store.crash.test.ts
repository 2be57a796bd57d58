import { describe, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { aliveOf, complaints, openRig, type Rig } from '../support/rig.ts';
import { completions, note } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

const plan = (rig: Rig): string => `
goal: change a file
criteria:
  - text: a says hello
actions:
  - id: fix-a
    run: echo hello > a.txt; ${note(rig, 'end fix-a')}
    for: [c1]
`;

type Lie = 'was not made, and the store says so' | 'was made, and the store says that it failed';

/** The n-th command of the engine goes wrong. Answers the store, and whether it ever came to that. */
function lyingStore(store: Store, n: number, lie: Lie): { readonly store: Store; readonly told: () => string } {
  let count = 0;
  let told = '';
  const execute: Store['execute'] = async (command) => {
    if (command.principal.kind !== 'engine') return store.execute(command);
    count += 1;
    if (count !== n) return store.execute(command);
    told = command.body.type;
    if (lie.startsWith('was made')) await store.execute(command);
    throw new StoreError('store_io', 'injected');
  };
  return { store: { ...store, execute }, told: () => told };
}

/** Carries one item while the n-th commit goes wrong; answers what it was, '' when there were fewer. */
async function carryWith(n: number, lie: Lie): Promise<string> {
  const rig = await openRig();
  let told = (): string => '';
  const world = await rig.world({
    leaseMs: 400,
    wrap: (store) => {
      const lying = lyingStore(store, n, lie);
      told = lying.told;
      return lying.store;
    },
  });
  const item = await submitPlan(world, plan(rig), rig.repo);
  const engine = openEngine(world);
  try {
    await engine.start();
    const state = await engine.untilSettled(item.id);
    expect([told(), state.lifecycle, state.actions[0]?.status]).toEqual([told(), 'done', 'completed']);
    expect([told(), await completions(rig)]).toEqual([told(), { 'fix-a': 1 }]);
    expect(state.actions[0]?.attempts).toBe(1);
    expect(await complaints(world.store)).toEqual([]);
  } finally {
    await engine.stop();
  }
  expect(await aliveOf(world.store)).toBe(0);
  expect(await rig.close()).toBe(0);
  return told();
}

describe.each<Lie>(['was not made, and the store says so', 'was made, and the store says that it failed'])(
  'a commit that %s',
  (lie) => {
    test('costs neither work nor an attempt, whichever it is, and the same engine finishes the item (REC-1, D12)', async () => {
      const kinds: string[] = [];
      for (let n = 1; ; n += 1) {
        const kind = await carryWith(n, lie);
        if (kind === '') break;
        kinds.push(kind);
      }
      expect(kinds).toEqual(expect.arrayContaining(['Claim', 'Dispatch', 'Settle', 'RecordMerge', 'RecordPublish']));
    }, 120_000);
  },
);

/** Errors as the driver throws them. */
const driverError = (code: string): Error => Object.assign(new Error(`injected ${code}`), { code });

const WRITES = /^\s*(INSERT|UPDATE|DELETE|COMMIT)/i;

/** Signs of life: how many there are is a matter of how long it takes, not of what is done. */
const UPKEEP = /^\s*(UPDATE leases SET expires_at|INSERT INTO workers)/i;

/** From the n-th written statement on, this many fail. */
async function carryThroughFaults(code: string, from: number, faults: number): Promise<number> {
  const rig = await openRig();
  let count = 0;
  let armed = false;
  let wasUpkeep = false;
  const onStatement = (phase: 'before' | 'after', statement: string): void => {
    if (!armed || phase !== 'before' || !WRITES.test(statement)) return;
    const isUpkeep = UPKEEP.test(statement) || (wasUpkeep && statement === 'COMMIT');
    wasUpkeep = isUpkeep;
    if (isUpkeep) return;
    count += 1;
    if (count >= from && count < from + faults) throw driverError(code);
  };
  const patience = { limitMs: 20, maxMs: 2 };
  const world = await rig.world({ leaseMs: 400, store: { onStatement, patience } });
  const item = await submitPlan(world, plan(rig), rig.repo);
  const engine = openEngine(world);
  try {
    await engine.start();
    armed = true;
    const state = await engine.untilSettled(item.id);
    armed = false;
    const facts = [code, from, state.lifecycle, state.actions.map(({ status, attempts }) => [status, attempts])];
    expect(facts).toEqual([code, from, 'done', [['completed', 1]]]);
    expect(await completions(rig)).toEqual({ 'fix-a': 1 });
    expect(await complaints(world.store)).toEqual([]);
  } finally {
    await engine.stop();
  }
  expect(await rig.close()).toBe(0);
  return count;
}

// Shares of what an undisturbed run writes, since how much that is depends on what is committed together.
test.each([
  ['SQLITE_FULL', [0.2, 0.7]],
  ['SQLITE_IOERR_WRITE', [0.35, 0.6]],
  ['SQLITE_BUSY', [0.5, 0.8]],
] as const)(
  'when statements of the store fail with %s for a while, work resumes afterwards and nothing is lost',
  async (code, moments) => {
    const undisturbed = await carryThroughFaults(code, Number.POSITIVE_INFINITY, 0);
    for (const share of moments) {
      const from = Math.max(1, Math.floor(undisturbed * share));
      const written = await carryThroughFaults(code, from, 8);
      expect(written).toBeGreaterThan(from);
    }
  },
  120_000,
);
