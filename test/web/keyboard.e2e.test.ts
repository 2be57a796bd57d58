import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { PHONE, visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { FILES, GREETING, greetingSteps, SETTINGS, untilPerson } from './story.ts';

describe.skipIf(CHROMIUM === undefined)(`without a mouse, and on a phone${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  let id = '';

  beforeAll(async () => {
    world = await openPageWorld({ files: FILES, steps: greetingSteps(), settings: SETTINGS });
  });
  afterAll(() => world.close());

  const waiting = async (goal: string): Promise<void> => {
    id = (await world.submit({ ...GREETING, goal })).id;
    await untilPerson(world, id);
  };
  const isFocused = (page: Page, text: string): Promise<boolean> =>
    page.evaluate(
      `(document.activeElement === document.body ? '' : document.activeElement.textContent).includes(${JSON.stringify(text)})`,
    ) as Promise<boolean>;

  /** Tab by Tab until something with these words has the focus. */
  async function tabTo(page: Page, text: string): Promise<void> {
    for (let n = 0; n < 60; n += 1) {
      if (await isFocused(page, text)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to "${text}".`);
  }

  it('from the board to an item, a message, an answer, and back, by keys alone', async () => {
    await waiting('Greet people with care');
    const page = await at.visit(`${world.url}/`);
    await page.getByText('Greet people with care').waitFor();
    await tabTo(page, 'Greet people with care');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/work/${id}`);
    const item = itemPage(page);
    await item.request('full stop?').waitFor();
    await page.keyboard.press('m');
    // Whoever stands in a field writes letters.
    await page.keyboard.type('g n');
    expect(await item.composer.inputValue()).toBe('g n');
    // What opens over the page gives the focus back.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('g n');
    await page.keyboard.press('Tab');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.waitForURL('**/needs-you**');
    await page.getByText('Should it end with a full stop?').first().waitFor();
    await page.keyboard.press('2');
    // What comes next is offered, and does not slip under the key.
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /git tag v1/ }).waitFor();
    await page.keyboard.press('a');
    await until('it is done', async () => (await world.state(id)).lifecycle === 'done');
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor();
  });

  it('the palette finds a place, a command and any work by its words', async () => {
    await waiting('Greet people with palettes');
    const page = await at.visit(`${world.url}/`);
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('palettes');
    await page.getByRole('option', { name: /Greet people with palettes/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/work/${id}`);
  });

  it('a phone answers what waits with one tap', async () => {
    await waiting('Greet people with thumbs');
    const page = await at.visit(`${world.url}/work/${id}`, { viewport: PHONE, hasTouch: true, isMobile: true });
    const { request } = itemPage(page);
    const button = request('full stop?').getByRole('button', { name: 'No', exact: true });
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(40);
    await button.tap();
    await until('it is answered', async () =>
      (await world.state(id)).requests.every(({ kind }) => kind !== 'question'),
    );
  });
});
