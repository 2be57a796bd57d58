import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import type { ScriptedStep } from '../../src/testing.ts';
import { decide } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';

const ask = (question: string, options?: readonly string[]) =>
  decide({ decisions: [{ kind: 'request_human', question, ...(options ? { options } : {}) }] });
/** Asks once about each goal, and then hears whatever is said. */
function asksOnce(): ScriptedStep {
  const asked = new Set<string>();
  return {
    name: 'coordinator',
    when: { tools: ['decide'] },
    reply: ({ messages }) => {
      const [goal = ''] = /Be \w+/.exec(JSON.stringify(messages)) ?? [];
      if (asked.has(goal)) return answerOnly;
      asked.add(goal);
      return ask('Which branch?', ['main', 'next']);
    },
  };
}
const answerOnly = decide({ reply: 'I heard you.', decisions: [{ kind: 'answer' }] });

describe.skipIf(CHROMIUM === undefined)(`what goes wrong between page and server${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  let item: ItemState;

  beforeAll(async () => {
    world = await openPageWorld({ steps: [asksOnce()] });
  });
  afterEach(() => world.plug());
  afterAll(() => world.close());

  const begin = async (goal: string, carries = true): Promise<Page> => {
    item = await world.submit({ goal });
    if (carries) await world.engine.untilSettled(item.id);
    return at.visit(`${world.url}/work/${item.id}`);
  };
  const heard = async (text: string): Promise<number> => {
    const { entries } = (await (await fetch(`${world.url}/api/v1/work-items/${item.id}/conversation`)).json()) as {
      entries: { text: string }[];
    };
    return entries.filter((entry) => entry.text === text).length;
  };

  it('a message that is written while the server is away is kept, and sent once when it is back', async () => {
    const page = await begin('Be patient');
    const { conversation, banner, say, composer } = itemPage(page);
    await composer.waitFor();
    await world.unplug();
    await banner.getByText('No connection to the server').waitFor();
    await say('Can you hear me?');
    await conversation.getByText('will be sent when the server is back').waitFor();
    await banner.getByText('1 message waits').waitFor();
    await composer.fill('And this is not finished');
    await world.plug();
    await banner.waitFor({ state: 'detached' });
    await until('it is heard', async () => (await heard('Can you hear me?')) === 1);
    await conversation.getByText('will be sent').waitFor({ state: 'detached' });
    expect(await conversation.getByText('Can you hear me?').count()).toBe(1);
    expect(await composer.inputValue()).toBe('And this is not finished');
  });

  it('after a server of another version has come up the page offers to be loaded anew, and loses nothing by it', async () => {
    const page = await begin('Be young');
    const { banner, composer } = itemPage(page);
    await composer.fill('Half a sentence');
    await world.unplug();
    await banner.getByText('No connection').waitFor();
    await world.plug('2.0.0');
    await banner.getByText('The server is now version 2.0.0; this page is of version 1.0.0').waitFor();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(await composer.inputValue()).toBe('Half a sentence');
    await world.unplug();
    await world.plug();
  });

  it.each([
    ['has not left the browser', false],
    ['has arrived, and whose answer is lost', true],
  ])('a reload loses no message that %s, and doubles none', async (_what, arrives) => {
    const page = await begin('Be steady');
    const { conversation, say } = itemPage(page);
    let isHeld = false;
    await page.route('**/messages', async (route) => {
      if (isHeld) return route.continue();
      isHeld = true;
      if (arrives) await route.fetch();
      // Never answered: the page is loaded anew while it waits.
    });
    await say('Only once, please');
    await until('it is under way', () => isHeld);
    if (arrives) await until('it has arrived', async () => (await heard('Only once, please')) === 1);
    await page.reload();
    await until('it is heard', async () => (await heard('Only once, please')) === 1);
    await conversation.getByText('sending…').waitFor({ state: 'detached' });
    await conversation.getByText('Only once, please').first().waitFor();
    expect(await conversation.getByText('Only once, please').count()).toBe(1);
    expect(await heard('Only once, please')).toBe(1);
  });

  it('a message whose connection broke goes before the next; a refused one is told, and taken back in one tab alone', async () => {
    const page = await begin('Be brave');
    const { conversation, say, composer } = itemPage(page);
    const now = conversation.getByRole('button', { name: 'Send now' });
    let broken = 0;
    await page.route('**/messages', (route) => {
      broken += 1;
      return broken === 1 ? route.abort('connectionreset') : route.continue();
    });
    await say('Okay');
    await now.waitFor();
    await say('And then this');
    await now.click();
    await until('both are heard', async () => (await heard('Okay')) + (await heard('And then this')) === 2);
    await now.waitFor({ state: 'detached' });
    expect(await conversation.getByText(/^(Okay|And then this)$/).allTextContents()).toEqual(['Okay', 'And then this']);
    await page.route('**/messages', (route) =>
      route.fulfill({ status: 409, json: { code: 'generation_stale', detail: 'It has moved on.' } }),
    );
    await say('Okay');
    const refused = conversation.getByRole('alert').filter({ hasText: 'Not sent. It is kept here. It has moved on.' });
    await refused.waitFor();
    expect(await refused.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await refused.getByRole('button', { name: 'Take back and edit' }).click();
    const other = await at.beside(page, page.url());
    await itemPage(other).composer.fill('Something else');
    await page.reload();
    await composer.waitFor();
    await page.keyboard.press('m');
    await page.keyboard.type(' later');
    await expect.poll(() => composer.inputValue()).toBe('Okay later');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'x'.repeat(100_000));
      const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(pasted);
    })()`);
    await conversation.getByText('That text has 100,000 characters; at most 8,000 fit here.').waitFor();
    expect(await composer.inputValue()).toBe('Okay later');
  });

  it('of two tabs with one question the second to answer is told, and keeps its words', async () => {
    const page = await begin('Be two');
    const first = itemPage(page);
    const second = itemPage(await at.beside(page, page.url()));
    await first.request('Which branch?').waitFor();
    await second.request('Which branch?').waitFor();
    // The first tab hears nothing any more of what happens elsewhere.
    await page.route('**/api/v1/**', (route) => (route.request().method() === 'GET' ? undefined : route.continue()));
    await second.request('Which branch?').getByRole('button', { name: 'next', exact: true }).click();
    await second.request('Which branch?').waitFor({ state: 'detached' });
    await first.request('Which branch?').getByRole('textbox').fill('main, because it is older');
    await first.request('Which branch?').getByRole('button', { name: 'Answer', exact: true }).click();
    await first.request('Which branch?').getByRole('alert').waitFor();
    expect(await first.request('Which branch?').getByRole('textbox').inputValue()).toBe('main, because it is older');
  });

  it('two tabs write messages at the same time, and both are heard once', async () => {
    const page = await begin('Be many');
    const other = await at.beside(page, page.url());
    for (const tab of [page, other]) await itemPage(tab).composer.waitFor();
    await world.unplug();
    await Promise.all([itemPage(page).say('From the first'), itemPage(other).say('From the second')]);
    await world.plug();
    for (const text of ['From the first', 'From the second'])
      await until(`${text} is heard`, async () => (await heard(text)) === 1);
    await itemPage(page).conversation.getByText('will be sent').waitFor({ state: 'detached' });
  });

  it('an item that is not there, and an address that is none, say so and lead on', async () => {
    const page = await at.visit(`${world.url}/work/w0000000`);
    await page.getByRole('heading', { name: 'No such work' }).waitFor();
    expect(await page.title()).toMatch(/No such work · Work Center$/);
    await page.getByRole('link', { name: 'Search the board for it' }).click();
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor();
    const lost = await page.goto(`${world.url}/no/such/place`);
    expect(lost?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });

  it('a part that fails says so, and the rest goes on', async () => {
    at.expect(/./);
    item = await world.submit({ goal: 'Be whole' });
    const page = await at.visit(`${world.url}/`);
    await page.route('**/evidence*', (route) => route.fulfill({ json: { criteria: [null] } }));
    await page.goto(`${world.url}/work/${item.id}`);
    await page.getByText('This part of the page has failed').waitFor();
    await page.unroute('**/evidence*');
    await itemPage(page).composer.fill('Still here');
    await itemPage(page).content('Events');
    await page.getByText('This part of the page has failed').waitFor({ state: 'detached' });
    expect(await itemPage(page).composer.inputValue()).toBe('Still here');
    await world.engine.untilSettled(item.id);
    await page.route('**/requests', (route) => route.fulfill({ status: 403, json: { code: 'x', detail: 'Not now.' } }));
    await page.reload();
    await itemPage(page).conversation.getByText('What waits for an answer, or is being done, could not').waitFor();
    await page.unroute('**/requests');
    await itemPage(page).conversation.getByRole('button', { name: 'Try again' }).click();
    await itemPage(page).request('Which branch?').waitFor();
  });

  it('a part of an earlier version of the page, which is gone, leads to a reload', async () => {
    at.expect(/./);
    const page = await at.visit(`${world.url}/healthz`);
    await page.route('**/assets/gallery-page*', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${world.url}/gallery`);
    await page.getByText('The page was updated meanwhile').waitFor();
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  });
});
