import type { ItemState } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { complaints, type Rig } from './rig.ts';
import type { WorldOptions } from './world.ts';

/** Writes a line that no crash can tear. */
export const note = (rig: Rig, line: string): string => `echo '${line}' >> ${rig.ledger}/lines`;

/** Two commands at a time, one check, a merge and a landing: every kind of effect the engine has. */
export const smallPlan = (rig: Rig, delivery = 'merge'): string => `
goal: change both files
criteria:
  - text: a says hello
    check: grep -q hello a.txt
  - text: b says hello
delivery: ${delivery}
sandbox: { writable: ["${rig.ledger}"] }
actions:
  - id: fix-a
    run: ${note(rig, 'start fix-a')}; echo hello > a.txt; ${note(rig, 'end fix-a')}
    for: [c1]
  - id: fix-b
    run: ${note(rig, 'start fix-b')}; echo hello > b.txt; ${note(rig, 'end fix-b')}
    for: [c2]
`;

/** Completed executions per command: the ledger's `end` lines. */
export async function completions(rig: Rig): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const line of await rig.noted()) {
    if (line.startsWith('end ')) counts[line.slice(4)] = (counts[line.slice(4)] ?? 0) + 1;
  }
  return counts;
}

/** Carries an item with a fresh engine of this process until it can only wait. */
export async function carryOn(rig: Rig, itemId: string, options: WorldOptions = {}): Promise<ItemState> {
  const world = await rig.world(options);
  const engine = openEngine(world);
  try {
    await engine.start();
    return await engine.untilSettled(itemId);
  } finally {
    await engine.stop();
  }
}

/** What is wrong now with the store of a rig. */
export async function wrongWith(rig: Rig): Promise<readonly string[]> {
  const world = await rig.world();
  return complaints(world.store);
}
