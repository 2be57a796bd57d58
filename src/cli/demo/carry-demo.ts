import type { ItemState, StoredEvent } from '../../core/index.ts';
import { type Engine, type LiveText, openEngine, openLiveText } from '../../engine/index.ts';
import type { RunRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { Enforcement } from '../../workspace/sandbox/policy.ts';
import type { App } from '../app.ts';
import { type OpenedWorld, openWorld } from '../world.ts';

/** How the item ended, for better or worse. */
export interface Carried {
  readonly state: ItemState;
  readonly runs: readonly RunRow[];
  readonly events: readonly StoredEvent[];
  readonly enforcement: Enforcement;
}

/** What one event means to somebody who watches. Called for one event after the other. */
export type Narrator = (state: ItemState, event: StoredEvent) => readonly string[] | Promise<readonly string[]>;

export interface DemoRun {
  /** Creates the item; a refusal is thrown, for the demo's own wish cannot be wrong unless the program is. */
  readonly submit: (app: App, opened: OpenedWorld) => Promise<ItemState>;
  readonly narrator: (store: Store) => Narrator;
  /** Ends the work early, in good order. */
  readonly signal: AbortSignal;
  /** Hears each line of the story with the instant (epoch milliseconds) it happened at. */
  readonly tell: (at: number, line: string) => void;
  /** Marks the end of a phase, for `--verbose`. */
  readonly phase: (name: string) => void;
  /** The page beside the story; without one nothing is served. */
  readonly page?: DemoPage;
}

/** A page on which the same run is seen, and on which a person may go on when the story has been told. */
export interface DemoPage {
  readonly serve: (app: App, opened: OpenedWorld, engine: Engine, liveText: LiveText) => Promise<Served | undefined>;
  /** Called at the end of the story while everything is still there; what it waits for keeps it so. */
  readonly linger: (carried: Carried, url: string) => Promise<void>;
}

type Served = Readonly<{ url: string; close(): Promise<void> }>;

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Tells the story of one item as it is committed; `ended` resolves when everything up to now has been told. */
function narrating(store: Store, itemId: string, run: DemoRun) {
  const narrator = run.narrator(store);
  let told = Promise.resolve();
  const tellAll = async (state: ItemState, events: readonly StoredEvent[]): Promise<void> => {
    for (const event of events) for (const line of await narrator(state, event)) run.tell(event.at, line);
  };
  const unsubscribe = store.onCommit((state, events) => {
    if (state.id === itemId) told = told.then(() => tellAll(state, events));
  });
  return { unsubscribe, ended: () => told };
}

const MOST_EVENTS = 10_000;

/**
 * Submits the demo's item and carries it with the engine itself, in this process, until it is done, waits for a person
 * or is interrupted. Throws only for defects: the demo brings everything it needs.
 */
export async function carryDemo(app: App, run: DemoRun): Promise<Carried> {
  const opened = await openWorld(app, { embedded: true });
  const { store, enforcement } = opened.world;
  run.phase('machine probed');
  const item = await run.submit(app, opened);
  run.phase('submitted');
  const story = narrating(store, item.id, run);
  const liveText = openLiveText();
  // What somebody begins on the page is carried, too; without a page there is only the one.
  const engine = openEngine(opened.world, { ...(run.page ? {} : { only: new Set([item.id]) }), liveText });
  const served = await run.page?.serve(app, opened, engine, liveText);
  const carried = (): Promise<Carried> => lookAt(store, item, enforcement);
  try {
    await engine.start();
    await Promise.race([engine.untilSettled(item.id), aborted(run.signal)]);
    run.phase('carried out');
    await story.ended();
    if (served && !run.signal.aborted) await run.page?.linger(await carried(), served.url);
  } finally {
    await served?.close();
    await engine.stop();
    story.unsubscribe();
    await story.ended();
    run.phase('engine stopped');
  }
  return carried();
}

async function lookAt(store: Store, item: ItemState, enforcement: Enforcement): Promise<Carried> {
  const state = (await store.load(item.id)) ?? item;
  const events = await store.events(item.id, { limit: MOST_EVENTS });
  return { state, runs: await store.runs(item.id), events, enforcement };
}
