import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from '../store/items.ts';
import { held } from '../support/held.ts';
import { PHONE, visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';

const PERSON = { kind: 'user', name: 'ada' } as const;
const INSTALL = 'npm ci';
const phone = { viewport: PHONE, hasTouch: true, isMobile: true } as const;

/** How a card is drawn: its face, what is behind it, its words, and the edge that says that it needs somebody. */
interface Look {
  readonly face: string;
  readonly ground: string;
  readonly ink: string;
  readonly edge: string;
}

const lookOf = (card: Locator): Promise<Look> =>
  card.evaluate((element) => {
    const { body, defaultView: view } = element.ownerDocument;
    const { backgroundColor: face, color: ink, borderInlineStartWidth: edge } = view.getComputedStyle(element);
    return { face, ink, edge, ground: view.getComputedStyle(body).backgroundColor };
  });

describe.skipIf(CHROMIUM === undefined)(`the board, new work and settings (chapter 4 §9)${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  let usual = '';

  beforeAll(async () => {
    const manifest = { scripts: { test: 'node --test' }, dependencies: { ms: '2.1.3' } };
    const api = { 'api/package.json': JSON.stringify(manifest), 'api/package-lock.json': '{}' };
    world = await openPageWorld({ files: { 'README.md': 'A shop.\n', ...api }, carries: false });
    usual = `${world.rig.repo}/api`;
  });
  afterAll(() => world.close());

  const lane = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const goal = (page: Page) => page.getByRole('textbox', { name: 'Goal', exact: true });
  const directory = (page: Page) => page.getByRole('combobox', { name: 'Directory' });
  const sets = async (value: Readonly<Record<string, unknown>>): Promise<void> => {
    const { store } = world.world;
    await store.writeSettings((await store.readSettings()).version, value);
  };
  /** What is asked for when new work is made. */
  const making = (page: Page): Promise<Request> =>
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/work-items'));

  it('rule 4.9-17: three equal lanes, tabs on a phone, each empty in its own words, and the first work is a click away', async () => {
    const page = await at.visit(`${world.url}/`);
    await page.getByRole('heading', { name: 'No work yet' }).waitFor();
    expect(await lane(page, 'Active').count()).toBe(0);
    await page.getByRole('link', { name: /^Find why a test fails/ }).click();
    expect(await goal(page).inputValue()).toMatch(/^Find why a test fails/);
    await page.goBack();
    await page.getByRole('button', { name: /^New work/ }).click();
    await goal(page).waitFor();
    await page.goBack();

    const { id } = await world.submit({ goal: 'Needs somebody' });
    const body = { type: 'HoldItem', code: 'user', details: 'Look first.' } as const;
    await world.world.store.execute({ itemId: id, principal: PERSON, body });
    await lane(page, 'Needs you')
      .getByRole('link', { name: /^Needs somebody/ })
      .waitFor();
    await lane(page, 'Active').getByText('Nothing is being worked on.').waitFor();
    await lane(page, 'Done').getByText('Nothing is done yet.').waitFor();
    const boxes = await Promise.all(['Needs you', 'Active', 'Done'].map((name) => lane(page, name).boundingBox()));
    expect(new Set(boxes.map((box) => Math.round(box?.width ?? 0))).size).toBe(1);
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(3);

    await page.setViewportSize(PHONE);
    await page.getByRole('tab', { name: /^Needs you 1/ }).waitFor();
    await page.getByRole('tab', { name: /^Done/ }).click();
    const shown = page.getByRole('tabpanel', { name: /^Done/ });
    await shown.getByText('Nothing is done yet.').waitFor();
    expect(await page.getByRole('tabpanel').count()).toBe(1);
    await page.reload();
    await shown.getByText('Nothing is done yet.').waitFor();
    await page.getByRole('searchbox').fill('no such goal');
    await shown.getByText('Nothing fits “no such goal”.').waitFor();

    // What a directory leaves out is no emptiness of everything.
    await page.goto(`${world.url}/?directory=/nowhere`);
    await page.getByText('No work in this directory').waitFor();
    expect(await page.getByRole('combobox', { name: 'Directory' }).inputValue()).toBe('/nowhere');
    await page.getByRole('button', { name: 'Show all directories' }).click();
    await page.getByRole('tab', { name: /^Needs you 1/ }).waitFor();
    await page.goto(`${world.url}/?lane=done&directory=${encodeURIComponent(world.rig.repo)}`);
    await shown.getByText(/^Nothing in \S+ is done yet\.$/).waitFor();
  });

  it('rule 4.9-18: a card is one link with nothing to press on it by mistake, and can be read in both themes', async () => {
    const page = await at.visit(`${world.url}/`, { colorScheme: 'light' });
    await world.submit({ goal: 'Goes on alone' });
    const waiting = page.getByRole('link', { name: /^Needs somebody/ });
    const cards = [waiting, page.getByRole('link', { name: /^Goes on/ })];
    for (const card of cards) {
      await card.waitFor();
      expect(await card.locator('a, button, input, select, [tabindex]').count()).toBe(0);
    }
    const light = await Promise.all(cards.map(lookOf));
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(async () => (await lookOf(waiting)).face).not.toBe(light[0]?.face);
    const dark = await Promise.all(cards.map(lookOf));
    for (const looks of [light, dark]) {
      for (const { face, ground, ink } of looks) {
        expect(face).toMatch(/^rgb\(/);
        expect(new Set([face, ground, ink]).size).toBe(3);
      }
      // A shape, not only a colour.
      expect(looks.map(({ edge }) => edge)).toEqual(['3px', '1px']);
    }
  });

  it('rule 4.9-19: settings that come late fill a directory that nobody has named, and what is shown is what is sent', async () => {
    await sets({ defaultDirectory: usual, startImmediately: false });
    for (const typed of ['', '/somewhere/else']) {
      const page = await at.visit(`${world.url}/healthz`);
      const late = held();
      await page.route('**/api/v1/settings', async (route) => {
        await late.pass();
        await route.continue();
      });
      await page.goto(`${world.url}/new`);
      await goal(page).fill('Mend it');
      await late.come;
      expect(await directory(page).inputValue()).toBe('');
      await page.getByRole('button', { name: /^Start work/ }).click();
      await page.getByText('A directory is needed.').waitFor();
      await directory(page).fill(typed);
      late.release();
      // What is usual stands first: to be kept, as the settings say.
      await page.locator('button[type=submit]', { hasText: 'Keep as a draft' }).waitFor();
      await expect.poll(() => directory(page).inputValue()).toBe(typed || usual);
      if (typed !== '') continue;
      // What the directory says of itself is there as well: its set-up, and its checks for the asking.
      await expect.poll(() => page.getByLabel('Set-up command').inputValue()).toBe(INSTALL);
      await page.getByRole('button', { name: 'npm test' }).click();
      const [made] = await Promise.all([making(page), page.keyboard.press('Control+Enter')]);
      // No type, no template, no plan: how it is done is nothing that the form asks.
      const delivery = { target: 'workspace_files' };
      const criteria = [{ text: 'The test suite passes', check: 'npm test' }];
      const said = { goal: 'Mend it', criteria, setup: INSTALL, directory: usual, delivery, start: false };
      expect(made.postDataJSON()).toEqual(said);
      await page.waitForURL(/\/work\/w/);
    }
  });

  it('rule 4.9-20: directories are a list box whose choice is the whole path, and new work is within reach of a thumb', async () => {
    const page = await at.visit(`${world.url}/new`);
    await directory(page).focus();
    const list = page.getByRole('listbox', { name: 'Recent directories' });
    await directory(page).fill('');
    await page.keyboard.press('ArrowDown');
    const chosen = list.getByRole('option', { selected: true });
    expect(await directory(page).getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    const path = await chosen.locator('code').textContent();
    expect([world.rig.repo, usual]).toContain(path);
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'hidden' });
    expect(await directory(page).inputValue()).toBe(path);
    await page.keyboard.press('ArrowDown');
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await directory(page).inputValue()).toBe(path);

    const small = await at.visit(`${world.url}/`, phone);
    await small.getByRole('button', { name: 'Search and commands' }).tap();
    await small.getByRole('dialog').waitFor();
    await small.keyboard.press('Escape');
    const fresh = small.getByRole('button', { name: /^New work/ });
    for (const width of [320, 390]) {
      await small.setViewportSize({ width, height: 700 });
      const box = await fresh.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(40);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(width);
    }
    await fresh.tap();
    await goal(small).waitFor();
  });

  it('rule 4.9-21: the delivery goes as it was chosen, and files go before the work and are named in it', async () => {
    const page = await at.visit(`${world.url}/new`);
    await goal(page).fill('Answer in words');
    await directory(page).fill(world.rig.repo);
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'An answer' }).click();
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('three words here') };
    const sent = page.waitForResponse((response) => response.url().includes('/api/v1/attachments'));
    await page.locator('input[type=file]').setInputFiles(file);
    const upload = (await (await sent).json()) as { readonly id: string };
    await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor();
    // Edits that nobody has committed are refused by a code of their own, and what to do is offered with the refusal.
    await writeFile(join(world.rig.repo, 'left.txt'), 'Not committed.\n');
    await page.getByRole('button', { name: /^Start work/ }).click();
    await page.getByRole('alert').filter({ hasText: 'uncommitted_work' }).waitFor();
    const copy = page.getByRole('button', { name: 'Work from a private copy of it' });
    const [made] = await Promise.all([making(page), copy.click()]);
    const wanted = { delivery: { target: 'response' }, attachments: [upload.id], dirty: 'snapshot' };
    expect(made.postDataJSON()).toMatchObject(wanted);
    await page.waitForURL(/\/work\/w/);
    const { attachments, contract } = await world.state(/\/work\/([^/]+)/.exec(page.url())?.[1] ?? '');
    expect(attachments).toMatchObject([{ name: 'notes.txt', mediaType: 'text/plain', bytes: 16 }]);
    expect(contract.delivery).toEqual({ target: 'response' });
    await rm(join(world.rig.repo, 'left.txt'));
  });

  it('what is typed for new work is one tab’s own, goes to the directory that is named, and outlives its creation', async () => {
    const page = await at.visit(`${world.url}/new?goal=Mend+it`);
    await goal(page).fill('Mend it well');
    await page.waitForURL(`${world.url}/new`);
    await page.reload();
    expect(await goal(page).inputValue()).toBe('Mend it well');
    expect(await page.getByText('You have an unfinished draft.').count()).toBe(0);

    const other = await at.beside(page, `${world.url}/new`);
    await other.getByText('Another draft is kept in this browser:').waitFor();
    expect(await goal(other).inputValue()).toBe('');
    await other.getByRole('button', { name: 'Go on with that one' }).click();
    await goal(other).fill('Mend it very well');
    await expect.poll(() => goal(page).inputValue()).toBe('Mend it very well');
    await other.getByRole('button', { name: 'Discard draft' }).click();
    await other.getByText('Another draft is kept in this browser:').waitFor();
    await page.reload();
    expect(await goal(page).inputValue()).toBe('Mend it very well');

    await directory(page).fill(usual);
    await expect.poll(() => page.getByLabel('Set-up command').inputValue()).toBe(INSTALL);
    await page.route('**/suggestions?*', (route) => route.abort());
    await directory(page).fill(world.rig.repo);
    await page.keyboard.press('Escape');
    const creating = held();
    await page.route('**/work-items', async (route) => {
      await creating.pass();
      await route.continue();
    });
    const [made] = await Promise.all([making(page), page.getByRole('button', { name: /^Start work/ }).click()]);
    expect(made.postDataJSON()).toMatchObject({ goal: 'Mend it very well', directory: world.rig.repo });
    expect(made.postDataJSON()).not.toHaveProperty('setup');
    await goal(page).fill('Mend it very well, and at once');
    creating.release();
    await page.waitForURL(/\/work\/w/);
    await page.goto(`${world.url}/new`);
    expect(await goal(page).inputValue()).toBe('Mend it very well, and at once');
  });

  it('rule 4.9-22: a setting of the Coordinator is one round trip from version 7 to 8, and back to what is inherited', async () => {
    const { store } = world.world;
    for (let { version } = await store.readSettings(); version < 7; ) {
      await store.writeSettings(version, { concurrency: 3 });
      ({ version } = await store.readSettings());
    }
    const page = await at.visit(`${world.url}/settings/models`, { ...phone, colorScheme: 'dark' });
    const model = page.getByRole('combobox', { name: /^Coordinator/ });
    expect(await model.getAttribute('placeholder')).toBe('default: ultimate');
    await model.fill('some/model');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save' }).tap();
    const answer = await saved;
    expect(answer.request().headers()['if-match']).toBe('"7"');
    expect(await answer.json()).toMatchObject({ version: 8, settings: { models: { coordinator: 'some/model' } } });
    expect((await store.readSettings()).value).toEqual({ concurrency: 3, models: { coordinator: 'some/model' } });
    // A model that cannot be called is said where it is named, with what else there is to do.
    await page.getByText(/^Cannot be used: .* found some\./).waitFor();
    await page.getByRole('note').filter({ hasText: 'No model can be used yet' }).waitFor();
    await page.getByRole('button', { name: 'Back to the default: Coordinator' }).tap();
    await expect.poll(async () => (await store.readSettings()).version).toBe(9);
    await expect.poll(() => model.inputValue()).toBe('');
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(wider).toBe(0);
  });

  it('a lane that one comes back to is as far down as it was left', async () => {
    const { store } = world.world;
    for (let n = 0; n < 30; n += 1)
      await store.execute(create(`many${n}`, { contract: { title: `One of many, ${n}` }, start: false }));
    const page = await at.visit(`${world.url}/`);
    const drafts = lane(page, 'Drafts');
    await drafts.getByRole('link', { name: /^One of many, 29/ }).waitFor();
    await drafts.getByRole('link').last().scrollIntoViewIfNeeded();
    const card = drafts.getByRole('link', { name: /^One of many, 1[0-9]/ }).first();
    await card.scrollIntoViewIfNeeded();
    const before = await card.boundingBox();
    const name = (await card.textContent()) ?? '';
    await card.click();
    await page.waitForURL('**/work/many*');
    await page.goBack();
    const again = drafts.getByRole('link').filter({ hasText: name.slice(0, 15) });
    await again.waitFor();
    expect((await again.boundingBox())?.y).toBe(before?.y);
  });
});
