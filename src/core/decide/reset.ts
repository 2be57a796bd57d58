import type { Context } from '../command.ts';
import { missingAttempts } from '../derive/budget.ts';
import { dependants } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import type { ActionState } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import { endRun } from './end-run.ts';

type Reset = Extract<EventBody, { type: 'ActionReset' }>;

/** Back to `ready` at the next generation, with as many attempts granted as one more try needs (D15). */
export function resetAction(state: ItemState, action: ActionState, cause: Reset['cause'], guidance = ''): Reset {
  return {
    type: 'ActionReset',
    actionId: action.id,
    generation: action.generation + 1,
    cause,
    ...(guidance === '' ? {} : { guidance }),
    grantAttempts: missingAttempts(state, action),
  };
}

/** Ends a live Run because its work is no longer wanted; its files are kept by the engine (D31). */
function supersedeRun(state: ItemState, action: ActionState, ctx: Context): readonly EventBody[] {
  const run = state.runs.find((live) => live.id === action.runId);
  return run ? [endRun(state, run, { status: 'superseded', code: 'superseded', actionStatus: 'ready' }, ctx)] : [];
}

const BUILT: ReadonlySet<ActionState['status']> = new Set(['running', 'completed', 'failed', 'waiting']);

/**
 * Resets Actions and everything that built on them (§10.5): a new result below makes old results above meaningless.
 * Each goes back once, however it is reached; unrelated siblings keep running (rule 13).
 */
export function resetWithDependants(
  state: ItemState,
  roots: readonly ActionState[],
  cause: Reset['cause'],
  guidance: string | undefined,
  ctx: Context,
): readonly EventBody[] {
  const above = new Set(roots.flatMap((root) => [...dependants(state.actions, root.id)]));
  const affected = state.actions.filter(
    (other) => above.has(other.id) && BUILT.has(other.status) && !roots.includes(other),
  );
  return [
    ...roots.flatMap((root) => [...supersedeRun(state, root, ctx), resetAction(state, root, cause, guidance)]),
    ...affected.flatMap((other) => [...supersedeRun(state, other, ctx), resetAction(state, other, 'dependency')]),
  ];
}
