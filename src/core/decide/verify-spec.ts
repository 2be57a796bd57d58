import type { ActionSpec, ItemState } from '../model/index.ts';

export const hasChecks = (state: ItemState): boolean => state.contract.criteria.some((criterion) => criterion.check);

const BASE_RUN_FACTOR = 2;

/** The engine-made Action that runs every check on the current result (D32): leased, killable, outside the 64. */
export function verifySpec({ contract, branch }: ItemState): ActionSpec {
  const checked = contract.criteria.flatMap(({ id, check }) => (check ? [{ id, check }] : []));
  // Time for the set-up and every check, each on the base and on the result.
  const onceSec = checked.reduce((sum, { check }) => sum + check.timeoutSec, contract.setup?.timeoutSec ?? 0);
  return {
    type: 'verify',
    name: 'Verify the result',
    brief: { objective: 'Run every check in a clean checkout of the result.' },
    for: checked.map(({ id }) => id),
    dependsOn: [],
    workspace: 'read',
    executor: { kind: 'verify', writeSeq: branch.writeSeq },
    effects: 'none',
    env: {},
    timeoutSec: 60 + BASE_RUN_FACTOR * onceSec,
    silenceSec: 0,
    maxAttempts: 3,
    sandbox: { network: 'loopback', readable: [], writable: [] },
  };
}
