import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sentenceOf } from '../../core/derive/sentence.ts';
import type { Engine, LiveText } from '../../engine/index.ts';
import { answer, isFailure, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { httpPlan, PORT, serveHttp } from '../http-server.ts';
import { openBrowser } from '../open-browser.ts';
import { collect, flagOption, type Input, wholeOption } from '../options.ts';
import { oneLine } from '../render/text.ts';
import { eventLine, newTelling, timelineView } from '../render/timeline.ts';
import { tellWebhooks } from '../tell-webhooks.ts';
import { engineOptions, type OpenedWorld, openWorld } from '../world.ts';

const needing = (count: number): string => `${count} ${count === 1 ? 'needs' : 'need'} you`;

/** What this server finds to carry, one line each. */
async function announce(app: App): Promise<void> {
  const { shell, store } = app;
  const { items, counts } = await store.list({ lane: 'active', limit: 50 });
  shell.err(`Carrying ${counts.active} active, ${needing(counts.needs_you)}. Data: ${app.home.root}`);
  for (const item of items) shell.err(`  ${item.id}  ${oneLine(item.title)} — ${oneLine(item.statusSentence)}`);
  if (counts.active === 0) shell.err('  nothing yet; the page, or workcenter new "GOAL", brings work. Ctrl-C stops.');
}

/** Tells every commit of this process in one line, and how each item ends. */
function tell(app: App): () => void {
  const { shell } = app;
  if (shell.json) return () => undefined;
  const telling = newTelling();
  return app.store.onCommit((state, events) => {
    const beside = state.id.length + 1;
    for (const event of events) {
      const line = eventLine(event, telling, timelineView(shell, beside));
      if (line !== undefined)
        shell.out(`${shell.paint.dim(state.id)} ${line.replaceAll('\n', `\n${' '.repeat(beside)}`)}`);
    }
    const ended = events.some(({ body }) => body.type === 'ItemCompleted' || body.type === 'ItemCancelled');
    if (ended) shell.out(`${shell.paint.dim(state.id)} ${oneLine(sentenceOf(state))}`);
  });
}

/** Until a signal, or until nothing can move without a person. */
async function serve(engine: Engine, untilIdle: boolean, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // Keeps the process alive while the engine has only unreferenced timers.
  const alive = setInterval(() => undefined, 60_000);
  try {
    await (untilIdle ? Promise.race([stopped, engine.untilIdle()]) : stopped);
  } finally {
    clearInterval(alive);
  }
}

/** Whoever starts it in a project most likely means to work there. */
const projectAt = (directory: string): string | undefined =>
  existsSync(join(directory, '.git')) ? directory : undefined;

/** What the server tells of the engine beside it. */
async function besideHttp({ shell }: App, { world }: OpenedWorld, engine: Engine, liveText: LiveText) {
  const { onMachine } = await import('../../api/index.ts');
  return { troubles: () => engine.troubles(), liveText, machine: onMachine(world, projectAt(shell.cwd)) };
}

async function up_(app: App, input: Input): Promise<Outcome> {
  const concurrency = wholeOption(input, 'concurrency', 1, 64);
  if (isFailure(concurrency)) return concurrency;
  const plan = await httpPlan(app, input);
  if (isFailure(plan)) return plan;
  const signal = app.shell.interruptible();
  const opened = await openWorld(app, { embedded: false, ...(concurrency === undefined ? {} : { concurrency }) });
  const { openEngine, openLiveText } = await import('../../engine/index.ts');
  const liveText = openLiveText();
  const engine = openEngine(opened.world, { ...(await engineOptions(opened)), liveText });
  if (!app.shell.json) await announce(app);
  const silence = tell(app);
  const api = plan && (await serveHttp(app, plan, await besideHttp(app, opened, engine, liveText)));
  const webhooks = await tellWebhooks(opened.world, app.shell);
  try {
    await engine.start();
    if (api && flagOption(input, 'open')) openBrowser(app.shell, `${api.url}/`);
    await serve(engine, flagOption(input, 'untilIdle'), signal);
    if (signal.aborted && !app.shell.json) app.shell.err('Stopping; once more to stop at once.');
    if (!signal.aborted) await webhooks.settle();
  } finally {
    await webhooks.stop();
    await api?.close();
    await engine.stop();
    silence();
  }
  const { counts } = await app.store.list({ limit: 1 });
  const text = `Stopped. ${counts.active} active, ${needing(counts.needs_you)}.`;
  return answer(text, { counts, interrupted: signal.aborted }, signal.aborted ? EXIT.interrupted : EXIT.ok);
}

export const up: CommandModule = {
  define: (command) =>
    void command
      .option('--until-idle', 'end when nothing can move without a person')
      .option('--concurrency <runs>', 'Runs at a time, 1..64')
      .option('--port <port>', `of the HTTP API, ${PORT} unless said; 0 takes a free one`)
      .option('--host <address>', 'where HTTP listens; anywhere but on this machine (default) a token is needed')
      .option('--allow-host <name>', 'a name under which a proxy sends requests on; may be repeated', collect)
      .option('--token-file <path>', 'a file with a token of yours; made where there is none')
      .option('--require-token', 'ask for a token on this machine, too')
      .option('--no-http', 'serve no HTTP API and no page')
      .option('--open', 'open the page in the browser'),
  examples: [
    'workcenter up',
    'workcenter up --open',
    'workcenter up --until-idle --concurrency 2',
    'workcenter up --host 0.0.0.0 --token-file ~/.workcenter-token',
  ],
  userOnly: true,
  run: (shell, input) => withApp(shell, (app) => up_(app, input)),
};
