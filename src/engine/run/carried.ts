import type { ActionState, ItemState, LiveRun } from '../../core/index.ts';
import type { Executor } from '../../executors/executor.ts';
import type { LeaseKeeper } from '../loop/lease-keeper.ts';

/** Who carries out an Action, when it is not the engine's own executor. */
export type ExecutorFor = (action: ActionState) => Executor | undefined;

export interface Carried {
  readonly state: ItemState;
  readonly run: LiveRun;
  readonly signal: AbortSignal;
  readonly leases: LeaseKeeper;
  readonly onLost: () => void;
  readonly executorFor?: ExecutorFor;
}

/** A Run on its way, with what went wrong on our own side: then nothing that its processes said counts. */
export interface Live extends Carried {
  readonly fault: { store?: Error };
}

/** What every command of a Run carries, so that one that was taken away is refused (D8). */
export const fenceOf = (run: LiveRun) => ({ runId: run.id, epoch: run.epoch, owner: run.owner });
