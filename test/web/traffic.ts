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
const ROUNDS = 3;
const isStream = (path: string): boolean => /\/(feed|stream)$/.test(path);

/** Listens to what a page says to its server, from now on. */
export function trafficOf(page: Page): Traffic {
  const asked: Asked[] = [];
  const under = new Set<unknown>();
  let begun = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (isStream(pathname)) return;
    under.add(request);
    begun += 1;
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
      // What has come may lead to another question, some frames later.
      for (let quiet = 0, told = begun; quiet < ROUNDS; quiet = under.size === 0 && told === begun ? quiet + 1 : 0) {
        told = begun;
        await page.evaluate(FRAMES);
      }
    },
  };
}
