import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PHONE, visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { CALL, everythingWaits, QUESTION, WHOLE } from './inbox-story.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';

describe.skipIf(CHROMIUM === undefined)(`what needs a person, on one page${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  beforeEach(async () => {
    world = await openPageWorld({ carries: false });
    await everythingWaits(world);
  });
  afterEach(() => world.close());

  const chosen = (page: Page) => page.locator('[data-line][aria-current]');
  const answered = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();
  const isFocused = (element: Locator) => element.and(element.page().locator(':focus')).count();
  const open = async (id: string): Promise<number> => (await world.state(id)).requests.length;

  it('is gone through by keyboard alone: moved, allowed, refused, written, and no press answers another than was looked at', async () => {
    const page = await at.visit(`${world.url}/needs-you`);
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    expect(await page.title()).toMatch(/^\(4\) /);
    await page.keyboard.press('Enter');
    await page.keyboard.type('From main.');
    await page.keyboard.press('Control+Enter');
    await answered(page, 'From main.');
    expect(await open('wq')).toBe(0);
    // A second press that was meant for the first answers no other.
    for (const key of ['a', 'r', '1', '2']) await page.keyboard.press(key);
    expect(await chosen(page).getAttribute('data-line')).toBe('wq/r1');
    await page.keyboard.press('j');
    await page.locator('[data-line="wr/r1"][aria-current]').waitFor();
    await page.getByText('It leaves this machine.').waitFor();
    // Read whole, with nothing hidden, and with the answers no further away for it.
    const asked = page.getByRole('article');
    expect(await asked.locator('pre').textContent()).toBe(
      WHOLE.replace('\u202e', '[U+202E]').replace('\u202c', '[U+202C]'),
    );
    await asked.getByText('603 lines').waitFor();
    expect((await asked.boundingBox())?.height).toBeLessThan(1_000);
    // Enter goes to what is asked and not to an answer, which the next press, or the key held down, would give.
    for (const _press of [1, 2, 3]) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await isFocused(asked)).toBe(1);
    expect(await asked.locator('[aria-busy=true]').count()).toBe(0);
    await page.keyboard.press('a');
    await answered(page, 'Allow this call, once');
    expect([await open('wr'), await open('ws')]).toEqual([0, 1]);
    await page.keyboard.press('j');
    await page.locator('[data-line="ws/r1"][aria-current]').waitFor();
    expect(await page.getByRole('region', { name: 'What would change' }).textContent()).toContain('An empty file');
    await page.keyboard.press('r');
    await answered(page, 'Leave the contract as it is');
    expect((await world.state('ws')).contractVersion).toBe(1);
    // The keyboard is where one goes on.
    await expect.poll(() => isFocused(page.getByRole('button', { name: 'Next' }))).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('[data-line="wt/hold"][aria-current]').waitFor();
    // An old link shows nothing else in the place of what it was about.
    await page.goto(`${world.url}/needs-you/wr/r1`);
    await answered(page, 'no longer waits for you');
    expect([await chosen(page).count(), await page.getByRole('article').count()]).toEqual([0, 0]);
    await page.keyboard.press('j');
    await page.locator('[data-line="wt/hold"][aria-current]').waitFor();
    await page.keyboard.press('e');
    await page.waitForURL(/\/work\/wt$/);
    // What was allowed is remembered with what it was.
    await page.goto(`${world.url}/work/wr`);
    const decided = page.getByRole('listitem').filter({ hasText: 'Allow this call, once' });
    expect(await decided.textContent()).toContain(CALL);
    await decided.getByText('The whole call, 603 lines').click();
    expect(await decided.locator('pre').textContent()).toContain('rm -r build');
  });

  it('keeps what is being written over a reload, and says when somebody else was faster', async () => {
    const page = await at.visit(`${world.url}/needs-you/wq/r1`);
    const words = 'From the release branch';
    const box = page.getByRole('textbox', { name: 'Your answer' });
    await box.fill(words);
    await page.reload();
    expect(await box.inputValue()).toBe(words);
    const other = await page.context().newPage();
    await other.goto(`${world.url}/work/wq`);
    const inTalk = other.getByRole('textbox', { name: 'Your answer' });
    expect(await inTalk.inputValue()).toBe(words);
    // What is written in three tabs never meets: the one that answers takes its own words away.
    const tagged = `${words}, tagged`;
    await inTalk.fill(tagged);
    const faster = await at.beside(page, page.url());
    const inFaster = faster.getByRole('textbox', { name: 'Your answer' });
    await inFaster.fill('From main');
    let arrive = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await faster.route('**/resolution', (route) => arrival.then(() => route.continue()));
    await faster.getByRole('button', { name: 'Go on without it' }).click();
    // What would be written now would be in no answer.
    await expect.poll(() => inFaster.isEditable()).toBe(false);
    arrive();
    await answered(page, 'answered elsewhere: Go on without it');
    expect(await box.inputValue()).toBe(words);
    // Who is slower is told which answer holds, not only that theirs does not.
    const headers = { 'content-type': 'application/json' };
    const slower = JSON.stringify({ choice: 'stop', text: '', clientMessageId: 'slower' });
    const refused = await fetch(`${world.url}/api/v1/work-items/wq/requests/r1/resolution`, {
      ...{ method: 'POST', headers, body: slower },
    });
    expect(await refused.json()).toMatchObject({ code: 'request_not_found', found: 'answered: close' });
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await chosen(page).getAttribute('data-line')).not.toBe('wq/r1');
    // In the conversation the card stays where it was, with the words in it, over a reload as well.
    await answered(other, 'answered elsewhere: Go on without it');
    await other.reload();
    await answered(other, 'answered elsewhere: Go on without it');
    expect(await inTalk.inputValue()).toBe(tagged);
    // This work takes no messages: the words can be copied here, and are not put where nobody sees them.
    expect(await other.getByRole('button', { name: 'Put it into a message' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Discard it' }).click();
    expect(await inTalk.count()).toBe(0);
  });

  it('is a card at a time on a phone, with the way to the next one, and resumes what is held', async () => {
    const page = await at.visit(`${world.url}/needs-you`, { viewport: PHONE, hasTouch: true, isMobile: true });
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    const next = page.getByRole('button', { name: 'Next' });
    for (const position of ['2 of 4', '3 of 4', '4 of 4']) {
      await next.click();
      await page.getByText(position).waitFor();
    }
    expect(await next.isDisabled()).toBe(true);
    const resume = page.getByRole('button', { name: 'Resume the work' });
    expect((await resume.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(40);
    await resume.click();
    await answered(page, 'Resumed.');
    expect((await world.state('wt')).hold).toBeUndefined();
  });

  it('tells in the browser what begins to wait while nobody looks, if the person wants it', async () => {
    const page = await at.visit(`${world.url}/settings/appearance`, { permissions: ['notifications'] });
    await page.evaluate(`
      window.told = [];
      window.Notification = class { constructor(title, { body, tag }) { told.push({ title, body, tag }); } close() {} };
      Notification.permission = 'granted';
      Notification.requestPermission = async () => 'granted';
    `);
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('button', { name: 'Do not notify me' }).waitFor();
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
    const principal = { kind: 'user', name: 'ada' } as const;
    await world.world.store.execute({
      itemId: 'wq',
      principal,
      body: { type: 'HoldItem', code: 'user', details: 'Wait.' },
    });
    await expect.poll(() => page.evaluate('window.told.length'), { timeout: 10_000 }).toBe(1);
    expect(await page.evaluate('window.told')).toEqual([
      { title: 'Release the importer needs you', body: 'Wait.', tag: 'workcenter wq hold' },
    ]);
    // As many as there are lines in the inbox: this item asks two things.
    await expect.poll(() => page.title()).toMatch(/^\(5\) /);
  });
});
