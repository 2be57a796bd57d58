import type { ItemState } from '../../core/index.ts';
import { openEngineRepository } from '../../workspace/engine-repository/engine-repository.ts';
import { changedPaths, type DiffText, diffText } from '../../workspace/git/diff.ts';
import type { GitRepository } from '../../workspace/git/repository.ts';
import type { World } from '../world.ts';

/** Whose changes: the item's so far, those of an Action's last completed Run, or those of one Run. */
export interface DiffOf {
  readonly actionId?: string;
  readonly runId?: string;
}

/** The two commits between which something was changed. */
export interface DiffEnds {
  readonly kind: 'ends';
  readonly from: string;
  readonly to: string;
}

/** In place, never prepared, or nothing captured yet. */
export interface NoDiff {
  readonly kind: 'nothing';
  readonly why: string;
}

export interface DiffOptions {
  /** Only this file, by its literal path. */
  readonly path?: string;
  readonly ignoreWhitespace?: boolean;
  readonly maxBytes?: number;
}

export type DiffRequest = DiffOf & DiffOptions;

export type ItemDiff =
  | ({
      readonly kind: 'diff';
      readonly from: string;
      readonly to: string;
      /** Of a cut diff: the first paths that are not in it, to be asked for one by one. */
      readonly omitted: readonly string[];
    } & DiffText)
  | NoDiff;

const OMITTED_MAX = 1_000;

const nothing = (why: string): NoDiff => ({ kind: 'nothing', why });

async function endsOfRun(world: World, state: ItemState, runId: string, first: string): Promise<DiffEnds | NoDiff> {
  const run = await world.store.run(state.id, runId);
  if (!run) return nothing(`There is no Run ${runId}.`);
  if (run.commit === null) return nothing(`Run ${runId} has no captured result.`);
  return { kind: 'ends', from: run.base ?? first, to: run.commit };
}

/** Which commits a request compares; they never change what they are, so they also name the diff. */
export async function diffEnds(
  world: World,
  state: ItemState,
  { actionId, runId }: DiffOf = {},
): Promise<DiffEnds | NoDiff> {
  if (state.base.kind !== 'git') return nothing('The directory is not a git repository.');
  const { commit: first } = state.base;
  if (runId !== undefined) return endsOfRun(world, state, runId, first);
  if (actionId === undefined) return { kind: 'ends', from: first, to: state.branch.head };
  const action = state.actions.find((candidate) => candidate.id === actionId);
  if (!action) return nothing(`There is no Action ${actionId}.`);
  const { result } = action;
  if (result?.commit === undefined) return nothing(`Action ${actionId} has no captured result.`);
  const run = await world.store.run(state.id, result.runId);
  return { kind: 'ends', from: run?.base ?? first, to: result.commit };
}

/** Files of a cut diff are whole or left out, so that nobody takes half a file for the whole of it. */
export async function wholeFiles(repo: GitRepository, { from, to }: DiffEnds, text: string) {
  const last = text.lastIndexOf('\ndiff --git ');
  const kept = last < 0 ? text : text.slice(0, last + 1);
  // A file that became a link is told twice, under one name.
  const shown = new Set(kept.match(/^diff --git .*$/gm)).size;
  const paths = await changedPaths(repo, from, to);
  return { text: kept, omitted: paths.slice(shown, shown + OMITTED_MAX).map(({ path }) => path) };
}

/** The text of what was changed between two commits of an item. */
export async function diffBetween(
  world: World,
  state: ItemState,
  ends: DiffEnds,
  { path, ...options }: DiffOptions = {},
): Promise<ItemDiff> {
  const repo = await openEngineRepository({ gitDir: world.home.repository(state.id), itemId: state.id });
  if (!repo) return nothing('No work has begun.');
  const { from, to } = ends;
  const paths = path === undefined ? {} : { paths: [path] };
  const { text, truncated } = await diffText(repo, from, to, { ...options, ...paths });
  const said = { kind: 'diff', from, to, truncated } as const;
  if (!truncated || path !== undefined) return { ...said, text, omitted: [] };
  return { ...said, ...(await wholeFiles(repo, ends, text)) };
}

/** What an item, one of its Actions or Runs, changed so far. */
export async function itemDiff(world: World, state: ItemState, request: DiffRequest = {}): Promise<ItemDiff> {
  const ends = await diffEnds(world, state, request);
  return ends.kind === 'nothing' ? ends : diffBetween(world, state, ends, request);
}
