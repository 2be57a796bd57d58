import type { CDPSession, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import { submitPlan } from '../support/submit-plan.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';

/** How long the page is left open; ten minutes are the promise, the default is what one waits for. */
const MINUTES = Number(process.env.WC_SOAK_MINUTES ?? 1);
const ITEMS = 480;
const STREAMS = 20;
const ACTIONS = 5_000;
const MOST_JSON_BYTES = 50_000;
const MOST_GROWTH_MB = 3;
const GUARD_MS = 30 * 60_000;

const action = (id: string, run: string, more = ''): string =>
  `  - id: ${id}\n    name: ${id}\n    type: implement\n    for: c1\n    brief: b\n    run: ${JSON.stringify(['sh', '-c', run])}\n    timeoutSec: 1h\n${more}`;
const plan = (title: string, check: string, ...actions: readonly string[]): string =>
  `title: ${title}\ngoal: ${title}\ncriteria:\n  - { id: c1, text: It is there, check: { run: ${JSON.stringify(check)} } }\nactions:\n${actions.join('')}`;

/** A check that prints 50 MB. */
const LONG = 'yes "a line of a long log that says nothing new" | head -c 50000000; true';

const figures: string[] = [];
const figure = (name: string, value: number, unit: string): void => {
  figures.push(`${name.padEnd(44)} ${value.toFixed(unit === 'MB' ? 1 : 0)} ${unit}`);
};

/** The longest time between two frames while something is scrolled to its end and back. */
const LONGEST_FRAME = `(async (selector) => {
  const all = [...document.querySelectorAll(selector)].filter((each) => each.scrollHeight > each.clientHeight + 100);
  const box = all.toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
  if (!box) return { longest: -1, height: 0 };
  let longest = 0;
  let last = performance.now();
  const step = Math.max(400, box.scrollHeight / 240);
  for (let n = 0; n < 240; n += 1) {
    box.scrollTop += n < 120 ? step : -step;
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return { longest, height: box.scrollHeight };
})`;

async function scroll(page: Page, name: string, selector: string): Promise<void> {
  const { longest, height } = (await page.evaluate(`${LONGEST_FRAME}(${JSON.stringify(selector)})`)) as {
    longest: number;
    height: number;
  };
  expect(longest, `${name}: nothing scrolls`).toBeGreaterThanOrEqual(0);
  figure(`${name}: longest frame while scrolling`, longest, 'ms');
  figure(`${name}: height`, height, 'px');
}

const firstPaint = async (page: Page): Promise<number> =>
  (await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")) as number;

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

describe.skipIf(CHROMIUM === undefined)(`a page with much on it${WITHOUT}`, () => {
  const at = visitor();
  const json: { readonly url: string; readonly bytes: number }[] = [];
  let world: PageWorld;
  let large: ItemState;
  let busy: ItemState;

  beforeAll(async () => {
    world = await openPageWorld({ concurrency: STREAMS + 2 });
    const { repo } = world.rig;
    for (let n = 0; n < ITEMS; n += 1)
      await world.submit({ goal: `Number ${n} of many pieces of work 🧾 ${'word '.repeat(n % 9)}`, start: false });
    large = await submitPlan(
      world.world,
      plan(
        'A large diff and a long log',
        LONG,
        action(
          'diff',
          "seq 1 40000 | sed 's/$/ is a line of a large file/' > large.txt; git add -A; git commit -qm large",
        ),
      ),
      repo,
    );
    await until(
      'diff and log are there',
      async () => {
        return (await world.state(large.id)).lifecycle === 'done';
      },
      240_000,
    );
    // As much as the page keeps of each comes in the first minute: what grows behind that is a leak.
    const talk = `i=0; while [ $i -lt 100000 ]; do echo "line $i ${'says much '.repeat(30)}"; i=$((i+1)); sleep 0.2; done`;
    busy = await submitPlan(
      world.world,
      plan('Twenty at once', 'true', ...Array.from({ length: STREAMS }, (_, n) => action(`s${n}`, talk))),
      repo,
    );
    await until('all of them run', async () => (await world.state(busy.id)).runs.length === STREAMS);
  }, GUARD_MS);

  afterAll(async () => {
    console.log(`\n${figures.join('\n')}\n`);
    await world.close();
  }, GUARD_MS);

  const visit = async (path: string): Promise<Page> => {
    const page = await at.visit(`${world.url}/healthz`);
    page.on('response', async (response) => {
      if (!(response.headers()['content-type'] ?? '').startsWith('application/json')) return;
      const body = await response.body().catch(() => Buffer.alloc(0));
      json.push({ url: response.url(), bytes: body.length });
    });
    await page.goto(world.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return page;
  };

  it('the board', async () => {
    const page = await visit('/');
    await page.getByText('Number 4').first().waitFor();
    figure('board: first contentful paint', await firstPaint(page), 'ms');
    await scroll(page, 'board', 'section[data-lane] div');
  });

  it('a large diff', async () => {
    const page = await visit(`/work/${large.id}/diff`);
    await page.getByText('is a line of a large file').first().waitFor();
    figure('diff: first contentful paint', await firstPaint(page), 'ms');
    await scroll(page, 'diff', 'main div');
  });

  it('a long log', async () => {
    const run = (await world.world.store.runs(large.id)).find(({ actionId }) => actionId === 'verify-1')?.runId;
    const page = await visit(`/work/${large.id}/actions/verify-1/runs/${run}`);
    await page.getByRole('button', { name: 'Show the log' }).click();
    await page
      .getByText(/^a line of a long log that says nothing new$/m)
      .first()
      .waitFor();
    await scroll(page, 'log', 'main div, main pre');
  });

  it('five thousand Actions', async () => {
    const page = await visit(`/work/${large.id}`);
    const isList = (url: URL): boolean => url.pathname.endsWith(`/api/v1/work-items/${large.id}/actions`);
    await page.route(isList, multiply);
    await page.goto(`${world.url}/work/${large.id}/actions`);
    // The conversation names them, too: what is scrolled is the list.
    await page.getByRole('tabpanel').getByText('diff 3', { exact: true }).first().waitFor();
    await scroll(page, 'Actions', '[role=tabpanel]');
  });

  it(
    'twenty streams, for as long as it takes',
    async () => {
      const page = await visit(`/work/${busy.id}/actions/s1`);
      const session = await page.context().newCDPSession(page);
      await page.waitForTimeout(5_000);
      figure('streams: heap at the beginning', await heapOf(session), 'MB');
      const heaps: number[] = [];
      for (let minute = 1; minute <= MINUTES; minute += 1) {
        await page.waitForTimeout(60_000);
        heaps.push(await heapOf(session));
        figure(`streams: heap after ${minute} min`, heaps.at(-1) ?? 0, 'MB');
      }
      // How much is in use swings with what was just drawn; a leak lifts the least of it.
      const half = Math.ceil(heaps.length / 2);
      const growth = Math.min(...heaps.slice(half - 1)) - Math.min(...heaps.slice(0, half));
      figure('streams: growth of the least', growth, 'MB');
      expect(growth).toBeLessThan(MOST_GROWTH_MB);
    },
    GUARD_MS,
  );

  it('no answer of JSON is larger than promised', () => {
    // A difference is read once, when somebody opens it.
    const polls = json.filter(({ url }) => !url.includes('/diff'));
    const largest = polls.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
    for (const { url, bytes } of largest) figures.push(`${bytes} bytes of JSON: ${new URL(url).pathname}`);
    expect(largest.filter(({ bytes }) => bytes > MOST_JSON_BYTES)).toEqual([]);
  });
});

/** The engine takes 64 Actions at most; what a list of many does to the page is tried with copies. */
async function multiply(route: Route): Promise<void> {
  const url = new URL(route.request().url());
  const from = Number(url.searchParams.get('cursor') ?? 0);
  url.searchParams.delete('cursor');
  const page = (await (await route.fetch({ url: url.href })).json()) as { actions: { id: string; name: string }[] };
  const actions = Array.from({ length: 50 }, (_, n) => {
    const one = page.actions[n % page.actions.length];
    return { ...one, id: `${one?.id}-${from + n}`, name: `${one?.name} ${from + n + 1}` };
  });
  const next = from + 50;
  await route.fulfill({ json: { ...page, actions, ...(next < ACTIONS ? { nextCursor: String(next) } : {}) } });
}
