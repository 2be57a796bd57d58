import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { longWork, NAME } from './long-work.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { trafficOf } from './traffic.ts';

/** Of each layout the narrowest, and a large screen: a phone, a tablet and 200 % of 1280 px, two columns. */
const WIDTHS = [320, 640, 1_024, 1_920];
/** Also a phone that lies on its side. */
const SCREENS = [
  { width: 1_920, height: 1_080 },
  { width: 1_024, height: 600 },
  { width: 320, height: 568 },
  { width: 640, height: 360 },
  { width: 1_023, height: 768 },
];

/** With the larger buttons of a finger, and the scroll bars of a desk. */
const TOUCHED = { hasTouch: true };

/** What is wider than its box by nature, and is scrolled by itself: output, code, tables, rows of tabs and of filters. */
const MAY_SCROLL = 'pre, nav ul, fieldset, [role=tablist], [role=log], section[tabindex="0"]';

/** What does not fit: a box that scrolls sideways, or one that cuts words off without saying so. */
const TOO_WIDE = `((mayScroll) => {
  const found = [];
  const named = (el) => el.tagName.toLowerCase() + '.' + String(el.className).replace(/ .*/, '') + ' “' + el.textContent.slice(0, 24) + '”';
  const screen = document.documentElement;
  if (screen.scrollWidth > screen.clientWidth) found.push('the page itself');
  for (const el of document.querySelectorAll('body *')) {
    if (el.clientWidth <= 1 || el.scrollWidth <= el.clientWidth + 1 || el.matches('.sr-only, textarea, input')) continue;
    const { overflowX, textOverflow } = getComputedStyle(el);
    if (overflowX === 'visible' || el.closest(mayScroll)) continue;
    if (overflowX === 'hidden' && textOverflow === 'ellipsis') continue;
    found.push(named(el) + ' ' + overflowX + ' ' + el.scrollWidth + ' in ' + el.clientWidth);
  }
  return found;
})(${JSON.stringify(MAY_SCROLL)})`;

/** Boxes of the conversation that scroll, besides those in the place to write, and in a card that quotes at length. */
const SCROLLERS = `[...document.querySelectorAll('section[aria-label=Conversation] *')].filter((el) =>
  !el.closest('form, article') && el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(el).overflowY)).length`;

const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** As a link of the page does, which loads nothing twice. */
async function go(page: Page, place: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(place)})`);
  await page.evaluate(DRAWN);
  await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
}

describe.skipIf(CHROMIUM === undefined)(`the page at every width, with everything at its longest${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  let ids: Awaited<ReturnType<typeof longWork>>;

  beforeAll(async () => {
    world = await openPageWorld();
    ids = await longWork(world);
  });
  afterAll(() => world.close());

  const ofItems = (): readonly string[] => {
    const { done, talked, planned } = ids;
    return [
      ...['', '/contract', '/events'].map((rest) => `/work/${talked}${rest}`),
      ...['', '/actions', '/actions/a1', '/actions/a2', '/actions/a2/runs/r2'].map((rest) => `/work/${planned}${rest}`),
      ...['', '/diff', '/actions/makes'].map((rest) => `/work/${done}${rest}`),
      ...[`/needs-you/${talked}/r1`, `/needs-you/${planned}/r1`, `/needs-you/${planned}/r2`],
    ];
  };
  const OTHERS = ['/', '/new', '/vps', '/vps/implementer', '/settings/models', '/settings/webhooks', '/nowhere'];

  const tooWide = async (page: Page, place: string, widths: readonly number[]): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(DRAWN);
      const wide = (await page.evaluate(TOO_WIDE)) as readonly string[];
      found.push(...wide.map((what) => `${place} at ${width}: ${what}`));
    }
    return found;
  };

  it('rule 4.9-33: nothing is wider than its place from 320 to 1920 px, whatever is written', async () => {
    const page = await at.visit(`${world.url}/healthz`, TOUCHED);
    const { untilQuiet } = trafficOf(page);
    await page.goto(world.url);
    const found: string[] = [];
    for (const place of [...OTHERS, '/gallery', ...ofItems()]) {
      await go(page, place);
      await untilQuiet();
      found.push(...(await tooWide(page, place, WIDTHS)));
    }
    expect(found).toEqual([]);
  }, 120_000);

  it('rule 4.9-33: nothing is wider than its place in what opens above a page, or is being written', async () => {
    const page = await at.visit(`${world.url}/work/${ids.planned}/actions/a1`, TOUCHED);
    const found: string[] = [];
    const look = async (what: string) => found.push(...(await tooWide(page, what, [320, 1_024])));
    await page.getByRole('button', { name: 'Message this Action' }).click();
    await look('to whom a message goes');
    for (const open of ['Redirect…', 'Close…', 'Stop…']) {
      await page.getByRole('button', { name: open }).click();
      await page.getByRole('dialog').waitFor();
      await look(open);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Donau');
    await page.getByRole('option', { name: /Donau/ }).first().waitFor();
    await look('the palette');
    await page.goto(`${world.url}/work/${ids.talked}/contract`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox').nth(3).waitFor();
    await look('a contract that is edited');
    await page.goto(`${world.url}/new`);
    await page.getByRole('textbox', { name: 'Goal', exact: true }).fill(NAME.repeat(4));
    await page.getByRole('textbox', { name: 'Criterion c1' }).fill(NAME.repeat(4));
    await page.getByRole('textbox', { name: 'Check of c1' }).fill(NAME);
    await look('new work');
    expect(found).toEqual([]);
  }, 120_000);

  it('rule 4.9-34: both languages fit at 320 px, and no word of either is missing', async () => {
    const page = await at.visit(`${world.url}/healthz`, { ...TOUCHED, locale: 'zh-CN' });
    const { untilQuiet } = trafficOf(page);
    await page.goto(world.url);
    const found: string[] = [];
    for (const place of [...OTHERS, ...ofItems().slice(0, 6)]) {
      await go(page, place);
      await untilQuiet();
      found.push(...(await tooWide(page, place, [320])));
    }
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-Hans');
    expect(found).toEqual([]);
  }, 60_000);

  it('rule 4.9-32, rule 4.9-33: one box scrolls, the place to write is in view on every screen, and what is in it stays', async () => {
    const page = await at.visit(`${world.url}/work/${ids.talked}`, TOUCHED);
    const { conversation, composer } = itemPage(page);
    const draft = `${NAME}\n`.repeat(30);
    await composer.fill(draft);
    const files = Array.from({ length: 10 }, (_, n) => ({
      name: `${n}${NAME}`,
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    }));
    await conversation.locator('input[type=file]').setInputFiles(files);
    await conversation.getByRole('button', { name: /^Remove 9/ }).waitFor();
    await page.evaluate(`document.querySelector('textarea[aria-label=Message]').dataset.same = ''`);
    const send = conversation.getByRole('button', { name: 'Send', exact: true });
    for (const screen of SCREENS) {
      const where = `${screen.width} × ${screen.height}`;
      await page.setViewportSize(screen);
      await page.evaluate(DRAWN);
      for (const part of [composer, send]) {
        const box = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
        expect(box.height, where).toBeGreaterThanOrEqual(32);
        expect(Math.min(box.x, box.y), where).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height, where).toBeLessThanOrEqual(screen.height);
        expect(box.x + box.width, where).toBeLessThanOrEqual(screen.width);
      }
      expect((await composer.boundingBox())?.height, where).toBeLessThanOrEqual(0.3 * screen.height);
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), where).toBe(0);
      expect(await page.evaluate(SCROLLERS), where).toBe(1);
      expect(await page.evaluate(TOO_WIDE), where).toEqual([]);
    }
    expect(await composer.inputValue()).toBe(draft);
    expect(await composer.getAttribute('data-same')).toBe('');
    expect(await composer.and(page.locator(':focus')).count()).toBe(1);
    expect(await conversation.getByRole('button', { name: /^Remove \d/ }).count()).toBe(10);
  });
});
