import { existsSync } from 'node:fs';
import type { ActionState, ItemState, LiveRun } from '../../core/index.ts';
import { openEngineRepository } from '../../workspace/engine-repository/engine-repository.ts';
import type { ManifestLimits } from '../../workspace/files/manifest.ts';
import { type ChangedPath, changedPaths, diffText } from '../../workspace/git/diff.ts';
import { fileAt } from '../../workspace/git/file-at.ts';
import { GitFailure } from '../../workspace/git/run-git.ts';
import { type LiveTrees, withLiveTree, withPlainTrees } from '../../workspace/isolated/live-trees.ts';
import type { Omission } from '../../workspace/isolated/write-tree.ts';
import { secretsOf } from '../run/confinement.ts';
import { knownInPlace } from '../run/in-place.ts';
import { workspaceName } from '../run/workplace.ts';
import type { World } from '../world.ts';
import { type ChangedFile, MAX_FILE_BYTES, shownFile } from './changed-file.ts';
import { type DiffOptions, wholeFiles } from './item-diff.ts';

/** What the files of a running Action are at one moment. It is for watching: only what a Run leaves is evidence. */
interface LiveLook {
  readonly runId: string;
  /** The commit that the Run started from; in place what the directory was before the work, by content. */
  readonly from: string;
  /** Names what is there now, by content: the same as long as nothing changed. */
  readonly tree: string;
  /** Files that differ, whatever is shown of them. */
  readonly changed: number;
  /** What is there and was not read, and why; the first of them, and how many in all. */
  readonly left: readonly Omission[];
  readonly leftOut: number;
}

export interface LiveDiff extends LiveLook {
  readonly kind: 'live';
  readonly text: string;
  readonly truncated: boolean;
  /** Of a cut diff: the first paths that are not in it. */
  readonly omitted: readonly string[];
}

export interface LiveFiles extends LiveLook {
  readonly kind: 'live';
  /** The first of them, in git's order. */
  readonly files: readonly ChangedPath[];
}

export interface LiveFile extends LiveLook {
  readonly kind: 'live';
  readonly file: Omit<ChangedFile, 'kind' | 'commit'>;
}

/** Nothing live can be shown; `code` is one of the API's. */
export interface NotLive {
  readonly kind: 'not_live';
  readonly code: 'action_not_found' | 'not_running' | 'workspace_gone' | 'no_diff' | 'workspace_unreadable';
  readonly why: string;
}

const LEFT_MAX = 100;
const FILES_MAX = 400;
/** A directory that is worked on in place is read whole to see what changed; beyond this it is not watched. */
const IN_PLACE_LIMITS: ManifestLimits = Object.freeze({ maxFiles: 20_000, maxBytes: 256 * 1024 * 1024 });
const REDACTED = '[redacted]';

const notLive = (code: NotLive['code'], why: string): NotLive => ({ kind: 'not_live', code, why });

interface Place {
  readonly action: ActionState;
  readonly run: LiveRun;
  readonly base: string;
}

/** The Run that works now, or why there is none to watch. */
function placeOf(state: ItemState, actionId: string): Place | NotLive {
  const action = state.actions.find(({ id }) => id === actionId);
  if (!action) return notLive('action_not_found', `Item ${state.id} has no Action ${actionId}.`);
  const run = state.runs.find((each) => each.actionId === actionId);
  if (!run) return notLive('not_running', `Action ${actionId} is ${action.status}: nobody works in its workspace now.`);
  if (action.spec.executor.kind === 'verify') return notLive('no_diff', 'Checks run in checkouts of their own.');
  if (!run.dispatched || run.base === null)
    return notLive('no_diff', `The workspace of ${actionId} is being prepared.`);
  return { action, run, base: run.base };
}

/** Two who watch the same cause one look. */
const looking = new Map<string, Promise<unknown>>();

function once<T>(key: string, look: () => Promise<T>): Promise<T> {
  const known = looking.get(key) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const begun = look().finally(() => looking.delete(key));
  looking.set(key, begun);
  return begun;
}

async function treesOf<T>(
  world: World,
  state: ItemState,
  { action, base }: Place,
  work: (live: LiveTrees) => Promise<T>,
): Promise<T | NotLive> {
  const scratch = world.home.live;
  if (state.contract.workspace === 'in-place') {
    const before = world.home.plainBase(state.id);
    if (!existsSync(before)) return notLive('no_diff', 'There is no copy of the directory as it was to compare with.');
    const paths = await knownInPlace(world, state, action, IN_PLACE_LIMITS);
    if (!paths) return notLive('no_diff', 'It only reads, or its directory is too large to be watched.');
    return withPlainTrees({ before, after: state.contract.directory, paths, scratch }, work);
  }
  const repo = await openEngineRepository({ gitDir: world.home.repository(state.id), itemId: state.id });
  const path = world.home.workspace(state.id, workspaceName(action));
  const gone = notLive('workspace_gone', `The workspace of Action ${action.id} is not on this machine, or is gone.`);
  return repo ? ((await withLiveTree({ repo, path, base, scratch }, work)) ?? gone) : gone;
}

/** Looks at the workspace; what its Run left half-way through the look is not told, for it may be being removed. */
async function look<T>(
  world: World,
  state: ItemState,
  actionId: string,
  shows: (live: LiveTrees, changes: readonly ChangedPath[], clean: (text: string) => string) => Promise<T>,
): Promise<(T & LiveLook & { readonly kind: 'live' }) | NotLive> {
  const place = placeOf(state, actionId);
  if ('kind' in place) return place;
  const secrets = secretsOf(world, place.action.spec);
  const clean = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
  const found = await treesOf(world, state, place, async (live) => {
    const changes = await changedPaths(live.repo, live.before, live.after);
    const left = live.omitted.slice(0, LEFT_MAX).map(({ path, reason }) => ({ path: clean(path), reason }));
    return {
      ...{ kind: 'live' as const, runId: place.run.id, from: place.base, tree: live.after, changed: changes.length },
      ...{ left, leftOut: live.omitted.length },
      ...(await shows(live, changes, clean)),
    };
  }).catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error;
    world.log('a workspace could not be looked at', { item: state.id, run: place.run.id, error: error.message });
    return notLive('workspace_unreadable', 'It is too large, or changes too fast, to be looked at now.');
  });
  const now = await world.store.load(state.id);
  return now?.runs.some(({ id }) => id === place.run.id) ? found : (placeAfter(now ?? state, actionId) ?? found);
}

function placeAfter(state: ItemState, actionId: string): NotLive | undefined {
  const place = placeOf(state, actionId);
  return 'kind' in place ? place : notLive('not_running', `Another Run of Action ${actionId} has begun.`);
}

/** What an Action that is running has changed so far, committed or not, as text. */
export function liveDiff(
  world: World,
  state: ItemState,
  actionId: string,
  { path, ...options }: DiffOptions = {},
): Promise<LiveDiff | NotLive> {
  const key = JSON.stringify(['diff', world.home.root, state.id, actionId, path, options]);
  const paths = path === undefined ? {} : { paths: [path] };
  return once(key, () =>
    look(world, state, actionId, async ({ repo, before: from, after: to }, _, clean) => {
      const { text, truncated } = await diffText(repo, from, to, { ...options, ...paths });
      if (!truncated || path !== undefined) return { text: clean(text), truncated, omitted: [] };
      const whole = await wholeFiles(repo, { kind: 'ends', from, to }, text);
      return { text: clean(whole.text), truncated, omitted: whole.omitted.map(clean) };
    }),
  );
}

/** Which files an Action that is running has changed so far. */
export const liveFiles = (world: World, state: ItemState, actionId: string): Promise<LiveFiles | NotLive> =>
  once(JSON.stringify(['files', world.home.root, state.id, actionId]), () =>
    look(world, state, actionId, async (_, changes, clean) => ({
      files: changes.slice(0, FILES_MAX).map(({ status, path }) => ({ status, path: clean(path) })),
    })),
  );

/** A file that an Action has changed, as it is at this moment; of the rest of the project nobody was asked. */
export const liveFile = (world: World, state: ItemState, actionId: string, path: string): Promise<LiveFile | NotLive> =>
  look(world, state, actionId, async ({ repo, after }, changes, clean) => {
    const isChanged = changes.some((each) => each.path === path);
    const found = isChanged
      ? await fileAt(repo, after, path, { maxBytes: MAX_FILE_BYTES })
      : ({ kind: 'absent' } as const);
    const shown = shownFile(found);
    return { file: { path, ...shown, text: shown.text === null ? null : clean(shown.text) } };
  });
