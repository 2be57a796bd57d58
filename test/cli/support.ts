import type { View } from '../../src/cli/render/item.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import type { StoredEvent } from '../../src/core/index.ts';
import { projectRuns } from '../../src/store/projection.ts';
import type { RunRow } from '../../src/store/rows.ts';

/** Rows of Runs as a store would hold them after these events. */
export function rowsOf(itemId: string, events: readonly StoredEvent[]): readonly RunRow[] {
  const rows = new Map<number, RunRow>();
  for (const change of projectRuns(itemId, undefined, events)) {
    if (change.kind === 'run_start') rows.set(change.row.startedSeq, change.row);
    if (change.kind !== 'run_dispatch' && change.kind !== 'run_end') continue;
    const known = rows.get(change.row.startedSeq);
    if (known) rows.set(change.row.startedSeq, { ...known, ...change.row });
  }
  return [...rows.values()];
}

export const plainView = (now: number, columns = 80): View => ({ now, columns, paint: PLAIN });

/** Lines without what follows them, so that a golden text needs no trailing spaces. */
export const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
