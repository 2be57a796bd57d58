import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ItemState } from '../../src/core/index.ts';
import { reject } from '../../src/core/index.ts';
import {
  type Engine,
  engineSettings,
  homeAt,
  openEngine,
  prepareHome,
  type Submitted,
  submitItem,
  thisWorker,
  type World,
} from '../../src/engine/index.ts';
import { compilePlan, workspaceOf } from '../../src/plan/compile.ts';
import { formatProblems } from '../../src/plan/format-problems.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Enforcement } from '../../src/workspace/sandbox/policy.ts';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';

const run = promisify(execFile);

/** Everything a test of the engine needs, real and in a temporary directory of its own. */
export interface Workbench {
  readonly root: string;
  readonly repo: string;
  readonly world: World;
  readonly logs: string[];
  git(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
  commit(message: string): Promise<string>;
  submit(
    planText: string,
    options?: { dirty?: 'refuse' | 'snapshot' | 'in-place'; directory?: string },
  ): Promise<Submitted>;
  /** Submits, carries it until it can only wait, and answers its state. */
  carry(planText: string): Promise<ItemState>;
  engine(): Engine;
  close(): Promise<void>;
}

export interface WorkbenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly sandbox?: boolean;
  readonly leaseMs?: number;
  readonly concurrency?: number;
  /** A directory that was used before, to carry on with it. */
  readonly root?: string;
}

const ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: process.env.HOME ?? '/root', LANG: 'C.UTF-8' };
const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];

async function openWorld(root: string, options: WorkbenchOptions, logs: string[]): Promise<World> {
  const home = homeAt(join(root, 'home'));
  await prepareHome(home);
  const concurrency = options.concurrency ?? 3;
  const enforcement: Enforcement = await probeSandbox({ disabled: options.sandbox === false });
  return {
    store: await openSqliteStore({ path: home.database, durability: 'normal', policy: () => ({ concurrency }) }),
    home,
    worker: await thisWorker(process.pid, 'test'),
    settings: engineSettings({ concurrency, leaseMs: options.leaseMs ?? 60_000, pollMs: 100, minFreeBytes: 1 }),
    env: ENV,
    userHome: ENV.HOME,
    toolPaths: [],
    enforcement,
    now: Date.now,
    newId: randomUUID,
    log: (message, facts) => void logs.push(`${message} ${JSON.stringify(facts ?? {})}`),
  };
}

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const root = options.root ?? (await realpath(await mkdtemp(join(tmpdir(), 'wc-engine-'))));
  const repo = join(root, 'repo');
  const logs: string[] = [];
  const world = await openWorld(root, options, logs);
  const engines: Engine[] = [];
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', [...AUTHOR, ...args], { cwd: repo, env: ENV })).stdout.trim();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(repo, path)), { recursive: true });
    await writeFile(join(repo, path), text);
  };
  const workbench: Workbench = {
    root,
    repo,
    world,
    logs,
    git,
    write,
    async commit(message) {
      await git('add', '-A');
      await git('commit', '-q', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    submit: (planText, { dirty, directory } = {}) => submitPlan(world, planText, directory ?? repo, dirty),
    async carry(planText) {
      const submitted = await workbench.submit(planText);
      if ('code' in submitted) throw new Error(`${submitted.code}: ${submitted.message} ${submitted.found ?? ''}`);
      const engine = workbench.engine();
      await engine.start();
      const state = await engine.untilSettled(submitted.state.id);
      await engine.stop();
      return state;
    },
    engine() {
      const engine = openEngine(world);
      engines.push(engine);
      return engine;
    },
    async close() {
      for (const engine of engines) await engine.stop();
      await world.store.close();
      if (options.root === undefined) await rm(root, { recursive: true, force: true });
    },
  };
  if (options.root === undefined) {
    await mkdir(repo, { recursive: true });
    await git('init', '-q', '-b', 'main');
    for (const [path, text] of Object.entries(options.files ?? { 'a.txt': 'a\n', 'b.txt': 'b\n' }))
      await write(path, text);
    await workbench.commit('Begin');
  }
  return workbench;
}

async function submitPlan(
  world: World,
  text: string,
  directory: string,
  dirty?: 'refuse' | 'snapshot' | 'in-place',
): Promise<Submitted> {
  const parsed = parsePlan(text, 'plan.yaml');
  if (!parsed.ok) throw new Error(parsed.problems.map((p) => `${p.line}:${p.column} ${p.message}`).join('\n'));
  const asked = workspaceOf(parsed.plan, 'isolated');
  return submitItem(
    { ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` },
    {
      directory,
      dirty: dirty ?? asked.dirty,
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
}
