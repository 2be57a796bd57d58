import { createHash } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Criterion, Receipt, Setup } from '../../core/index.ts';
import type { RunIo } from '../../executors/executor.ts';
import type { CheckSource } from '../../executors/verify/check-source.ts';
import { gitSource } from '../../executors/verify/git-source.ts';
import { plainSource } from '../../executors/verify/plain-source.ts';
import { type ChecksResult, runChecks } from '../../executors/verify/run-checks.ts';
import { createEngineRepository, unpin } from '../../workspace/engine-repository/engine-repository.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { confinedTo } from '../run/confinement.ts';
import type { SubmitRefusal } from '../submit/refusal.ts';
import { type Ground, type SurveyRequest, surveyDirectory } from '../submit/survey.ts';
import type { World } from '../world.ts';
import { unkeptContent } from './unkept-content.ts';

/** A check to be tried before there is an item, on the ground that the item would stand on. */
export interface TrialRequest extends SurveyRequest {
  readonly setup?: Setup;
  readonly check: Check;
  /** Ends the trial: whoever wanted to know is gone. */
  readonly signal: AbortSignal;
}

export type Trial =
  | { readonly kind: 'tried'; readonly receipt: Receipt }
  | { readonly kind: 'setup_failed'; readonly exitCode: number | null; readonly tail: string }
  /** The directory could not become the ground of an item either. */
  | { readonly kind: 'refused'; readonly why: SubmitRefusal }
  | { readonly kind: 'busy' }
  | { readonly kind: 'impossible'; readonly why: string }
  | { readonly kind: 'stopped' };

/** A person waits for it, and it is only a trial; seconds. */
const CHECK_MAX_SEC = 600;
const SETUP_MAX_SEC = 900;

/** Directories in which a check is being tried: one at a time in each, and few at once. */
const trying = new Set<string>();
const AT_ONCE = 2;

/**
 * Runs one check as its base run will be (D23): set-up and check in a clean checkout of what the work would start from,
 * confined as always. Nothing of it is stored, in no item and not as content; the user's repository is left as it was.
 */
export async function tryCheck(world: World, request: TrialRequest): Promise<Trial> {
  const directory = await realpath(request.directory).catch(() => request.directory);
  if (trying.has(directory) || trying.size >= AT_ONCE) return { kind: 'busy' };
  trying.add(directory);
  // The same name each time: what a killed trial left is in the way of nobody and goes with the next one.
  const id = `trial-${createHash('sha256').update(`${world.home.root}\0${directory}`).digest('hex').slice(0, 12)}`;
  try {
    return await tryOn(world, request, id);
  } finally {
    trying.delete(directory);
  }
}

const isGround = (value: Ground | SubmitRefusal): value is Ground => 'base' in value;

async function tryOn(world: World, request: TrialRequest, id: string): Promise<Trial> {
  const gitDir = join(world.home.root, 'checks', `${id}.git`);
  await rm(world.home.plainBase(id), { recursive: true, force: true });
  await removeTree(gitDir);
  const ground = await surveyDirectory(world, request, id);
  if (!isGround(ground)) return { kind: 'refused', why: ground };
  try {
    return told(await run(world, request, { id, ground, source: await sourceOn(world, ground, { id, gitDir }) }));
  } finally {
    await removeTree(gitDir);
    await rm(world.home.plainBase(id), { recursive: true, force: true });
    if (ground.base.kind === 'git') await unpin({ commonDir: ground.base.gitDir, itemId: id });
  }
}

async function sourceOn(
  world: World,
  { directory, base, workspace }: Ground,
  { id, gitDir }: { readonly id: string; readonly gitDir: string },
): Promise<CheckSource> {
  if (base.kind !== 'git' || workspace === 'in-place') {
    return plainSource({ directory, baseCopy: world.home.plainBase(id) });
  }
  const { commit, subdirectory } = base;
  const repo = await createEngineRepository({ gitDir, source: { commonDir: base.gitDir }, base: commit, itemId: id });
  return gitSource({ repo, base: commit, commit, subdirectory });
}

interface Place {
  readonly id: string;
  readonly ground: Ground;
  readonly source: CheckSource;
}

const atMost = <T extends { readonly timeoutSec: number }>(line: T, maxSec: number): T => ({
  ...line,
  timeoutSec: Math.min(line.timeoutSec, maxSec),
});

function run(world: World, { setup, check, signal }: TrialRequest, { id, ground, source }: Place) {
  const io: RunIo = {
    onOutput: () => undefined,
    onSpawned: async () => undefined,
    putContent: unkeptContent,
    signal,
    now: world.now,
    log: (message) => world.log(message, { trial: id }),
  };
  const criterion: Criterion = {
    ...{ id: 'c1', version: 1, text: 'A check that is tried', minProof: 'machine' },
    check: atMost(check, CHECK_MAX_SEC),
  };
  return runChecks({
    source,
    ...(setup ? { setup: atMost(setup, SETUP_MAX_SEC) } : {}),
    ...{ runId: world.newId(), epoch: 1, io, criteria: [criterion], knownBase: [] },
    cacheRoot: world.home.setups,
    workRoot: join(world.home.root, 'checks'),
    confinement: confinedTo(world, ground.base),
    engine: `workcenter ${world.worker.version}`,
  });
}

function told(result: ChecksResult): Trial {
  switch (result.kind) {
    case 'checked': {
      const [receipt] = result.receipts;
      return receipt ? { kind: 'tried', receipt } : { kind: 'stopped' };
    }
    case 'setup_failed':
      return { kind: 'setup_failed', exitCode: result.exitCode, tail: result.log.tail };
    case 'not_started':
      return { kind: 'impossible', why: result.detail };
    case 'stopped':
      return { kind: 'stopped' };
  }
}
