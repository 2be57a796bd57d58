import type { ItemState, Lifecycle } from '../model/index.ts';
import { dueOf } from './due.ts';

/**
 * What people see of an item (D9): derived, never stored as a fence.
 *
 * | Status          | Meaning                                                            |
 * | --------------- | ------------------------------------------------------------------ |
 * | draft           | not started                                                        |
 * | deciding        | nothing runs or can run, and a decision is owed                    |
 * | ready           | work is due and waits for a slot                                   |
 * | running         | at least one Run is live                                           |
 * | waiting         | a person was asked and nothing else can move                       |
 * | needs_attention | held, or stuck without anyone to ask                               |
 * | done, cancelling, cancelled | as the lifecycle says                                  |
 */
export type ItemStatus = Exclude<Lifecycle, 'open'> | OpenStatus;
type OpenStatus = 'deciding' | 'ready' | 'running' | 'waiting' | 'needs_attention';

/** Where the board shows it. */
export type Lane = 'needs_you' | 'active' | 'done' | 'draft';

export function statusOf(state: ItemState): ItemStatus {
  if (state.lifecycle !== 'open') return state.lifecycle;
  if (state.runs.length > 0) return 'running';
  if (state.hold) return 'needs_attention';
  const due = dueOf(state);
  if (due.some(({ kind }) => kind !== 'decide')) return 'ready';
  if (due.length > 0) return 'deciding';
  return state.requests.length > 0 ? 'waiting' : 'needs_attention';
}

export function laneOf(state: ItemState): Lane {
  if (state.lifecycle === 'draft') return 'draft';
  if (state.lifecycle === 'done' || state.lifecycle === 'cancelled') return 'done';
  return state.hold || state.requests.length > 0 ? 'needs_you' : 'active';
}
