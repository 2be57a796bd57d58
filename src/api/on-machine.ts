import type { ItemState } from '../core/index.ts';
import type { World } from '../engine/index.ts';
import { type ChangedFile, changedFile } from '../engine/on-demand/changed-file.ts';
import type { GcRequest } from '../engine/on-demand/collect-garbage.ts';
import { type DiskUse, diskUse } from '../engine/on-demand/disk-use.ts';
import { examine } from '../engine/on-demand/examine.ts';
import type { Health } from '../engine/on-demand/health.ts';
import {
  type DiffEnds,
  type DiffOf,
  type DiffOptions,
  diffBetween,
  diffEnds,
  type ItemDiff,
  type NoDiff,
} from '../engine/on-demand/item-diff.ts';
import {
  type LiveDiff,
  type LiveFile,
  type LiveFiles,
  liveDiff,
  liveFile,
  liveFiles,
  type NotLive,
} from '../engine/on-demand/live-diff.ts';
import { type Rerun, type RerunRequest, rerunEvidence } from '../engine/on-demand/rerun-evidence.ts';
import { openRunOutput, type RunOutput } from '../engine/on-demand/run-output.ts';
import { type Suggestions, suggestionsFor } from '../engine/on-demand/suggestions.ts';
import { type Trial, type TrialRequest, tryCheck } from '../engine/on-demand/try-check.ts';
import type { Environment } from '../model/index.ts';
import { loadVps, type VpRegistry } from '../vp/index.ts';
import type { Refusal } from './problem.ts';

/** What only the machine can tell that the engine runs on: its repositories, its files, its environment. */
export interface OnMachine {
  /** Which commits a diff compares; cheap, and they name it. */
  readonly diffEnds: (state: ItemState, of: DiffOf) => Promise<DiffEnds | NoDiff>;
  readonly diff: (state: ItemState, ends: DiffEnds, options: DiffOptions) => Promise<ItemDiff>;
  readonly changedFile: (
    state: ItemState,
    ends: DiffEnds,
    file: { readonly path: string; readonly side: 'before' | 'after' },
  ) => Promise<ChangedFile | NoDiff>;
  /** What a running Action has changed so far, committed or not. */
  readonly liveDiff: (state: ItemState, actionId: string, options: DiffOptions) => Promise<LiveDiff | NotLive>;
  readonly liveFiles: (state: ItemState, actionId: string) => Promise<LiveFiles | NotLive>;
  readonly liveFile: (state: ItemState, actionId: string, path: string) => Promise<LiveFile | NotLive>;
  /** What a Run printed, where it is here. */
  readonly runOutput: (runId: string) => Promise<RunOutput | undefined>;
  /** Built-in ones and the person's own; with those of a project where one is named. */
  readonly vps: (projectDirectory: string | undefined) => Promise<VpRegistry>;
  /** What set-up and which checks a directory seems to have; nothing in it is run. */
  readonly suggestions: (directory: string) => Suggestions;
  /** Runs a check on a directory of the machine before there is an item. */
  readonly tryCheck: (request: TrialRequest) => Promise<Trial>;
  /** Runs checks of an item again, at the commit that is proven. */
  readonly rerun: (state: ItemState, request: RerunRequest) => Promise<Rerun>;
  /** What is enforced for Runs and checks, as it was tried when the engine was opened. */
  readonly enforcement: World['enforcement'];
  /** What `doctor` finds besides the store. */
  readonly examine: () => Promise<readonly Health[]>;
  /** What each item holds; removes what may go where it is asked to. */
  readonly disk: (request: GcRequest) => Promise<DiskUse>;
  /** Where keys of models are looked for; none is ever told. */
  readonly environment: Environment;
  /** The project that the server was started in; work will most likely be done there. */
  readonly project?: string;
}

/** The machine that this engine runs on. */
export const onMachine = (world: World, project?: string): OnMachine => ({
  diffEnds: (state, of) => diffEnds(world, state, of),
  diff: (state, ends, options) => diffBetween(world, state, ends, options),
  changedFile: (state, ends, file) => changedFile(world, state, ends, file),
  liveDiff: (state, actionId, options) => liveDiff(world, state, actionId, options),
  liveFiles: (state, actionId) => liveFiles(world, state, actionId),
  liveFile: (state, actionId, path) => liveFile(world, state, actionId, path),
  runOutput: (runId) => openRunOutput(world, runId),
  vps: (projectDirectory) =>
    loadVps({
      userDirectory: world.userConfigDir,
      userHome: world.userHome,
      ...(projectDirectory === undefined ? {} : { projectDirectory }),
    }),
  suggestions: (directory) => suggestionsFor(directory),
  tryCheck: (request) => tryCheck(world, request),
  rerun: (state, request) => rerunEvidence(world, state, request),
  enforcement: world.enforcement,
  examine: () => examine(world),
  disk: (request) => diskUse(world, request),
  environment: world.env,
  ...(project === undefined ? {} : { project }),
});

/** The refusal of a server that was started without it. */
export const CANNOT_TELL: Refusal = {
  code: 'cannot_tell',
  message: 'This server does not run where that could be looked up.',
  next: 'Ask the server of workcenter up.',
};
