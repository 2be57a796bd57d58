import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { held } from '../support/held.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';

describe.skipIf(CHROMIUM === undefined)(`settings on the page${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  beforeEach(async () => {
    world = await openPageWorld({ carries: false, settings: { concurrency: 3, notify: 'say-s3cret' } });
  });
  afterEach(() => world.close());

  const stored = async () => (await world.world.store.readSettings()).value;
  const field = (page: Page) => page.getByRole('textbox', { name: 'Runs at a time' });

  it('are saved one by one, beside what others have set meanwhile, and what is wrong is said in place', async () => {
    const page = await at.visit(`${world.url}/settings/general`);
    await field(page).fill('99');
    await page.getByText('a whole number from 1 to 64').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    // What is typed outlives leaving the section, and a reload.
    await page.getByRole('link', { name: 'Budget' }).click();
    await page.getByRole('heading', { name: 'Budget', level: 2 }).waitFor();
    await page.goto(`${world.url}/settings/general`);
    expect(await field(page).inputValue()).toBe('99');
    await world.world.store.writeSettings(1, { ...(await stored()), shutdownMs: 5_000 });
    let answer = (): void => undefined;
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/api/v1/settings', async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    await field(page).fill('7');
    await page.keyboard.press('Enter');
    // So does what is typed while it is saved.
    await field(page).fill('75');
    answer();
    await expect.poll(async () => (await stored()).concurrency, { timeout: 10_000 }).toBe(7);
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await field(page).inputValue()).toBe('75');
    await field(page).press('Escape');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored()).toEqual({ concurrency: 7, shutdownMs: 5_000, notify: 'say-s3cret' });
    // What could not be sent does not look lost when the server is back.
    await world.unplug();
    await field(page).fill('9');
    await field(page).press('Enter');
    await page.getByText('The server cannot be reached.').waitFor();
    await world.plug();
    await page.getByText('The server is there again.').waitFor();
    expect(await page.getByText('The server cannot be reached.').count()).toBe(0);
    await field(page).press('Enter');
    await expect.poll(async () => (await stored()).concurrency, { timeout: 10_000 }).toBe(9);
  });

  it('show both values where two people change the same one, and leave the choice', async () => {
    const page = await at.visit(`${world.url}/settings/general`);
    await field(page).fill('8');
    await world.world.store.writeSettings(1, { ...(await stored()), concurrency: 5 });
    await page.keyboard.press('Enter');
    const conflict = page.getByRole('alert');
    await conflict.getByText('Somebody else has changed this.').waitFor();
    expect(await conflict.getByRole('definition').allTextContents()).toEqual(['5', '8']);
    expect((await stored()).concurrency).toBe(5);
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(async () => (await stored()).concurrency, { timeout: 10_000 }).toBe(8);
    // A choice that is saved at once is "mine" as well, though nothing is typed for it.
    await page.goto(`${world.url}/settings/nowhere`);
    await page.getByText('/settings/nowhere').waitFor();
    const start = page.getByRole('combobox', { name: 'Start at once' });
    await start.waitFor();
    await world.world.store.writeSettings(3, { ...(await stored()), startImmediately: true });
    await start.selectOption('false');
    await conflict.waitFor();
    expect(await conflict.getByRole('definition').allTextContents()).toEqual(['yes', 'no']);
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(async () => (await stored()).startImmediately, { timeout: 10_000 }).toBe(false);
    // What was saved has been answered before answers are counted.
    await page.locator('form').filter({ has: start }).getByText('Saved', { exact: true }).waitFor();
    // What is chosen while another choice is being saved is shown at once, and saved after that one.
    const saving = held();
    const answers: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PUT') answers.push(response.status());
    });
    await page.route('**/api/v1/settings', async (route) => {
      if (route.request().method() === 'PUT') await saving.pass();
      await route.continue();
    });
    await start.selectOption('');
    await saving.come;
    await start.selectOption('true');
    await start.selectOption('false');
    await start.selectOption('true');
    expect(await start.inputValue()).toBe('true');
    saving.release();
    await expect.poll(async () => (await stored()).startImmediately, { timeout: 10_000 }).toBe(true);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await start.inputValue()).toBe('true');
    expect(answers).toEqual([200, 200]);
  });

  it('of the machine are named with the command that sets them, never told', async () => {
    const page = await at.visit(`${world.url}/settings/permissions`);
    await page.getByText('workcenter settings set notify COMMAND').waitFor();
    expect(await page.content()).not.toContain('s3cret');
  });

  it('make a token that is shown until it is copied, lets in, and ends when it is revoked', async () => {
    const page = await at.visit(`${world.url}/settings/access`);
    await page.getByLabel('Name').fill('phone');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const shown = page.getByRole('alert').getByRole('button', { name: /^wc_/ });
    const token = (await shown.textContent()) ?? '';
    const asks = async () =>
      (await fetch(`${world.url}/api/v1/work-items`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await asks()).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await shown.waitFor({ state: 'detached' });
    await page.getByLabel('Name').fill('phone');
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByRole('alert').getByText('There is a valid token named phone.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('phone');
    await page.getByRole('button', { name: 'Revoke phone…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke phone' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await asks()).toBe(401);
  });

  it('add a webhook, try it out, and show what became of it', async () => {
    const page = await at.visit(`${world.url}/settings/webhooks`);
    await page.getByLabel('Address').fill('http://127.0.0.1:1/hook');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('button', { name: /^whsec_/ }).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('webhook.test', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the webhook' }).click();
    await page.getByText('Nobody is told yet.').waitFor();
  });

  it('tell what is enforced, what the disk holds, and which VPs there are', async () => {
    const page = await at.visit(`${world.url}/settings/workers`);
    await page.getByText('The machine', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Disk' }).click();
    await page.getByText('No work holds anything.').waitFor();
    await page.goto(`${world.url}/vps`);
    await page.getByRole('link', { name: /^Reviewer/ }).click();
    await page.getByRole('heading', { name: 'Reviewer' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Implementer' }).waitFor();
  });
});
