import type { Command, Context, SideWrite } from '../command.ts';
import { actionById } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import type { ItemState } from '../model/item.ts';
import { holdKeyOf, holdModeOf, leaseResource } from './claim.ts';

type Claimed = Extract<EventBody, { type: 'RunClaimed' }>;

function ofClaim(state: ItemState, event: Claimed, leaseMs: number, ctx: Context): readonly SideWrite[] {
  const { run } = event;
  const action = actionById(state, run.actionId);
  const lease = {
    resource: leaseResource(state.id, run.actionId),
    owner: run.owner,
    epoch: run.epoch,
    expiresAt: ctx.now + leaseMs,
  };
  const put: SideWrite = { kind: 'lease_put', lease, itemId: state.id, runId: run.id, alone: run.alone };
  const key = action && holdKeyOf(state, action);
  if (!action || key === undefined) return [put];
  const hold = { key, mode: holdModeOf(action), itemId: state.id, runId: run.id };
  return [put, { kind: 'hold_put', hold }, { kind: 'hold_unwait', key, itemId: state.id }];
}

/**
 * Leases and holds follow from the events, whatever command caused them: a Run that ends on any path lets go of
 * both, so no path can forget it (invariants 1 and 8).
 */
export function sideWrites(
  state: ItemState,
  events: readonly EventBody[],
  command: Command,
  ctx: Context,
): readonly SideWrite[] {
  const leaseMs = command.body.type === 'Claim' ? command.body.leaseMs : 0;
  return events.flatMap((event): readonly SideWrite[] => {
    if (event.type === 'RunClaimed') return ofClaim(state, event, leaseMs, ctx);
    if (event.type === 'RunSettled') {
      const live = state.runs.find((run) => run.id === event.run.id);
      const resource = leaseResource(state.id, event.actionId);
      return [
        { kind: 'lease_drop', resource, epoch: live?.epoch ?? 0 },
        { kind: 'hold_drop', runId: event.run.id },
      ];
    }
    const ends = event.type === 'ItemCancelled' || event.type === 'ItemCompleted';
    return ends ? [{ kind: 'hold_unwait', key: state.contract.directory, itemId: state.id }] : [];
  });
}
