import type { Statements } from './statements.ts';

/**
 * Takes an item that cannot be read out of everybody's way: it owes no step, shows where a person looks, and its
 * Runs keep no slot. What it holds of a directory stays held, since nobody knows what still writes there.
 */
export function quarantine(s: Statements, itemId: string, reason: string, now: number): void {
  s.quarantine.run(itemId, reason, now);
  const row = s.itemRow.get(itemId);
  if (!row) return;
  if (row.lane !== 'needs_you') {
    s.addLaneCount.run(row.directory, row.lane, -1);
    s.addLaneCount.run(row.directory, 'needs_you', 1);
  }
  s.parkItem.run(itemId);
  s.releaseRunsOfItem.run(itemId);
}
