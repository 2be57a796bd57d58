import { randomBytes } from 'node:crypto';
import { onMachine, type ServedApi, type Submit, serveApi } from '../../src/api/index.ts';
import type { ItemState } from '../../src/core/index.ts';
import { type Engine, openEngine, openLiveText, type World } from '../../src/engine/index.ts';
import { submitGoal as submitFor } from '../../src/engine/submit/submit-goal.ts';
import { type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { type Goal, submitGoal } from '../support/submit-goal.ts';
import { builtPage } from './built-page.ts';

export interface PageWorldOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly steps?: readonly ScriptedStep[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False: nobody carries what is submitted. */
  readonly carries?: boolean;
  readonly concurrency?: number;
  /** How the name of its temporary directory begins: it is seen on the page. */
  readonly prefix?: string;
  /** True: commands run confined, where this machine can do that. */
  readonly sandbox?: boolean;
}

/** A data directory, a repository, a scripted model, an engine, and the page served over all of it. */
export interface PageWorld {
  readonly rig: Rig;
  readonly world: World;
  readonly model: ScriptedModel;
  readonly engine: Engine;
  readonly url: string;
  submit(wish: Goal): Promise<ItemState>;
  state(id: string): Promise<ItemState>;
  /** Ends HTTP; the engine goes on. */
  unplug(): Promise<void>;
  /** Serves again at the same address, as this version. */
  plug(version?: string): Promise<void>;
  close(): Promise<void>;
}

const submitIn =
  (world: World): Submit =>
  (submission) =>
    submitFor({ ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` }, submission);

export async function openPageWorld(options: PageWorldOptions = {}): Promise<PageWorld> {
  const {
    files = { 'README.md': 'A project.\n' },
    steps = [{ error: { status: 400 } }],
    carries = true,
    sandbox = false,
  } = options;
  const [page, rig] = await Promise.all([builtPage(), openRig(files, options.prefix)]);
  const model = await startScriptedModel({ name: 'page', steps });
  const world = await rig.world({
    sandbox,
    concurrency: options.concurrency ?? 3,
    env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl },
  });
  if (options.settings) await world.store.writeSettings(0, options.settings);
  const liveText = openLiveText();
  const engine = openEngine(world, { liveText });
  if (carries) await engine.start();
  const serve = (port: number, version: string): Promise<ServedApi> =>
    serveApi({
      ...{ store: world.store, version, port, page, liveText, submit: submitIn(world), machine: onMachine(world) },
      troubles: () => engine.troubles(),
    });
  let api: ServedApi | undefined = await serve(0, '1.0.0');
  const { url } = api;
  const unplug = async (): Promise<void> => {
    await api?.close();
    api = undefined;
  };
  return {
    ...{ rig, world, model, engine, url, unplug },
    submit: (wish) => submitGoal(world, rig.repo, wish),
    async state(id) {
      const state = await world.store.load(id);
      if (!state) throw new Error(`no item ${id}`);
      return state;
    },
    async plug(version = '1.0.0') {
      await unplug();
      api = await serve(Number(new URL(url).port), version);
    },
    async close() {
      await unplug();
      await engine.stop();
      await model.close();
      const leaked = await rig.close();
      if (leaked > 0) throw new Error(`${leaked} process(es) were left`);
    },
  };
}
