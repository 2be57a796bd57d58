import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ItemState } from '../../src/core/index.ts';
import { type Engine, openEngine, type Submitted, type World } from '../../src/engine/index.ts';
import type { DirtyPolicy } from '../../src/plan/compile/compile.ts';
import { makeRepository, repositoryAt, type TestRepository } from '../support/repository.ts';
import { offerPlan, stateOf } from '../support/submit-plan.ts';
import { openWorldAt } from '../support/world.ts';

/** Everything a test of the engine needs, real and in a temporary directory of its own. */
export interface Workbench extends TestRepository {
  readonly root: string;
  readonly repo: string;
  readonly world: World;
  readonly logs: string[];
  submit(planText: string, options?: { dirty?: DirtyPolicy; directory?: string }): Promise<Submitted>;
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

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const root = options.root ?? (await realpath(await mkdtemp(join(tmpdir(), 'wc-engine-'))));
  const repo = join(root, 'repo');
  const logs: string[] = [];
  const { leaseMs, concurrency } = options;
  const world = await openWorldAt(
    root,
    {
      sandbox: options.sandbox !== false,
      pollMs: 100,
      ...(leaseMs === undefined ? {} : { leaseMs }),
      ...(concurrency === undefined ? {} : { concurrency }),
    },
    logs,
  );
  const engines: Engine[] = [];
  const repository = options.root === undefined ? await makeRepository(repo, options.files) : repositoryAt(repo);
  const workbench: Workbench = {
    root,
    repo,
    world,
    logs,
    ...repository,
    submit: (planText, { dirty, directory } = {}) =>
      offerPlan(world, planText, { directory: directory ?? repo, dirty }),
    async carry(planText) {
      const { id } = stateOf(await workbench.submit(planText));
      const engine = workbench.engine();
      await engine.start();
      const state = await engine.untilSettled(id);
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
  return workbench;
}
