import type { Context } from '../command.ts';
import { dependants, missingAttempts } from '../derive/index.ts';
import type { EventBody, ResetCause } from '../event.ts';
import type { ActionState, ItemState } from '../model/index.ts';
import { endRunOf } from './end-run.ts';

/** Back to `ready` at the next generation, with as many attempts granted as one more try needs (D15). */
export function resetAction(state: ItemState, action: ActionState, cause: ResetCause, guidance = ''): EventBody {
  const words = guidance === '' ? {} : { guidance };
  const address = { actionId: action.id, generation: action.generation + 1 };
  return { type: 'ActionReset', ...address, cause, ...words, grantAttempts: missingAttempts(state, action) };
}

const BUILT: ReadonlySet<ActionState['status']> = new Set(['running', 'completed', 'failed', 'waiting']);
const SUPERSEDED = { status: 'superseded', code: 'superseded', actionStatus: 'ready' } as const;

const restart = (state: ItemState, action: ActionState, reset: EventBody, ctx: Context): readonly EventBody[] => [
  ...endRunOf(state, action, SUPERSEDED, ctx),
  reset,
];

/** What was built on `roots`, which go back themselves, goes back too: each once, however it is reached. */
export function resetDependants(state: ItemState, roots: readonly ActionState[], ctx: Context): readonly EventBody[] {
  const above = new Set(roots.flatMap(({ id }) => [...dependants(state.actions, id)]));
  return state.actions
    .filter((other) => above.has(other.id) && BUILT.has(other.status) && !roots.includes(other))
    .flatMap((other) => restart(state, other, resetAction(state, other, 'dependency'), ctx));
}

/**
 * Resets Actions and everything that built on them (§10.5): a new result below makes old results above meaningless.
 * Unrelated siblings keep running (rule 13).
 */
export function resetWithDependants(
  state: ItemState,
  roots: readonly ActionState[],
  cause: ResetCause,
  guidance: string | undefined,
  ctx: Context,
): readonly EventBody[] {
  const back = roots.flatMap((root) => restart(state, root, resetAction(state, root, cause, guidance), ctx));
  return [...back, ...resetDependants(state, roots, ctx)];
}
