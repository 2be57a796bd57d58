import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedApi, serveApi } from '../../src/api/index.ts';
import { openMemoryStore } from '../../src/store/index.ts';
import { actionSpec } from '../store/items.ts';
import { AGENT, decide, talkTurn } from '../store/talk-items.ts';
import { held } from '../support/held.ts';
import { PHONE, visitor } from './browser.ts';
import { builtPage } from './built-page.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';

const ANSWER = 'Two Actions will do; the first one is small.';
const action = (id: string, name: string) => {
  const brief = { objective: `Do ${id}.`, approach: 'In small steps.', expectedOutcome: 'It works.' };
  const commission = { sources: [], unblocks: [], forDelivery: false, rationale: `Nobody did ${id} yet.` };
  return { id, spec: actionSpec(id, { ...AGENT, name, brief, commission }) };
};

describe.skipIf(CHROMIUM === undefined)(`reading and writing beside each other (chapter 4 §9)${WITHOUT}`, () => {
  const at = visitor();
  const store = openMemoryStore();
  let api: ServedApi;

  beforeAll(async () => {
    api = await serveApi({ store, version: '1.0.0', port: 0, page: await builtPage() });
    const commissions = {
      kind: 'create_actions',
      actions: [action('aim', 'Take aim'), action('hit', 'Hit it')],
    } as const;
    const turn = decide('talk', 't1', { reply: ANSWER, decisions: [{ ...commissions, supersede: [] }] });
    for (const command of [...talkTurn('talk', 't1').slice(0, -1), turn]) {
      const said = await store.execute(command);
      if ('code' in said) throw new Error(`${command.body.type}: ${said.code}: ${said.message}`);
    }
  });
  afterAll(async () => {
    await api.close();
    await store.close();
  });

  const place = (rest = ''): string => `${api.url}/work/talk${rest}`;
  const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
  const whom = (page: Page, name: string) => itemPage(page).conversation.getByText(`To: ${name}`, { exact: true });
  /** What has the focus: the address of a link, the name of a field, the role of anything else. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(`(({ activeElement: it }) =>
      it.getAttribute('href') ?? it.getAttribute('aria-label') ?? it.getAttribute('role') ?? it.tagName
    )(document)`) as Promise<string>;
  const frames = (page: Page) =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const messageOf = (page: Page) => page.waitForRequest((request) => request.url().endsWith('/messages'));

  it('rule 4.9-23: Actions are closed at first, one textarea, opening and closing carries the focus, 1024 px show both', async () => {
    const page = await at.visit(place());
    const { conversation } = itemPage(page);
    const content = page.getByRole('region', { name: 'Content' });
    await conversation.getByText(ANSWER).waitFor();
    expect(await tab(page, 'Proof').getAttribute('aria-selected')).toBe('true');
    expect(page.url()).toBe(place());
    await tab(page, 'Actions').click();
    const row = content.getByRole('link', { name: /^Take aim/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await content.getByText('Do aim.').waitFor();
    await expect.poll(() => focused(page)).toBe('tabpanel');
    expect(await page.locator('textarea').count()).toBe(1);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('/work/talk/actions');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('/work/talk/actions/aim');
    expect(await content.locator('a:focus').count()).toBe(1);
    await page.setViewportSize({ width: 1023, height: 800 });
    await conversation.waitFor({ state: 'hidden' });
    expect(await content.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1024, height: 800 });
    await conversation.waitFor();
    expect(await content.isVisible()).toBe(true);
  });

  it('rule 4.9-24: a quote carries who said it and goes with one message; own words are written anew from there', async () => {
    const page = await at.visit(place());
    const { conversation, composer, say } = itemPage(page);
    const entry = (text: string) => conversation.getByRole('listitem').filter({ hasText: text });
    const quoted = conversation.locator('form').getByRole('blockquote');
    await entry(ANSWER).getByRole('button', { name: 'Quote' }).click();
    await quoted.getByText(ANSWER).waitFor();
    await expect.poll(() => focused(page)).toBe('Message');
    await conversation.getByRole('button', { name: 'Leave out the quote' }).click();
    await quoted.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Message');
    await entry(ANSWER).getByRole('button', { name: 'Quote' }).click();
    await composer.fill('Which one is small?');
    await page.reload();
    await quoted.getByText(ANSWER).waitFor();
    expect(await composer.inputValue()).toBe('Which one is small?');
    const [message] = await Promise.all([
      messageOf(page),
      page.keyboard.press('m').then(() => page.keyboard.press('Control+Enter')),
    ]);
    expect(message.postDataJSON()).toMatchObject({
      ...{ target: { kind: 'coordinator' }, text: 'Which one is small?' },
      quote: { from: 'coordinator', text: ANSWER },
    });
    await quoted.waitFor({ state: 'detached' });
    expect(await composer.inputValue()).toBe('');
    await entry('Which one is small?')
      .getByText('heard')
      .or(entry('Which one is small?').getByText('waits to be heard'))
      .waitFor();
    await composer.fill('Once more:');
    await entry('Which one is small?').getByRole('button', { name: 'Write it anew' }).click();
    expect(await composer.inputValue()).toBe('Once more:\n\nWhich one is small?');
    const [again] = await Promise.all([messageOf(page), say('Which one is large?')]);
    expect(again.postDataJSON()).not.toHaveProperty('quote');
    expect(again.postDataJSON()).not.toMatchObject({ clientMessageId: message.postDataJSON().clientMessageId });
  });

  it('rule 4.9-25: who is written to changes by choice alone; looking, going back and a reload keep it and the words', async () => {
    const page = await at.visit(place());
    const { conversation, composer } = itemPage(page);
    await composer.fill('Half a sentence');
    await conversation.getByRole('link', { name: 'Take aim' }).click();
    await page.getByText('Do aim.').waitFor();
    await whom(page, 'Coordinator').waitFor();
    await page.goBack();
    await page.goForward();
    await page.getByText('Do aim.').waitFor();
    await whom(page, 'Coordinator').waitFor();
    await page.getByRole('button', { name: 'Message this Action' }).click();
    await whom(page, 'Take aim').waitFor();
    await expect.poll(() => focused(page)).toBe('Message');
    await conversation.getByRole('link', { name: 'Hit it' }).click();
    await page.getByText('Do hit.').waitFor();
    await page.reload();
    await whom(page, 'Take aim').waitFor();
    expect(page.url()).toBe(place('/actions/hit'));
    await conversation.getByRole('button', { name: 'Write to the Coordinator instead' }).click();
    await whom(page, 'Coordinator').waitFor();
    await expect.poll(() => focused(page)).toBe('Message');
    expect(await composer.inputValue()).toBe('Half a sentence');
  });

  it('rule 4.9-27: a message to an Action that was begun anew is refused, kept with its file, and goes to the new one by choice', async () => {
    const page = await at.visit(place('/actions/aim'));
    const { conversation, composer, say } = itemPage(page);
    const send = conversation.getByRole('button', { name: 'Send', exact: true });
    const refused = conversation.getByRole('alert').filter({ hasText: 'Not sent' });
    await page.getByRole('button', { name: 'Message this Action' }).click();
    await conversation
      .locator('input[type=file]')
      .setInputFiles({ ...{ name: 'target.txt', mimeType: 'text/plain', buffer: Buffer.from('a circle') } });
    await conversation.getByRole('button', { name: 'Remove target.txt' }).waitFor();
    // The page hears nothing of what happens now.
    await page.route('**/api/v1/**', (route) => (route.request().method() === 'GET' ? undefined : route.continue()));
    const redirected = await fetch(`${api.url}/api/v1/work-items/talk/actions/aim/redirect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'redirect' },
      body: JSON.stringify({ generation: 1, guidance: 'Aim higher.' }),
    });
    expect(redirected.status, await redirected.text()).toBe(200);
    const [first] = await Promise.all([messageOf(page), say('Aim lower, please')]);
    await refused.waitFor();
    await page.unrouteAll();
    await page.reload();
    await refused.getByRole('button', { name: 'Take back and edit' }).click();
    await refused.waitFor({ state: 'detached' });
    expect(await composer.inputValue()).toBe('Aim lower, please');
    await conversation.getByRole('button', { name: 'Remove target.txt' }).waitFor();
    await conversation.getByRole('alert').getByText('Take aim was begun anew').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');
    await conversation.getByRole('button', { name: 'Write to Take aim as it is now' }).click();
    const [second] = await Promise.all([messageOf(page), send.click()]);
    const { attachments } = first.postDataJSON();
    expect(attachments).toHaveLength(1);
    expect(second.postDataJSON()).toMatchObject({
      ...{ text: 'Aim lower, please', attachments, target: { kind: 'action', actionId: 'aim', generation: 2 } },
    });
    await conversation.getByRole('button', { name: 'target.txt', exact: true }).waitFor();
    expect(await conversation.getByText('Aim lower, please').count()).toBe(1);
  });

  it('rule 4.9-28: reload and Back keep item and content; an answer that comes late opens nothing again', async () => {
    const page = await at.visit(`${api.url}/`);
    await page.getByRole('link', { name: /^Make it work/ }).click();
    await tab(page, 'Actions').click();
    await page
      .getByRole('link', { name: /^Hit it/ })
      .last()
      .click();
    await page.getByText('Do hit.').waitFor();
    await page.reload();
    await page.getByText('Do hit.').waitFor();
    for (const rest of ['/actions', '']) {
      await page.goBack();
      await page.waitForURL(place(rest));
    }
    await expect.poll(() => tab(page, 'Proof').getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor();

    const late = held();
    await page.route('**/api/v1/**/actions/hit', async (route) => {
      await late.pass();
      await route.continue();
    });
    await page.goto(place('/actions/hit'));
    await late.come;
    await tab(page, 'Contract').click();
    const answered = page.waitForResponse('**/api/v1/work-items/talk/actions/hit');
    late.release();
    await (await answered).finished();
    await frames(page);
    expect(page.url()).toBe(place('/contract'));
    expect(await tab(page, 'Contract').getAttribute('aria-selected')).toBe('true');
    // What no content is called shows what every item shows first.
    await page.goto(place('/action-list/action:hit'));
    await expect.poll(() => tab(page, 'Proof').getAttribute('aria-selected')).toBe('true');
  });

  it('what is written in one tab stays out of the others; a new tab goes on with what a closed one left', async () => {
    const goalOf = (page: Page) => page.getByRole('textbox', { name: 'Goal' });
    const written = async (page: Page) => [await itemPage(page).composer.inputValue(), await goalOf(page).inputValue()];
    const first = await at.visit(place('/contract/edit'));
    const goal = await goalOf(first).inputValue();
    await itemPage(first).composer.fill('First words');
    await goalOf(first).fill('First goal');
    const second = await at.beside(first, place('/contract/edit'));
    await goalOf(second).waitFor();
    expect(await written(second)).toEqual(['', goal]);
    await itemPage(second).composer.fill('Second words');
    await goalOf(second).fill('Second goal');
    await second.getByRole('button', { name: 'Discard' }).click();
    await goalOf(second).waitFor({ state: 'detached' });
    await first.reload();
    await goalOf(first).waitFor();
    expect(await written(first)).toEqual(['First words', 'First goal']);
    await first.close();
    const claims =
      'navigator.locks.query().then(({ held }) => held.filter(({ name }) => /contract/.test(name)).length)';
    await expect.poll(() => second.evaluate(claims)).toBe(0);
    const third = await at.beside(second, place('/contract/edit'));
    await expect.poll(() => written(third)).toEqual(['First words', 'First goal']);
    expect(await itemPage(second).composer.inputValue()).toBe('Second words');
  });

  it('earlier words come above those that are read, which stay in sight; so do own ones when they are sent', async () => {
    for (let n = 0; n < 60; n += 1) {
      const body = { target: { kind: 'coordinator' }, text: `Word ${n}`, clientMessageId: `word-${n}` };
      const headers = { 'content-type': 'application/json' };
      await fetch(`${api.url}/api/v1/work-items/talk/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
    }
    const page = await at.visit(place());
    const { conversation, say } = itemPage(page);
    const word = (n: number) => conversation.getByText(`Word ${n}`, { exact: true });
    const top = async (n: number) => Math.round((await word(n).boundingBox())?.y ?? Number.NaN);
    await word(59).waitFor();
    await word(10).scrollIntoViewIfNeeded();
    const older = conversation.getByRole('button', { name: 'Show earlier messages' });
    await older.scrollIntoViewIfNeeded();
    const before = await top(10);
    await older.click();
    await word(9).waitFor();
    await frames(page);
    expect(await top(10)).toBe(before);
    await say('Mine');
    await conversation.getByText('Mine', { exact: true }).waitFor();
    await expect
      .poll(() =>
        conversation.getByText('Mine', { exact: true }).evaluate((words) => {
          const { y } = words.getBoundingClientRect();
          return y > 0 && y < 900;
        }),
      )
      .toBe(true);
  });

  it('rule 4.9-28: on a phone Back leads from the content to the conversation, and to the words that were being read', async () => {
    const page = await at.visit(place(), { viewport: PHONE, hasTouch: true, isMobile: true });
    const { conversation } = itemPage(page);
    await conversation.getByRole('link', { name: 'Take aim' }).tap();
    await page.getByText('Do aim.').waitFor();
    expect(await conversation.isVisible()).toBe(false);
    await page.goBack();
    await conversation.waitFor();
    await expect.poll(() => focused(page)).toBe('/work/talk/actions/aim');
  });
});
