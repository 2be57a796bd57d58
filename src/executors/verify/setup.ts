import { lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Setup } from '../../core/model/contract.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { listCheckout, provideSetup, storeSetup } from '../../workspace/setup/setup-cache.ts';
import { setupKey } from '../../workspace/setup/setup-key.ts';
import type { StoredLog } from '../executor.ts';
import type { CheckPlace } from './check-place.ts';
import { type CheckSource, fromTop, type Side } from './check-source.ts';
import { runGuardedLine } from './guarded-line.ts';

export type SetupResult =
  /** The contract has none, or the directory is used in place. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly cacheRoot: string; readonly key: string; readonly ran: boolean }
  | { readonly kind: 'failed'; readonly exitCode: number | null; readonly log: StoredLog }
  /** The signal fired, or no process could be started at all. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_started'; readonly detail: string };

/**
 * Makes the set-up of one side available (D23): from the cache, or by running it in a clean checkout of that side.
 * Only a base's goes into the shared cache. What an executor's own inputs install stays with this call: a result
 * that was made by its scripts must never be taken for that of somebody's clean base with equal inputs.
 */
export async function setupFor(place: CheckPlace, side: Side): Promise<SetupResult> {
  const { setup, source } = place;
  if (setup === undefined || source.inPlace !== undefined) return { kind: 'none' };
  const key = await keyOf(source, setup, side);
  const cacheRoot = side === 'base' ? place.cacheRoot : join(place.workDir, 'own-setup');
  if ((await addedBy({ cacheRoot, key })) !== null) return { kind: 'ready', cacheRoot, key, ran: false };
  const checkout = join(place.workDir, `setup-${side}`);
  await source.checkOut(side, checkout, { dependencies: false });
  try {
    return await runSetup(place, setup, { checkout, side, cacheRoot, key });
  } finally {
    await removeTree(checkout);
  }
}

async function runSetup(
  place: CheckPlace,
  setup: Setup,
  at: { checkout: string; side: Side; cacheRoot: string; key: string },
): Promise<SetupResult> {
  const { checkout, side, cacheRoot, key } = at;
  const checkoutBefore = await listCheckout(checkout);
  const project = join(checkout, place.source.subdirectory);
  await mkdir(project, { recursive: true });
  const { exit, log } = await runGuardedLine(place, {
    name: `setup-${side}-line`,
    run: setup.run,
    checkout,
    cwd: project,
    env: {},
    network: setup.network,
    timeoutSec: setup.timeoutSec,
  });
  if (exit.cause === 'aborted') return { kind: 'stopped' };
  if (exit.cause === 'spawn_failed') return { kind: 'not_started', detail: exit.detail ?? 'no reason was given' };
  if (exit.cause !== 'exited' || exit.exitCode !== 0) return { kind: 'failed', exitCode: exit.exitCode, log };
  await storeSetup({ cacheRoot, key, checkoutPath: checkout, checkoutBefore });
  return { kind: 'ready', cacheRoot, key, ran: true };
}

/**
 * Gives a checkout, or a workspace that was just prepared, its private copy of a set-up. Whatever stands in its
 * place goes first, so that files committed into the dependency folder cannot join it, and no link leads it elsewhere.
 * @returns the places that were taken, from the top
 */
export async function provideTo(result: SetupResult, into: string, nowMs: number): Promise<string[]> {
  if (result.kind !== 'ready') return [];
  const { cacheRoot, key } = result;
  const added = await addedBy(result);
  if (added === null) throw new Error(`the set-up ${key} is no longer in ${cacheRoot}`);
  const taken = new Set<string>();
  for (const path of added) {
    const obstacle = await obstacleOf(into, path);
    if (obstacle === null) continue;
    taken.add(obstacle);
    await removeTree(join(into, obstacle));
  }
  await provideSetup({ cacheRoot, key, into, now: nowMs });
  return [...taken];
}

/** What keeps `path` from being put there: itself, or a file or link where one of its folders should be. */
async function obstacleOf(root: string, path: string): Promise<string | null> {
  const parts = path.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const partial = parts.slice(0, length).join('/');
    const found = await lstat(join(root, partial)).catch(() => null);
    if (found === null) return null;
    if (length === parts.length || !found.isDirectory()) return partial;
  }
  return null;
}

/** Topmost paths, from the top of a checkout, that a set-up brings; none where there is none. */
export const pathsOf = async (result: SetupResult): Promise<readonly string[]> =>
  result.kind === 'ready' ? ((await addedBy(result)) ?? []) : [];

/** Whether an input of the set-up differs between base and result. */
export async function setupChanged(source: CheckSource, setup: Setup | undefined): Promise<boolean> {
  if (setup === undefined || source.inPlace !== undefined) return false;
  const pairs = await Promise.all(
    setup.inputs.map(async (input) => {
      const path = fromTop(source.subdirectory, input);
      return (await source.contentHash('base', path)) === (await source.contentHash('result', path));
    }),
  );
  return pairs.some((equal) => !equal);
}

/** Without declared inputs everything is one. The folder is part of the key: the result has the shape of the whole checkout. */
async function keyOf(source: CheckSource, setup: Setup, side: Side): Promise<string> {
  const declared = setup.inputs.map((input) => fromTop(source.subdirectory, input));
  const paths = declared.length === 0 ? [''] : declared;
  const inputs = await Promise.all(
    paths.map(async (path) => ({ path, contentHash: await source.contentHash(side, path) })),
  );
  return setupKey({
    run: setup.run,
    inputs: [...inputs, { path: '/', contentHash: source.subdirectory }],
    platform: `${process.platform}-${process.arch}${libc()}`,
    nodeMajor: Number(process.versions.node.split('.')[0]),
    network: setup.network,
  });
}

function libc(): string {
  if (process.platform !== 'linux') return '';
  const header: unknown = Reflect.get(process.report?.getReport() ?? {}, 'header');
  const glibc = typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
  return glibc ? '-glibc' : '-musl';
}

const note = z.object({ added: z.array(z.string()) });

/** The topmost paths of a cached set-up, or null where it is not (completely) there. */
async function addedBy(entry: { cacheRoot: string; key: string }): Promise<readonly string[] | null> {
  const text = await readFile(join(entry.cacheRoot, entry.key, 'complete'), 'utf8').catch(() => null);
  return text === null ? null : note.parse(JSON.parse(text)).added;
}
