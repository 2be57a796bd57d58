import { attemptCap } from './derive/budget.ts';
import { dueOf } from './derive/due.ts';
import { goalOf } from './derive/goal.ts';
import type { ItemState } from './model/index.ts';

/** What must hold of one item after every step (domain §10); each answers a sentence when it does not. */
type Check = (state: ItemState) => string | undefined;

const oneOwner: Check = (state) => {
  for (const action of state.actions) {
    const runs = state.runs.filter((run) => run.actionId === action.id);
    if (action.status === 'running' ? runs.length !== 1 : runs.length !== 0) {
      return `1: action ${action.id} is ${action.status} with ${runs.length} live Run(s)`;
    }
    const [run] = runs;
    if (run && (run.epoch !== action.leaseEpoch || run.generation !== action.generation || run.id !== action.runId)) {
      return `1: run ${run.id} does not carry the epoch and generation of ${action.id}`;
    }
  }
  return undefined;
};

const boundedAttempts: Check = (state) => {
  const over = state.actions.find((action) => action.attempts > attemptCap(state, action));
  return over && `2: action ${over.id} used ${over.attempts} attempts of ${attemptCap(state, over)}`;
};

const provenWhenDone: Check = (state) => {
  if (state.lifecycle !== 'done') return undefined;
  if (!state.finalResult) return '6: done without a final result';
  return goalOf(state).allProven ? undefined : '6: done without fresh proof for every criterion';
};

const neverStalls: Check = (state) => {
  if (state.lifecycle !== 'open' && state.lifecycle !== 'cancelling') return undefined;
  const moves = dueOf(state).length > 0 || state.runs.length > 0 || state.requests.length > 0;
  return moves || state.hold ? undefined : '7: open, and nothing can ever move it';
};

const quietWhenEnded: Check = (state) => {
  if (state.lifecycle !== 'done' && state.lifecycle !== 'cancelled') return undefined;
  const live = state.runs.length + state.requests.length + state.calls.length + (state.coordinator.turn ? 1 : 0);
  return live > 0 || state.landing.kind === 'reserved' ? '8: ended with something still open' : undefined;
};

const CHECKS: readonly Check[] = [oneOwner, boundedAttempts, provenWhenDone, neverStalls, quietWhenEnded];

/** Broken invariants of a state, as sentences that begin with their number; none when all is well. */
export const checkInvariants = (state: ItemState): readonly string[] =>
  CHECKS.map((check) => check(state)).filter((broken): broken is string => broken !== undefined);

/** Numbers that fence or charge: none of them ever goes back. */
const counters = (state: ItemState): Readonly<Record<string, number>> => ({
  version: state.version,
  contractVersion: state.contractVersion,
  planVersion: state.planVersion,
  controlVersion: state.controlVersion,
  landingEpoch: state.landingEpoch,
  turns: state.coordinator.turns,
  turnEpoch: state.coordinator.epoch,
  requests: state.usage.requests,
  wallMs: state.usage.wallMs,
  ...Object.fromEntries(
    state.actions.flatMap(({ id, generation, leaseEpoch, attempts }) =>
      Object.entries({ generation, leaseEpoch, attempts }).map(([name, value]) => [`${id}.${name}`, value]),
    ),
  ),
});

/** What must hold between two versions of one item: nothing that fences or charges ever goes back (invariants 2, 6). */
export function checkStep(before: ItemState, after: ItemState): readonly string[] {
  const now = counters(after);
  const fell = Object.entries(counters(before)).filter(([name, value]) => !((now[name] ?? -1) >= value));
  const changed = before.finalResult !== undefined && after.finalResult !== before.finalResult;
  return [...fell.map(([name]) => `2: ${name} fell`), ...(changed ? ['6: the final result changed'] : [])];
}
