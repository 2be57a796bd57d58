import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK, visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { carryGreeting, FILES, GREETING, greetingSteps, SETTINGS, untilPerson } from './story.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What another theme can change. */
const COLOURS = ", runOnly: ['color-contrast', 'link-in-text-block']";

/** What axe finds that keeps people out, one line each. */
async function violations(page: Page, only = ''): Promise<readonly string[]> {
  // Beside the page's own policy, which lets no script in that is not of the server.
  await page.evaluate(AXE);
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] ${only} }).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(
          ({ html, failureSummary }) =>
            `${id}: ${html.slice(0, 160)} ${failureSummary.split('\n').slice(1, 3).join(' ')}`,
        ),
    );
}

/** Visits an address, and waits until everything has come that was on its way. */
async function come(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
  // The gallery shows what it looks like when something is on its way.
  if (!url.endsWith('/gallery')) {
    // What is far below in a transcript comes when one scrolls there.
    await page.getByText('Loading…').first().waitFor({ state: 'detached' });
    await page
      .locator('[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached', timeout: 1_000 })
      .catch(() => undefined);
  }
  await page.evaluate('document.fonts.ready');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

describe.skipIf(CHROMIUM === undefined)(`the page is there for everybody${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  let done = '';
  let waiting = '';
  let run = '';
  let page: Page;

  const places = (): readonly string[] => [
    '/',
    '/new',
    '/needs-you',
    '/vps',
    '/settings',
    '/gallery',
    '/nowhere',
    ...['', '/actions', '/actions/greeting', '/actions/greeting/runs/RUN', '/diff', '/contract', '/events'].map(
      (rest) => `/work/${done}${rest.replace('RUN', run)}`,
    ),
    `/work/${waiting}`,
  ];

  beforeAll(async () => {
    world = await openPageWorld({ files: FILES, steps: greetingSteps(), settings: SETTINGS });
    done = (await carryGreeting(world)).id;
    run = (await world.world.store.runs(done)).find(({ actionId }) => actionId === 'greeting')?.runId ?? '';
    waiting = (await world.submit({ ...GREETING, goal: `Greet people with ${'Donaudampfschifffahrt'.repeat(12)}` })).id;
    await untilPerson(world, waiting);
  });
  afterAll(() => world.close());

  it('axe finds nothing serious on any page, and its colours are told apart in both themes', async () => {
    // Without motion: colours that fade into others are neither.
    page = await at.visit(`${world.url}/`, { colorScheme: 'light', reducedMotion: 'reduce' });
    const isIn = (theme: string): Promise<unknown> => page.waitForSelector(`html[data-theme=${theme}]`);
    const found: string[] = [];
    for (const place of places()) {
      await page.emulateMedia({ colorScheme: 'light' });
      await come(page, world.url + place);
      await isIn('light');
      found.push(...(await violations(page)).map((said) => `${place} ${said}`));
      await page.emulateMedia({ colorScheme: 'dark' });
      await isIn('dark');
      found.push(...(await violations(page, COLOURS)).map((said) => `${place} dark ${said}`));
    }
    expect(found).toEqual([]);
  }, 120_000);

  it('every page has a title of its own', async () => {
    page = await at.visit(`${world.url}/`);
    const titles: string[] = [];
    for (const place of ['/', '/new', '/needs-you', '/vps', '/settings', '/nowhere', `/work/${done}`]) {
      await come(page, world.url + place);
      titles.push(await page.title());
    }
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title).toMatch(/ · Work Center$/);
  });

  it('nothing moves for those who want no motion', async () => {
    page = await at.visit(`${world.url}/healthz`, { reducedMotion: 'reduce', viewport: DESK });
    await come(page, `${world.url}/work/${waiting}`);
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').waitFor();
    const moving = await page.evaluate(
      'document.getAnimations().filter((each) => each.effect?.getComputedTiming().activeDuration > 0).length',
    );
    expect(moving).toBe(0);
  });

  it('the gallery shows its components', async () => {
    page = await at.visit(`${world.url}/healthz`);
    await come(page, `${world.url}/gallery`);
    const picture = await page.screenshot({ fullPage: true });
    // A blank picture of that size has a few kilobytes.
    expect(picture.byteLength).toBeGreaterThan(40_000);
    expect(await page.getByRole('region').count()).toBeGreaterThan(5);
  });
});
