import type { DoctorSource, Mending } from '../doctor.ts';
import type { Expected, ItemView } from '../inspect-item.ts';
import { entryRow } from '../talk-values.ts';
import type { Connection } from './connection.ts';
import { quarantine } from './quarantine.ts';
import type { Statements } from './statements.ts';
import { applyChange, putItem, runRow } from './write-rows.ts';

const NO_LIMIT = -1;
const LAST = Number.MAX_SAFE_INTEGER;

function readView(s: Statements, itemId: string): ItemView {
  return {
    itemId,
    events: s.eventsPage.all(itemId, 0, NO_LIMIT),
    item: s.itemRow.get(itemId),
    text: s.textRow.get(itemId),
    runs: s.runs.all(itemId, LAST, NO_LIMIT).map(runRow).reverse(),
    entries: s.entriesBehind.all(itemId, 0, LAST, NO_LIMIT).map(entryRow),
    calls: s.calls.all(itemId, LAST, NO_LIMIT),
    snapshot: s.snapshot.get(itemId),
    leases: s.runLeasesOfItem.all(itemId).map((lease) => ({ ...lease, idle: lease.idle === 1 })),
    holds: s.allHolds.all().filter((hold) => hold.itemId === itemId),
    quarantined: s.quarantineOf.get(itemId)?.reason,
  };
}

function nextItem(s: Statements, after: string): string | undefined {
  const ids = [s.nextStream.get(after)?.itemId, s.nextItem.get(after)?.id];
  return ids.filter((id): id is string => id !== undefined).sort()[0];
}

function rewriteStream(s: Statements, { runs, entries, calls }: Expected, itemId: string): void {
  for (const drop of [s.dropRuns, s.dropEntries, s.dropCalls]) drop.run(itemId);
  for (const row of runs) applyChange(s, { kind: 'run_start', row });
  for (const row of entries) applyChange(s, { kind: 'entry_add', row });
  for (const row of calls) applyChange(s, { kind: 'call_start', row });
}

function rewrite(s: Statements, view: ItemView, expected: Expected, now: number): void {
  const { itemId } = view;
  putItem(s, expected.item);
  applyChange(s, { kind: 'text_put', row: expected.text });
  rewriteStream(s, expected, itemId);
  const kept = new Map(view.leases.map((lease) => [lease.runId, lease.expiresAt]));
  s.releaseRunsOfItem.run(itemId);
  for (const { resource, epoch, owner, runId, alone, idle } of expected.leases) {
    // A lease that had to be made up is over at once: its owner, if there is one, renews it.
    s.forceLease.run(resource, epoch, owner, kept.get(runId) ?? now, itemId, runId, alone ? 1 : 0, idle ? 1 : 0);
  }
  for (const hold of view.holds) s.dropHold.run(hold.runId);
  for (const hold of expected.holds) s.putHold.run(hold.runId, hold.key, hold.mode, itemId);
  s.releaseQuarantine.run(itemId);
}

function mend(s: Statements, view: ItemView, mending: Mending, now: number): void {
  switch (mending.type) {
    case 'rewrite':
      if (mending.dropSnapshot) s.dropSnapshot.run(view.itemId);
      rewrite(s, view, mending.expected, now);
      return;
    case 'quarantine':
      quarantine(s, view.itemId, mending.reason, now);
      return;
    case 'free':
      s.releaseRunsOfItem.run(view.itemId);
      for (const hold of view.holds) s.dropHold.run(hold.runId);
  }
}

function recount(s: Statements): void {
  const counted = s.recountLanes.all();
  s.clearLaneCounts.run();
  for (const { directory, lane, n } of counted) s.addLaneCount.run(directory, lane, n);
}

/** The doctor's way into a SQLite store. */
export function sqliteDoctorSource(connection: Connection, now: () => number): DoctorSource {
  const s = connection.statements;
  return {
    nextItem: (after) => connection.read(() => nextItem(s, after)),
    view: (itemId) => connection.readView(() => readView(s, itemId)),
    namedBySides: () =>
      connection.readView(() => [...new Set([...s.liveRuns.all(), ...s.allHolds.all()].map((row) => row.itemId))]),
    laneCounts: () => connection.readView(() => ({ stored: s.storedLaneCounts.all(), counted: s.recountLanes.all() })),
    damage: () =>
      connection.read(() =>
        s.quickCheck
          .all()
          .map((row) => row.quick_check)
          .filter((text) => text !== 'ok')
          .map((text) => `The file is damaged: ${text}.`),
      ),
    mend: (itemId, plan) =>
      connection.write(() => {
        const view = readView(s, itemId);
        mend(s, view, plan(view), now());
      }),
    recount: () => connection.write(() => recount(s)),
  };
}
