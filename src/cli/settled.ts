import { dueAt } from '../core/derive/due.ts';
import { statusOf } from '../core/derive/status.ts';
import type { ItemState } from '../core/model/item.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** Nothing can move the item any more without a person: it has ended, waits, or was never started. */
export function isSettled(state: ItemState): boolean {
  const { lifecycle } = state;
  if (lifecycle === 'done' || lifecycle === 'cancelled' || lifecycle === 'draft') return true;
  return state.runs.length === 0 && dueAt(state) === null;
}

/** Exit code of a command that waited for the item. */
export function exitOf(state: ItemState): ExitCode {
  const status = statusOf(state);
  if (status === 'done') return EXIT.ok;
  if (status === 'cancelled' || status === 'cancelling') return EXIT.cancelled;
  return EXIT.needsPerson;
}
