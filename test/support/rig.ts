import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { checkInvariants, type ItemState, reject } from '../../src/core/index.ts';
import { engineSettings, homeAt, prepareHome, submitItem, thisWorker, type World } from '../../src/engine/index.ts';
import { compilePlan, workspaceOf } from '../../src/plan/compile.ts';
import { formatProblems } from '../../src/plan/format-problems.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { findTagged, killTagged } from '../../src/workspace/process/tagged-processes.ts';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';

const run = promisify(execFile);

export const ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: process.env.HOME ?? '/root', LANG: 'C.UTF-8' };
const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];

export interface RigOptions {
  readonly sandbox?: boolean;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly concurrency?: number;
  readonly minFreeBytes?: number;
  /** Looks like another process that has ended when a later world asks: several engines may live in one test. */
  readonly mortal?: boolean;
  readonly store?: Partial<SqliteStoreOptions>;
  /** Stands between the engine and its store. */
  readonly wrap?: (store: Store) => Store;
}

/** A world on the data directory of `root`, with a store connection of its own. */
export async function openWorldAt(root: string, options: RigOptions = {}, logs: string[] = []): Promise<World> {
  const home = homeAt(join(root, 'home'));
  await prepareHome(home);
  const concurrency = options.concurrency ?? 3;
  const worker = await thisWorker(process.pid, 'test');
  const store = await openSqliteStore({
    path: home.database,
    durability: 'normal',
    policy: () => ({ concurrency }),
    ...options.store,
  });
  return {
    store: options.wrap?.(store) ?? store,
    home,
    worker: options.mortal ? { ...worker, startTime: '1' } : worker,
    settings: engineSettings({
      concurrency,
      leaseMs: options.leaseMs ?? 60_000,
      pollMs: options.pollMs ?? 50,
      minFreeBytes: options.minFreeBytes ?? 1,
    }),
    env: ENV,
    userHome: ENV.HOME,
    toolPaths: [],
    enforcement: await probeSandbox({ disabled: options.sandbox !== true }),
    now: Date.now,
    newId: randomUUID,
    log: (message, facts) => void logs.push(`${message} ${JSON.stringify(facts ?? {})}`),
  };
}

/** A data directory, a repository and a ledger, beneath one temporary directory; removed by `close`. */
export interface Rig {
  readonly root: string;
  readonly repo: string;
  readonly ledger: string;
  readonly logs: string[];
  /** Opens a world; `close` closes its store. */
  world(options?: RigOptions): Promise<World>;
  git(...args: string[]): Promise<string>;
  /** What commands wrote with `note`, in order. */
  noted(): Promise<readonly string[]>;
  /** Kills what Runs of the items may have left, removes everything; answers how many processes had leaked. */
  close(): Promise<number>;
}

export async function openRig(
  files: Readonly<Record<string, string>> = { 'a.txt': 'a\n', 'b.txt': 'b\n' },
): Promise<Rig> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'wc-crash-')));
  const repo = join(root, 'repo');
  const ledger = join(root, 'ledger');
  const logs: string[] = [];
  const stores: Store[] = [];
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', [...AUTHOR, ...args], { cwd: repo, env: ENV })).stdout.trim();
  await mkdir(repo);
  await mkdir(ledger);
  await git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, path)), { recursive: true });
    await writeFile(join(repo, path), text);
  }
  await git('add', '-A');
  await git('commit', '-q', '-m', 'Begin');
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

/** Submits a plan as a person would; throws the sentence of a refusal. */
export async function submitPlan(world: World, text: string, directory: string): Promise<ItemState> {
  const parsed = parsePlan(text, 'plan.yaml');
  if (!parsed.ok) throw new Error(parsed.problems.map((p) => `${p.line}:${p.column} ${p.message}`).join('\n'));
  const asked = workspaceOf(parsed.plan, 'isolated');
  const submitted = await submitItem(
    { ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` },
    {
      directory,
      dirty: asked.dirty,
      inPlace: asked.policy === 'in-place',
      start: true,
      principal: { kind: 'user', name: 'test' },
      compile: (ground) => {
        const compiled = compilePlan(parsed.plan, {
          directory: ground.directory,
          base: ground.base,
          workspaceDefault: ground.workspace,
          ...(ground.defaultBranch === undefined ? {} : { defaultBranch: ground.defaultBranch }),
        });
        if (compiled.ok) return compiled;
        return reject('invalid_plan', formatProblems(compiled.problems, { fileName: 'plan.yaml', text }));
      },
    },
  );
  if ('code' in submitted) throw new Error(`${submitted.code}: ${submitted.message} ${submitted.found ?? ''}`);
  return submitted.state;
}

/** Everything that is wrong with a store right now, as sentences: broken invariants, and what `doctor` finds. */
export async function complaints(store: Store): Promise<readonly string[]> {
  const { items } = await store.list({ limit: 500 });
  const states = await Promise.all(items.map(({ id }) => store.load(id)));
  const broken = states.flatMap((state) => (state ? checkInvariants(state).map((said) => `${state.id}: ${said}`) : []));
  const report = await store.doctor();
  return [...broken, ...report.findings.map(({ kind, what }) => `${kind}: ${what}`)];
}

/** Waits until `isTrue`, polling; throws with `what` when a minute has passed (a guard against hanging). */
export async function until(what: string, isTrue: () => Promise<boolean> | boolean, guardMs = 60_000): Promise<void> {
  const end = performance.now() + guardMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
