import type { ActionState, ItemState } from '../model/index.ts';
import { type Due, dueOf } from './due.ts';
import { type Goal, goalOf } from './goal.ts';
import { statusOf } from './status.ts';

const nameList = (actions: readonly ActionState[]): string => {
  const names = actions.map((action) => action.spec.name);
  return names.length <= 2 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
};

function whereItEnded(state: ItemState): string {
  if (state.landing.kind === 'landed') return ` Landed on ${state.landing.branch}.`;
  if (state.pull) return ` Pull request ${state.pull.url}.`;
  return state.published ? ` Published as ${state.published.ref}.` : '';
}

const NEXT: Readonly<Record<Due['kind'], string>> = {
  claim: ' Waiting for a free slot.',
  decide: ' The Coordinator decides next.',
  merge: ' Next: merge.',
  publish: ' Next: publish.',
  pull_request: ' Next: the pull request.',
  land: ' Next: land.',
};

function whatMoves(state: ItemState): string {
  // Who waits for leave does not run: the question itself says who, and for what (D16).
  const idle = new Set(state.runs.filter((run) => run.idle).map(({ actionId }) => actionId));
  const running = state.actions.filter(({ id, status }) => status === 'running' && !idle.has(id));
  const verb = running.length === 1 ? 'is' : 'are';
  if (running.length > 0) return ` ${nameList(running)} ${verb} running.`;
  if (state.hold) return ` Held: ${state.hold.details}`;
  if (state.coordinator.turn) return ' The Coordinator is deciding.';
  if (idle.size > 0 && state.requests.length === 0) return NEXT.claim;
  const step = dueOf(state)[0];
  return step ? NEXT[step.kind] : '';
}

/** Parts of a contract as people call them: `the goal, criterion c2`. */
export const partsInWords = (parts: readonly string[]): string =>
  parts
    .map((part) => (part.startsWith('criterion:') ? part.replace(':', ' ') : `the ${part.replace('setup', 'set-up')}`))
    .join(', ');

/** One status sentence, made here so that CLI, page and notifications say the same (ui.md, "Words"). */
export function sentenceOf(
  state: ItemState,
  { proven, total }: Pick<Goal, 'proven' | 'total'> = goalOf(state),
): string {
  const proof = `${proven} of ${total} proven.`;
  const status = statusOf(state);
  if (status === 'draft') return 'Draft, not started.';
  if (status === 'done') return `Done. ${proof}${whereItEnded(state)}`;
  if (status === 'cancelled') return `Cancelled. ${proof}${whereItEnded(state)}`;
  if (status === 'cancelling') return `Stopping. ${proof}${whatMoves(state)}`;
  const [request] = state.requests;
  const more = state.requests.length > 1 ? ` (+${state.requests.length - 1})` : '';
  const asked = request ? ` Waiting for you: ${request.question}${more}` : '';
  return `${proof}${whatMoves(state)}${asked}`;
}
