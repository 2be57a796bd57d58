/** Whose changes are shown, and which part: what the address says. */
export interface DiffSource {
  readonly itemId: string;
  readonly actionId?: string;
  readonly runId?: string;
  /** What is being written now, not what was recorded; the address does not say it, for it ends by itself. */
  readonly isLive?: boolean;
}

export type FileView = 'before' | 'after' | 'only';

/** One file instead of all: as it was, as it is, or its own diff where the whole was too large. */
export interface OneFile {
  readonly path: string;
  readonly view: FileView;
}

/** `rest` of `/work/ID/diff/actions/A/runs/R`. */
export function sourceOf(itemId: string, rest: readonly string[]): DiffSource {
  const [actions, actionId, runs, runId] = rest;
  if (actions !== 'actions' || actionId === undefined) return { itemId };
  return { itemId, actionId, ...(runs === 'runs' && runId !== undefined ? { runId } : {}) };
}

const VIEWS: readonly FileView[] = ['before', 'after', 'only'];

/** The query of the address: `file`, `view`. */
export function oneFileOf(search: string): OneFile | undefined {
  const query = new URLSearchParams(search);
  const path = query.get('file');
  if (path === null) return undefined;
  return { path, view: VIEWS.find((view) => view === query.get('view')) ?? 'only' };
}

export function hrefOf({ itemId, actionId, runId }: DiffSource, file?: OneFile): string {
  const action = actionId === undefined ? '' : `/actions/${encodeURIComponent(actionId)}`;
  const run = action === '' || runId === undefined ? '' : `/runs/${encodeURIComponent(runId)}`;
  const query = file ? `?${new URLSearchParams({ file: file.path, view: file.view })}` : '';
  return `/work/${itemId}/diff${action}${run}${query}`;
}
