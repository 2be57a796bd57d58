import { statusOf } from '../core/derive/status.ts';
import type { ItemState } from '../core/model/item.ts';
import { answer, type Outcome } from './answer.ts';
import { type App, viewOf } from './app.ts';
import { EXIT } from './exit-codes.ts';
import { followItem } from './follow.ts';
import { itemPage } from './item-page.ts';
import { openProgress } from './progress.ts';
import { itemReport } from './report.ts';
import type { LiveTail } from './server/live-tail.ts';
import { liveServers } from './servers.ts';
import { exitOf, isSettled } from './settled.ts';
import { engineOptions, openWorld } from './world.ts';

async function report(app: App, state: ItemState): Promise<Outcome> {
  const { text, json } = await itemPage(app, state, viewOf(app.shell));
  return answer(text, json, exitOf(state));
}

/** What the server that runs says while it happens; nothing without one. */
async function liveTailOf(app: App, itemId: string, after: number): Promise<LiveTail | undefined> {
  const server = await app.server?.();
  if (!server) return undefined;
  const { openLiveTail } = await import('./server/live-tail.ts');
  return openLiveTail(server.client, itemId, { after, withOutput: server.isRemote });
}

/** Waits for an item that this process, or a server, carries. */
export async function attend(app: App, itemId: string, signal: AbortSignal, after = 0): Promise<ItemState | undefined> {
  const live = await liveTailOf(app, itemId, after);
  const progress = openProgress(app, after, live);
  try {
    return await followItem(app, itemId, { show: progress.show, isOver: isSettled, onEvent: live?.onEvent }, signal);
  } finally {
    progress.close();
    await live?.close();
  }
}

const interruptedAnswer = (state: ItemState): Outcome =>
  answer(
    `Stopped carrying ${state.id}; nothing is lost. Carry on: workcenter up`,
    { id: state.id, status: statusOf(state), interrupted: true, next: 'workcenter up' },
    EXIT.interrupted,
  );

/** Carries the item with an engine of this process's own. */
async function carry(app: App, state: ItemState): Promise<Outcome> {
  const signal = app.shell.interruptible();
  const opened = await openWorld(app, { embedded: true });
  const { openEngine } = await import('../engine/index.ts');
  const engine = openEngine(opened.world, await engineOptions(opened, new Set([state.id])));
  await engine.start();
  let last: ItemState | undefined;
  try {
    last = await attend(app, state.id, signal);
    if (signal.aborted) app.shell.err('Stopping; once more to stop at once.');
  } finally {
    await engine.stop();
  }
  const now = (await app.store.load(state.id)) ?? last ?? state;
  return signal.aborted && !isSettled(now) ? interruptedAnswer(now) : report(app, now);
}

async function watchServer(app: App, state: ItemState): Promise<Outcome> {
  const signal = app.shell.interruptible();
  const last = (await attend(app, state.id, signal)) ?? state;
  if (!signal.aborted) return report(app, last);
  const text = `No longer watching ${state.id}; the server carries on. workcenter watch ${state.id}`;
  return answer(text, itemReport(last, await app.store.runs(state.id)), EXIT.interrupted);
}

/** Stays with a new item to its end, carrying it unless a server does. */
export async function carryOrWatch(app: App, state: ItemState): Promise<Outcome> {
  if (isSettled(state)) return report(app, state);
  return (await liveServers(app)).length > 0 ? watchServer(app, state) : carry(app, state);
}

/** Who goes on with a new item, and what to type next. */
export async function whatNext(app: App, state: ItemState): Promise<string> {
  if (state.lifecycle === 'draft') return `Draft, not started. Next: workcenter start ${state.id}`;
  const served = (await liveServers(app)).length > 0;
  return served
    ? `A server carries it. Next: workcenter watch ${state.id}`
    : 'Nothing carries it yet. Next: workcenter up';
}

/** What a new item's name and what to do next frame, for people and for programs. */
interface Told {
  readonly lines: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** Leaves a new item to a server, or to later. */
export async function leave(app: App, state: ItemState, told: Told = { lines: [], json: {} }): Promise<Outcome> {
  const lines = [`${state.id}  ${state.contract.title}`, ...told.lines, await whatNext(app, state)];
  return answer(lines.join('\n'), { ...itemReport(state, await app.store.runs(state.id)), ...told.json });
}
