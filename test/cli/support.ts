import type { App } from '../../src/cli/app.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import type { View } from '../../src/cli/render/view.ts';
import type { Shell } from '../../src/cli/shell.ts';
import type { StoredEvent } from '../../src/core/index.ts';
import { homeAt } from '../../src/engine/home.ts';
import { projectRuns } from '../../src/store/projection.ts';
import type { RunRow } from '../../src/store/rows.ts';
import type { Store } from '../../src/store/store.ts';

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

/** A terminal that nobody looks at. */
export const SHELL: Shell = {
  version: '0.0.0',
  json: false,
  paint: PLAIN,
  columns: 80,
  rows: 24,
  live: false,
  canAsk: false,
  env: {},
  cwd: '/',
  pid: 1,
  now: () => 1_000,
  out: () => undefined,
  err: () => undefined,
  readInput: async () => new Uint8Array(),
  interruptible: () => new AbortController().signal,
};

/** A command's hold on a store. */
export const appOn = (store: Store, shell: Partial<Shell> = {}): App => ({
  shell: { ...SHELL, ...shell },
  home: homeAt('/nowhere'),
  store,
  policy: { concurrency: 1, dailyTokens: null, dailyCostMicros: null },
});
