import type { ItemState } from '../../core/index.ts';
import { openEngine, type Submitted, submitItem } from '../../engine/index.ts';
import { compilePlan } from '../../plan/compile/compile.ts';
import { parsePlan } from '../../plan/read/parse.ts';
import type { RunRow } from '../../store/rows.ts';
import type { Enforcement } from '../../workspace/sandbox/policy.ts';
import { type App, principalOf } from '../app.ts';
import { newItemId } from '../item-id.ts';
import { type OpenedWorld, openWorld } from '../world.ts';
import { narrate } from './narrate.ts';

/** How the item ended, for better or worse. */
export interface Carried {
  readonly state: ItemState;
  readonly runs: readonly RunRow[];
  readonly enforcement: Enforcement;
}

export interface DemoRun {
  readonly repository: string;
  /** Text of the plan file, and the name under which it was written. */
  readonly plan: string;
  readonly planPath: string;
  /** Ends the work early, in good order. */
  readonly signal: AbortSignal;
  /** Hears each line of the story with the instant (epoch milliseconds) it happened at. */
  readonly tell: (at: number, line: string) => void;
  /** Marks the end of a phase, for `--verbose`. */
  readonly phase: (name: string) => void;
}

/** The demo's own plan cannot be wrong unless the program is. */
function compiled(run: DemoRun, ground: Parameters<Parameters<typeof submitItem>[1]['compile']>[0]) {
  const parsed = parsePlan(run.plan, run.planPath);
  const { directory, base, defaultBranch, workspace } = ground;
  const result = parsed.ok
    ? compilePlan(parsed.plan, { directory, base, defaultBranch, workspaceDefault: workspace })
    : parsed;
  if (!result.ok) throw new Error(`the plan of the demo: ${result.problems.map((one) => one.message).join('; ')}`);
  const { contract, plan, limits, actions } = result;
  return { contract, plan, limits, actions };
}

async function submit(app: App, { world }: OpenedWorld, run: DemoRun): Promise<ItemState> {
  const { store, home, env, now } = world;
  const submitted: Submitted = await submitItem(
    { store, home, env, now, newItemId },
    {
      directory: run.repository,
      dirty: 'refuse',
      inPlace: false,
      start: true,
      principal: principalOf(app.shell),
      compile: (ground) => compiled(run, ground),
    },
  );
  if ('code' in submitted) throw new Error(`${submitted.code}: ${submitted.message} ${submitted.found ?? ''}`.trim());
  return submitted.state;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * Submits the demo's plan and carries it with the engine itself, in this process, until it is done, waits for a person
 * or is interrupted. Throws only for defects: the demo brings everything it needs.
 */
export async function carryDemo(app: App, run: DemoRun): Promise<Carried> {
  const opened = await openWorld(app, { embedded: true });
  const { store, enforcement } = opened.world;
  run.phase('machine probed');
  const item = await submit(app, opened, run);
  run.phase('plan submitted');
  const unsubscribe = store.onCommit((state, events) => {
    if (state.id !== item.id) return;
    for (const event of events) {
      for (const line of narrate(state, event, app.shell.paint)) run.tell(event.at, line);
    }
  });
  const engine = openEngine(opened.world, { only: new Set([item.id]) });
  try {
    await engine.start();
    await Promise.race([engine.untilSettled(item.id), aborted(run.signal)]);
    run.phase('plan carried out');
  } finally {
    await engine.stop();
    unsubscribe();
    run.phase('engine stopped');
  }
  const state = (await store.load(item.id)) ?? item;
  return { state, runs: await store.runs(item.id), enforcement };
}
