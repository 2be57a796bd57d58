import { attemptCap, roomsOf } from '../core/derive/budget.ts';
import { dueOf } from '../core/derive/due.ts';
import { goalOf } from '../core/derive/goal.ts';
import type { ItemState } from '../core/model/index.ts';

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

const oneTurn: Check = ({ coordinator: { turn, epoch } }) =>
  turn && turn.epoch !== epoch ? `1: turn ${turn.id} is held at epoch ${turn.epoch} of ${epoch}` : undefined;

/** Whoever made a call is there to hear its answer, or the call has ended with it. */
const ownedCalls: Check = ({ calls, runs, coordinator }) => {
  const stray = calls.find(({ of }) =>
    of.kind === 'turn'
      ? of.turnId !== coordinator.turn?.id
      : runs.every(({ id, epoch }) => id !== of.runId || epoch !== of.epoch),
  );
  return stray && `5: call ${stray.id} belongs to nobody`;
};

const soundBudget: Check = (state) => {
  const wrong = roomsOf(state).find(({ used, reserved }) => !(used >= 0 && reserved >= 0));
  return wrong && `2: ${wrong.used} ${wrong.what} are used and ${wrong.reserved} reserved`;
};

const heardOnce: Check = ({ runs, actions }) => {
  const ahead = runs.find(
    (run) => run.messagesHeard > (actions.find(({ id }) => id === run.actionId)?.messages.length ?? 0),
  );
  return ahead && `4: run ${ahead.id} has heard more than was said`;
};

/** Nobody is asked what nobody can answer, or about what is not there. */
const answerable: Check = ({ requests, actions }) => {
  const idle = requests.find(
    ({ choices, subject }) =>
      choices.length === 0 || ('actionId' in subject && actions.every(({ id }) => id !== subject.actionId)),
  );
  return idle && `7: nobody can answer ${idle.id} (${idle.subject.kind})`;
};

const CHECKS: readonly Check[] = [
  ...[oneOwner, oneTurn, boundedAttempts, soundBudget, heardOnce, ownedCalls],
  ...[provenWhenDone, neverStalls, answerable, quietWhenEnded],
];

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

/** A message that a Run has heard is not news to it again (D15). */
const forgot = (before: ItemState, after: ItemState): boolean =>
  before.runs.some(({ id, messagesHeard }) =>
    after.runs.some((run) => run.id === id && run.messagesHeard < messagesHeard),
  );

/** What must hold between two versions of one item: nothing that fences or charges ever goes back (invariants 2, 4, 6). */
export function checkStep(before: ItemState, after: ItemState): readonly string[] {
  const now = counters(after);
  const fell = Object.entries(counters(before)).filter(([name, value]) => !((now[name] ?? -1) >= value));
  const changed = before.finalResult !== undefined && after.finalResult !== before.finalResult;
  return [
    ...fell.map(([name]) => `2: ${name} fell`),
    ...(forgot(before, after) ? ['4: a Run forgot what it had heard'] : []),
    ...(changed ? ['6: the final result changed'] : []),
  ];
}
