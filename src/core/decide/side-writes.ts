import type { Context, SideWrite } from '../command.ts';
import { isRunnable } from '../derive/due.ts';
import { actionById } from '../derive/graph.ts';
import type { EventBody, EventOf } from '../event.ts';
import type { Charge, ItemState } from '../model/index.ts';
import { holdDirectoryOf, holdKeyOf, holdModeOf, leaseResource } from './claim.ts';

function ofClaim(state: ItemState, event: Extract<EventBody, { type: 'RunClaimed' }>, expiresAt: number): SideWrite[] {
  const { id: runId, actionId, owner, epoch, alone } = event.run;
  const itemId = state.id;
  const lease = { resource: leaseResource(itemId, actionId), owner, epoch, expiresAt };
  const put: SideWrite = { kind: 'lease_put', lease, itemId, runId, alone };
  const action = actionById(state, actionId);
  const key = action && holdKeyOf(state, action);
  if (!action || key === undefined) return [put];
  return [put, { kind: 'hold_put', hold: { key, mode: holdModeOf(action), itemId, runId } }];
}

/**
 * Leases and holds follow from the events, whatever command caused them: a Run that ends on any path lets go of
 * both, so no path can forget it (invariants 1 and 8). `leaseMs` is how long a claim of this command lasts.
 */
export function sideWrites(state: ItemState, event: EventBody, leaseMs: number, ctx: Context): readonly SideWrite[] {
  switch (event.type) {
    case 'RunClaimed':
      return ofClaim(state, event, ctx.now + leaseMs);
    case 'RunIdled':
      return ofIdling(state, event);
    case 'CallSettled':
      return event.as === 'rejected' ? [] : dayCharge(event.charge, ctx);
    case 'RunSettled':
      return ofSettling(state, event, ctx);
    default:
      return [];
  }
}

const dayCharge = ({ tokens, costMicros }: Charge, { now: at }: Context): readonly SideWrite[] => [
  { kind: 'day_charge', at, tokens, costMicros: costMicros ?? 0 },
];

function ofIdling(state: ItemState, { runId, idle }: EventOf<'RunIdled'>): readonly SideWrite[] {
  const run = state.runs.find(({ id }) => id === runId);
  return run ? [{ kind: 'lease_idle', resource: leaseResource(state.id, run.actionId), epoch: run.epoch, idle }] : [];
}

/** A Run that ends lets go of everything; what it sent and lost is charged to the day. */
function ofSettling(state: ItemState, event: EventOf<'RunSettled'>, ctx: Context): readonly SideWrite[] {
  const lost = (event.calls ?? []).filter(({ as }) => as === 'unknown').map(({ callId }) => callId);
  const charges = state.calls.filter(({ id }) => lost.includes(id)).flatMap(({ estimate }) => dayCharge(estimate, ctx));
  const live = state.runs.find((run) => run.id === event.run.id);
  const resource = leaseResource(state.id, event.actionId);
  return [
    { kind: 'lease_drop', resource, epoch: live?.epoch ?? 0 },
    { kind: 'hold_drop', runId: event.run.id },
    ...charges,
  ];
}

const wantsToWrite = (state: ItemState): boolean =>
  state.actions.some(
    (action) => holdKeyOf(state, action) !== undefined && holdModeOf(action) === 'write' && isRunnable(state, action),
  );

/**
 * A writer's place in the queue is given up when it is used, and when no writer of the item could start any more:
 * otherwise an item that is held or stopped would keep all readers of its directory waiting (D29).
 */
export function queueWrites(before: ItemState, after: ItemState): readonly SideWrite[] {
  if (!wantsToWrite(before)) return [];
  const started = after.runs.some(({ id, actionId }) => {
    const action = actionById(after, actionId);
    return action && holdModeOf(action) === 'write' && !before.runs.some((run) => run.id === id);
  });
  if (!started && wantsToWrite(after)) return [];
  return [{ kind: 'hold_unwait', key: holdDirectoryOf(after), itemId: after.id }];
}
