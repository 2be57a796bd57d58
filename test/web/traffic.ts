import type { Page } from 'playwright-core';

/** What a page asked of the server: the bodies are those of changes. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface Traffic {
  readonly asked: readonly Asked[];
  /** Those that change something. */
  changes(): readonly Asked[];
  /** Waits until nothing is on its way but the streams, and what has come is drawn. */
  untilQuiet(): Promise<void>;
}

const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';
/** A guard against hanging: a page that asks for ever. */
const GUARD_MS = 20_000;
/** The browser does not tell the end of every request that a page gave up. */
const LOST_MS = 5_000;
const ROUNDS = 3;
const isStream = (path: string): boolean => /\/(feed|stream)$/.test(path);

/** Listens to what a page says to its server, from now on. */
export function trafficOf(page: Page): Traffic {
  const asked: Asked[] = [];
  const under = new Set<unknown>();
  let begun = 0;
  let begunAt = 0;
  const isQuiet = (): boolean => {
    if (performance.now() - begunAt > LOST_MS) under.clear();
    return under.size === 0;
  };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (isStream(pathname)) return;
    under.add(request);
    begun += 1;
    begunAt = performance.now();
    if (!pathname.startsWith('/api/')) return;
    const body: unknown = request.postData() === null ? undefined : request.postDataJSON();
    asked.push({ method: request.method(), path: pathname, body });
  });
  page.on('requestfinished', (request) => under.delete(request));
  page.on('requestfailed', (request) => under.delete(request));
  return {
    asked,
    changes: () => asked.filter(({ method }) => method !== 'GET'),
    async untilQuiet() {
      const end = performance.now() + GUARD_MS;
      // What has come may lead to another question, some frames later.
      for (let quiet = 0, told = begun; quiet < ROUNDS; quiet = isQuiet() && told === begun ? quiet + 1 : 0) {
        told = begun;
        await page.evaluate(FRAMES);
        if (performance.now() > end) throw new Error(`never quiet: ${asked.slice(-8).map(({ path }) => path)}`);
      }
    },
  };
}
