import type { ItemState } from '../core/model/item.ts';
import type { App } from './app.ts';
import { openLiveScreen } from './live-screen.ts';
import { liveFrame } from './render/live.ts';
import { eventLine, newTelling } from './render/timeline.ts';
import { outputTail } from './run-output.ts';
import type { LiveTail } from './server/live-tail.ts';

/** Shows an item while it moves: a live block on a terminal, one line per event elsewhere, nothing for programs. */
export interface Progress {
  readonly show: (state: ItemState, changed: boolean) => Promise<void>;
  readonly close: () => void;
}

const EVENT_PAGE = 500;
const ENTRIES = 3;

/** `after` leaves out what had been told before. */
function plainProgress(app: App, after: number): Progress {
  const { shell, store } = app;
  const telling = newTelling();
  let told = 0;
  const show: Progress['show'] = async (state) => {
    while (told < state.version) {
      const page = await store.events(state.id, { after: told, limit: EVENT_PAGE });
      for (const event of page) {
        const line = eventLine(event, telling, { now: shell.now(), paint: shell.paint });
        if (event.seq > after && line !== undefined) shell.out(line);
        told = event.seq;
      }
      if (page.length === 0) return;
    }
  };
  return { show, close: () => undefined };
}

function liveProgress(app: App, live: LiveTail | undefined): Progress {
  const { shell, store } = app;
  const screen = openLiveScreen((text) => void process.stdout.write(text));
  let runs: Awaited<ReturnType<typeof store.runs>> = [];
  let entries: Awaited<ReturnType<typeof store.entries>> = [];
  const show: Progress['show'] = async (state, changed) => {
    if (changed) runs = await store.runs(state.id, { limit: 500 });
    if (changed) entries = await store.entries(state.id, { limit: ENTRIES });
    const tails = new Map<string, string>();
    for (const { id } of state.runs) tails.set(id, `${await outputTail(app, id)}${live?.textOf(id) ?? ''}`);
    const { columns, rows, paint } = shell;
    screen.draw(liveFrame(state, runs, { now: shell.now(), columns, rows, paint, tails, entries }));
  };
  // A second signal ends the process at once: the cursor must come back all the same.
  const restore = (): void => screen.close();
  process.once('exit', restore);
  const close = (): void => {
    process.off('exit', restore);
    screen.close();
  };
  return { show, close };
}

/** `live` adds what is being written to what is on record. */
export function openProgress(app: App, after = 0, live?: LiveTail): Progress {
  if (app.shell.json) return { show: async () => undefined, close: () => undefined };
  return app.shell.live ? liveProgress(app, live) : plainProgress(app, after);
}
