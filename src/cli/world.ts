import { randomUUID } from 'node:crypto';
import { EMBEDDED } from '../engine/embedded.ts';
import type { EngineOptions, Log, World } from '../engine/index.ts';
import type { App } from './app.ts';
import { configDirectory } from './config-directory.ts';
import { readSettings, type Settings } from './settings-keys.ts';
import type { Shell } from './shell.ts';
import { userHomeOf } from './user-home.ts';

export interface WorldOptions {
  readonly concurrency?: number;
  /** Carries one item only. */
  readonly embedded: boolean;
}

const logTo =
  (shell: Shell): Log =>
  (message, facts) => {
    if (shell.env.WORKCENTER_DEBUG !== undefined) shell.err(`· ${message} ${JSON.stringify(facts ?? {})}`);
  };

export interface OpenedWorld {
  readonly world: World;
  readonly settings: Settings;
}

/** Everything the engine is given, from the person's environment and the stored settings. Loads the engine. */
export async function openWorld(app: App, options: WorldOptions): Promise<OpenedWorld> {
  const { shell, store, home } = app;
  const [engine, configuration, probe, tools] = await Promise.all([
    import('../engine/index.ts'),
    import('../engine/configuration.ts'),
    import('../workspace/sandbox/probe-sandbox.ts'),
    import('../workspace/sandbox/tool-directories.ts'),
  ]);
  await engine.prepareHome(home);
  const stored = (await store.readSettings()).value;
  const settings = readSettings(stored);
  Object.assign(app.policy, configuration.dailyLimitsOf(configuration.readConfiguration(stored)));
  const { concurrency, minFreeBytes, shutdownMs } = settings;
  app.policy.concurrency = options.concurrency ?? concurrency;
  const userHome = userHomeOf(shell);
  const worker = await engine.thisWorker(shell.pid, shell.version);
  const world: World = {
    store,
    home,
    worker: options.embedded ? { ...worker, owner: `${EMBEDDED}${worker.owner}` } : worker,
    settings: engine.engineSettings({ concurrency: app.policy.concurrency, minFreeBytes, shutdownMs }),
    env: shell.env,
    userHome,
    userConfigDir: await configDirectory(shell),
    toolPaths: await tools.toolDirectories({ path: shell.env.PATH ?? '', userHome }),
    enforcement: await probe.probeSandbox({ disabled: settings.sandbox === 'off' }),
    now: shell.now,
    newId: randomUUID,
    log: logTo(shell),
  };
  return { world, settings };
}

/** The engine's options: which items, and whom to tell. */
export async function engineOptions(
  { world, settings }: OpenedWorld,
  only?: ReadonlySet<string>,
): Promise<EngineOptions> {
  const { runNotifyCommand } = await import('../engine/index.ts');
  const { notify } = settings;
  return {
    ...(only === undefined ? {} : { only }),
    ...(notify === ''
      ? {}
      : {
          onNotice: (notice) =>
            runNotifyCommand(notify, notice, world.env, (reason) => world.log('notify failed', { reason })),
        }),
  };
}
