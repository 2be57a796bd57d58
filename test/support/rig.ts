import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeAt, type World } from '../../src/engine/index.ts';
import { checkInvariants } from '../../src/invariants/invariants.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { findTagged, killTagged } from '../../src/workspace/process/tagged-processes.ts';
import { makeRepository } from './repository.ts';
import { openWorldAt, type WorldOptions } from './world.ts';

/** A data directory, a repository and a ledger, beneath one temporary directory; removed by `close`. */
export interface Rig {
  readonly root: string;
  readonly repo: string;
  readonly ledger: string;
  readonly logs: string[];
  /** Opens a world; `close` closes its store. */
  world(options?: WorldOptions): Promise<World>;
  git(...args: string[]): Promise<string>;
  /** What commands wrote with `note`, in order. */
  noted(): Promise<readonly string[]>;
  /** Kills what Runs of the items may have left, removes everything; answers how many processes had leaked. */
  close(): Promise<number>;
}

export async function openRig(files?: Readonly<Record<string, string>>, prefix = 'wc-crash-'): Promise<Rig> {
  const root = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  const repo = join(root, 'repo');
  const ledger = join(root, 'ledger');
  const logs: string[] = [];
  const stores: Store[] = [];
  await mkdir(ledger);
  const { git } = await makeRepository(repo, files);
  return {
    root,
    repo,
    ledger,
    logs,
    git,
    world: async (options) => {
      const world = await openWorldAt(root, options, logs);
      stores.push(world.store);
      return world;
    },
    noted: async () => linesOf(join(ledger, 'lines')),
    close: async () => {
      const leaked = await leftovers(root);
      for (const store of stores) await store.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
      return leaked;
    },
  };
}

async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function runIdsOf(store: Store): Promise<ReadonlySet<string>> {
  const { items } = await store.list({ limit: 500 });
  const runs = await Promise.all(items.map(({ id }) => store.runs(id, { limit: 1_000 })));
  return new Set(runs.flat().map(({ runId }) => runId));
}

/** Ends every process of any Run of this data directory; answers how many there were. */
async function leftovers(root: string): Promise<number> {
  const store = await openSqliteStore({ path: homeAt(join(root, 'home')).database });
  try {
    return (await killTagged({ runIds: await runIdsOf(store) })).killed.length;
  } finally {
    await store.close();
  }
}

/** Processes alive now that belong to any Run of the store. */
export async function aliveOf(store: Store): Promise<number> {
  return (await findTagged({ runIds: await runIdsOf(store) })).length;
}

/** Everything that is wrong with a store right now, as sentences: broken invariants, and what `doctor` finds. */
export async function complaints(store: Store): Promise<readonly string[]> {
  const { items } = await store.list({ limit: 500 });
  const states = await Promise.all(items.map(({ id }) => store.load(id)));
  const broken = states.flatMap((state) => (state ? checkInvariants(state).map((said) => `${state.id}: ${said}`) : []));
  const report = await store.doctor();
  return [...broken, ...report.findings.map(({ kind, what }) => `${kind}: ${what}`)];
}

export { until } from './until.ts';
