import type { NewAction } from '../event.ts';
import {
  type ActionState,
  type ItemBranch,
  type ItemState,
  type LiveRun,
  NO_USAGE,
  type WriteMark,
} from '../model/index.ts';
import { invariant } from '../rejection.ts';

/** The state with one Action replaced. */
export function patchAction(
  state: ItemState,
  actionId: string,
  change: (action: ActionState) => ActionState,
): ItemState {
  const index = state.actions.findIndex((action) => action.id === actionId);
  const action = state.actions[index];
  invariant(action, `item ${state.id} has no action ${actionId}`);
  return { ...state, actions: state.actions.with(index, change(action)) };
}

/** The state with one live Run changed. */
export const patchRun = (state: ItemState, runId: string, change: Partial<LiveRun>): ItemState => ({
  ...state,
  runs: state.runs.map((run) => (run.id === runId ? { ...run, ...change } : run)),
});

const UNTRIED = { attempts: 0, grantedAttempts: 0, runs: 0, leaseEpoch: 0, suspicions: 0 } as const;
const NOTHING_SAID = { guidance: [], messages: [], grants: [], approvals: 0 } as const;

/** An Action on the day it enters the item. */
export const newAction = (added: NewAction, ordinal: number, contractVersion: number, at: number): ActionState => ({
  ...added,
  ordinal,
  generation: 1,
  status: 'ready',
  contractVersion,
  ...UNTRIED,
  readyAt: at,
  ...NOTHING_SAID,
  merge: { kind: 'none' },
  usage: NO_USAGE,
});

/** Leaves out the keys that no longer hold; `undefined` values would change the canonical form. */
export function without<T extends object, K extends keyof T>(value: T, ...keys: readonly K[]): Omit<T, K> {
  const copy = { ...value };
  for (const key of keys) delete copy[key];
  return copy;
}

/** The branch moved: remembers the newest write of each Action, which writes as itself whatever its generation. */
export const wrote = (state: ItemState, mark: WriteMark, moved: Partial<ItemBranch> = {}): ItemState => ({
  ...state,
  branch: { ...state.branch, ...moved, writeSeq: mark.seq },
  writes: [...state.writes.filter((write) => write.actionId !== mark.actionId), mark],
});
