import type { Context } from '../command.ts';
import { missingAttempts } from '../derive/budget.ts';
import { actionById, dependants } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import type { ActionState } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import { endRun } from './end-run.ts';

type Reset = Extract<EventBody, { type: 'ActionReset' }>;

/** Back to `ready` at the next generation, with as many attempts granted as one more try needs (D15). */
export function resetAction(state: ItemState, action: ActionState, cause: Reset['cause'], guidance?: string): Reset {
  return {
    type: 'ActionReset',
    actionId: action.id,
    generation: action.generation + 1,
    cause,
    ...(guidance === undefined || guidance === '' ? {} : { guidance }),
    grantAttempts: missingAttempts(state, action),
  };
}

const TOUCHED: ReadonlySet<ActionState['status']> = new Set(['running', 'completed', 'failed', 'waiting']);

/**
 * Resets an Action and everything that built on it (§10.5): a new result below makes old results above meaningless.
 * Unrelated siblings keep running (rule 13).
 */
export function resetWithDependants(
  state: ItemState,
  action: ActionState,
  cause: Reset['cause'],
  guidance: string | undefined,
  ctx: Context,
): readonly EventBody[] {
  const above = dependants(state.actions, action.id);
  const affected = state.actions.filter((other) => above.has(other.id) && TOUCHED.has(other.status));
  return [
    ...supersedeRun(state, action, ctx),
    resetAction(state, action, cause, guidance),
    ...affected.flatMap((other) => [...supersedeRun(state, other, ctx), resetAction(state, other, 'dependency')]),
  ];
}

/** Ends a live Run because its work is no longer wanted; its files are kept by the engine (D31). */
export function supersedeRun(state: ItemState, action: ActionState, ctx: Context): readonly EventBody[] {
  const run = state.runs.find((live) => live.id === action.runId);
  if (!run) return [];
  const status = { status: 'superseded', code: 'superseded', actionStatus: 'ready' } as const;
  return [endRun(state, run, status, ctx)];
}

export const resetById = (
  state: ItemState,
  ids: readonly string[],
  ctx: Context,
  guidance?: string,
): readonly EventBody[] => {
  const covered = new Set<string>();
  return ids.flatMap((id) => {
    const action = actionById(state, id);
    if (!action || covered.has(id)) return [];
    covered.add(id);
    for (const above of dependants(state.actions, id)) covered.add(above);
    return resetWithDependants(state, action, 'retry', guidance, ctx);
  });
};
