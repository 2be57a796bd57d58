import type { ActionSpec } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';

export const hasChecks = (state: ItemState): boolean => state.contract.criteria.some((criterion) => criterion.check);

const BASE_RUN_FACTOR = 2;

/** Time for the set-up and every check, each on the base and on the result. */
function timeoutSec(state: ItemState): number {
  const checks = state.contract.criteria.reduce((sum, criterion) => sum + (criterion.check?.timeoutSec ?? 0), 0);
  return 60 + BASE_RUN_FACTOR * ((state.contract.setup?.timeoutSec ?? 0) + checks);
}

/** The engine-made Action that runs every check on the current result (D32): leased, killable, outside the 64. */
export function verifySpec(state: ItemState): ActionSpec {
  return {
    type: 'verify',
    name: 'Verify the result',
    brief: { objective: 'Run every check in a clean checkout of the result.' },
    for: state.contract.criteria.filter((criterion) => criterion.check).map((criterion) => criterion.id),
    dependsOn: [],
    workspace: 'read',
    executor: { kind: 'verify', writeSeq: state.branch.writeSeq },
    effects: 'none',
    env: {},
    timeoutSec: timeoutSec(state),
    silenceSec: 0,
    maxAttempts: 3,
    sandbox: { network: 'loopback', readable: [], writable: [] },
  };
}
