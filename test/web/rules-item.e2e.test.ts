import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken } from '../../src/api/access/token-records.ts';
import type { Receipt, Settlement } from '../../src/core/index.ts';
import { actionSpec, claim, command, completed, create, dispatch, outcomeOf, settle, USER } from '../store/items.ts';
import { AGENT, agentItem, call, coordinated, responded, runFence } from '../store/talk-items.ts';
import { PHONE, visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { openStoredWork, type StoredWork } from './stored-work.ts';
import { trafficOf } from './traffic.ts';

const QUESTION = 'Which branch should the release go out from?';
const REASON = 'The registry refused the upload.';
const CHECK = { run: 'npm test', timeoutSec: 60, expectExit: 0, protect: [], network: 'none' as const };
const CRITERIA = [
  { id: 'c1', version: 1, text: 'It works.', minProof: 'machine' as const, check: CHECK },
  { id: 'c2', version: 1, text: 'It is readable.', minProof: 'self' as const },
];
const MARKUP = 'Done: <img src="x" onerror="window.ran = true"> <b>bold</b> [link](javascript:alert(1))';
const DOLLAR = 1_000_000;

const waits: Settlement = outcomeOf({ kind: 'waiting', question: QUESTION });
const fails: Settlement = outcomeOf({ kind: 'failed', code: 'upload_refused', error: REASON });
const SEEN = { criterionId: 'c1', status: 'passed' as const, evidence: 'I ran it.' };
const READ = { criterionId: 'c2', status: 'passed' as const, evidence: 'I read it.' };
/** Its first criterion has a check of the engine, its second one is the executor's to claim. */
const CHECKED = {
  contract: { criteria: CRITERIA },
  actions: [{ id: 'a1', spec: actionSpec('a1', { for: ['c1', 'c2'] }) }],
};
const said = (summary: string, claims = [SEEN, READ]): Settlement => ({
  ...{ kind: 'outcome', outcome: { ...completed(claims), summary }, changedPaths: [], receipts: [] },
});
const receiptOf = (hash: string): Receipt => ({
  ...{ criterionId: 'c1', criterionVersion: 1, verdict: 'wrong_exit', command: 'npm test', at: 'c'.repeat(40) },
  ...{ exitCode: 1, durationMs: 1_000, log: { hash, bytes: 30, tail: '' }, flags: [], changed: [], engine: 'test' },
});

/** Waits until the keyboard is there. */
const untilFocused = (place: Locator): Promise<void> => place.and(place.page().locator(':focus')).waitFor();

describe.skipIf(CHROMIUM === undefined)(`the page of one item keeps the rules of the outside${WITHOUT}`, () => {
  const at = visitor();
  let work: StoredWork;
  beforeAll(async () => {
    work = await openStoredWork();
  });
  afterAll(() => work.close());

  /** An item whose one Action was carried out to this end. */
  const ran = async (id: string, end: Settlement, shape: Parameters<typeof create>[1] = {}): Promise<void> =>
    work.does(create(id, shape), claim(id, `${id}-1`), dispatch(id, `${id}-1`), settle(id, `${id}-1`, end));
  const visit = async (path: string, how: Parameters<typeof at.visit>[1] = {}) => {
    const page = await at.visit(`${work.url}/healthz`, how);
    const traffic = trafficOf(page);
    await page.goto(work.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return { page, ...traffic, ...itemPage(page) };
  };
  const content = (page: Page) => page.getByRole('region', { name: 'Content' });

  it('rule 4.9-29: an Action that waits or has failed says what it needs and leads to where that is answered', async () => {
    await ran('asks', waits);
    const { page, request } = await visit('/work/asks/actions/a1');
    await content(page).getByText(QUESTION).first().waitFor();
    await content(page).getByRole('button', { name: 'Answer it' }).click();
    const answer = request(QUESTION).getByRole('textbox');
    await untilFocused(answer);

    await ran('fails', fails);
    await page.goto(`${work.url}/work/fails/actions/a1`);
    await content(page).getByText(REASON).first().waitFor();
    await content(page).getByRole('button', { name: 'Answer it' }).click();
    // On the card, so that it is read: on an answer, the key held down would give it.
    const retry = page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Try once more' }) });
    await untilFocused(retry);
  });

  it('rule 4.9-29: work that has ended hints at nothing and takes no message', async () => {
    await ran('ended', fails);
    await work.does(command('ended', { type: 'StopItem', reason: '' }, { principal: USER }));
    const { page, changes, composer } = await visit('/work/ended/actions/a1');
    await content(page).getByText(REASON).first().waitFor();
    await content(page).getByText('Nothing can be changed here now.').waitFor();
    expect(await content(page).getByRole('button', { name: 'Answer it' }).count()).toBe(0);
    expect(await composer.count()).toBe(0);
    await page.keyboard.press('m');
    await page.keyboard.type('Hello?');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Take up again' }).waitFor();
    expect(changes()).toEqual([]);
  });

  it('rule 4.9-30: to resume sends the version that was seen; to stop is small, asks first, and sends its reason alone', async () => {
    await work.does(create('held'), command('held', { type: 'HoldItem', code: 'engine_trouble', details: 'No disk.' }));
    const { controlVersion } = await work.state('held');
    const { page, changes } = await visit('/work/held');
    const head = page.getByRole('banner').or(page.locator('header')).first();
    await head.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(async () => (await work.state('held')).hold).toBeUndefined();
    const stop = page.getByRole('button', { name: 'Stop…' });
    expect((await stop.boundingBox())?.height).toBeLessThanOrEqual(36);
    await stop.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Not wanted any more.');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus is where it was, and the words are kept.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Stop…');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Why? (may be empty)').inputValue()).toBe('Not wanted any more.');
    await page.getByRole('button', { name: 'Stop and keep workspaces' }).click();
    await page.getByRole('button', { name: 'Take up again' }).waitFor();
    const item = '/api/v1/work-items/held';
    expect(changes()).toEqual([
      { method: 'POST', path: `${item}/resume`, body: { controlVersion } },
      { method: 'POST', path: `${item}/stop`, body: { reason: 'Not wanted any more.' } },
    ]);
  });

  it('rule 4.9-31: looking at Actions asks for no model request and no stored bytes; those come with the Run that is opened', async () => {
    const fence = runFence('looks-1');
    const asks = call('looks', fence, 'call-1');
    const { hash } = await work.store.putContent(JSON.stringify({ parts: [{ kind: 'text', text: 'I looked.' }] }));
    await work.does(agentItem('looks', { actions: [{ id: 'a1', spec: AGENT }] }));
    await work.does(claim('looks', 'looks-1'), dispatch('looks', 'looks-1'), asks.prepare, asks.dispatch);
    await work.does(asks.settle({ ...responded(), responseHash: hash } as ReturnType<typeof responded>));
    const { page, asked } = await visit('/work/looks/actions');
    await content(page)
      .getByRole('link', { name: /^a1 working/ })
      .click();
    await page.getByRole('heading', { name: 'a1', exact: true }).waitFor();
    await page.getByText('Run 1').first().waitFor();
    const deep = (): readonly string[] =>
      asked.map(({ path }) => path).filter((path) => /\/(calls|contents|runs\/)/.test(path));
    expect(deep()).toEqual([]);
    expect(await content(page).getByRole('tab').allTextContents()).toEqual([
      ...['Proof ', 'Actions 1', 'Diff ', 'Contract ', 'Events '],
    ]);
    await content(page)
      .getByRole('link', { name: /^Run 1/ })
      .click();
    await page.getByText('I looked.').waitFor();
    expect(deep()).not.toEqual([]);
  });

  it('rule 4.9-34: what an executor says proves nothing that has a check; before anything is known the criteria stand plain', async () => {
    await ran('claims', said('It works.'), CHECKED);
    const page = await at.visit(`${work.url}/healthz`);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/evidence', async (route) => {
      await gate;
      await route.continue();
    });
    await page.goto(`${work.url}/work/claims`);
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await row('It works.').getByText('missing').waitFor();
    expect(await row('It is readable.').getByText('I read it.').count()).toBe(0);
    release();
    await row('It is readable.').getByText('I read it.').waitFor();
    expect(await row('It works.').getByText('missing').count()).toBe(1);
    expect(await row('It works.').getByText('proven', { exact: true }).count()).toBe(0);
  });

  it('rule 4.9-34: a result is text, whatever it looks like, and folds open by keyboard', async () => {
    const { hash } = await work.store.putContent('a line of the log\n');
    const contract = { delivery: { target: 'response' as const } };
    await ran('answers', said(MARKUP, [SEEN]), { contract });
    const { page } = await visit('/work/answers');
    await page.getByText(MARKUP).first().waitFor();
    expect((await work.state('answers')).lifecycle).toBe('done');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('main b, main img, main a[href^="javascript:"]').count()).toBe(0);

    const shown = { ...said('It works.'), receipts: [receiptOf(hash)] } as Settlement;
    await ran('folds', shown, CHECKED);
    await page.goto(`${work.url}/work/folds/actions/a1/runs/folds-1`);
    const fold = page.getByRole('button', { name: 'Show the log' });
    await fold.focus();
    await page.keyboard.press('Enter');
    await page.getByText('a line of the log').waitFor();
    const open = page.getByRole('button', { name: 'Hide the log' });
    expect(await open.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Space');
    await page.getByText('a line of the log').waitFor({ state: 'detached' });
  });

  /** Work that has spent half a dollar more than its dollar. */
  async function spent(id: string): Promise<void> {
    const actions = ['a1', 'a2'].map((name) => ({ id: name, spec: { ...AGENT, name } }));
    const asks = call(id, runFence(`${id}-1`), `${id}-c1`);
    await work.does(agentItem(id, { actions }, { costMicros: DOLLAR }), claim(id, `${id}-1`), dispatch(id, `${id}-1`));
    await work.does(asks.prepare, asks.dispatch, asks.settle(responded(10, 1.5 * DOLLAR)));
  }

  it('rule 4.9-35: what is added to a budget goes as it was said; too little resumes nothing, no number is refused', async () => {
    await spent('spent');
    const { page, changes } = await visit('/work/spent');
    const amount = page.getByRole('spinbutton', { name: 'Amount' });
    for (const no of ['1e300', '0', '-1', '']) {
      await amount.fill(no);
      expect(await page.getByRole('button', { name: /^Add/ }).isDisabled(), no).toBe(true);
    }
    await amount.fill('0.1');
    await page.getByRole('button', { name: /\$0\.10 and resume$/ }).click();
    await page.getByText('more is needed before the work can go on').waitFor();
    expect((await work.state('spent')).hold?.code).toBe('money_exhausted');
    const { controlVersion } = await work.state('spent');
    await amount.fill('5');
    await page.getByRole('button', { name: /\$5\.00 and resume$/ }).click();
    await expect.poll(async () => (await work.state('spent')).hold).toBeUndefined();
    const item = '/api/v1/work-items/spent';
    expect(changes()).toEqual([
      { method: 'POST', path: `${item}/extend`, body: { controlVersion: controlVersion - 1, costMicros: 100_000 } },
      { method: 'POST', path: `${item}/extend`, body: { controlVersion, costMicros: 5 * DOLLAR } },
      { method: 'POST', path: `${item}/resume`, body: { controlVersion: controlVersion + 1 } },
    ]);
  });

  it('rule 4.9-35: a budget that somebody else changed meanwhile is read again, and nothing is added until it is said anew', async () => {
    await spent('raced');
    const { page, changes } = await visit('/work/raced');
    const add = page.getByRole('button', { name: /\$5\.00 and resume$/ });
    await add.waitFor();
    // The page hears nothing of it.
    await page.route('**/api/v1/**', (route) => (route.request().method() === 'GET' ? undefined : route.continue()));
    const { controlVersion } = await work.state('raced');
    const body = { type: 'ExtendBudget', controlVersion, costMicros: 100_000 } as const;
    await work.does(command('raced', body, { principal: USER }));
    await add.click();
    await page.getByRole('alert').getByText('Hold or budget changed since you read it.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    expect((await work.state('raced')).limits.costMicros).toBe(1.1 * DOLLAR);
    expect(changes()).toHaveLength(1);
    await add.click();
    await expect.poll(async () => (await work.state('raced')).hold).toBeUndefined();
    expect((await work.state('raced')).limits.costMicros).toBe(6.1 * DOLLAR);
  });

  it('rule 4.9-37: "message this Action" aims at the generation that is seen, keeps what is written, and gives way to it', async () => {
    await ran('aimed', fails);
    await work.does(command('aimed', { type: 'RetryAction', actionId: 'a1', generation: 1 }, { principal: USER }));
    const phone = { viewport: PHONE, hasTouch: true, isMobile: true };
    const { page, changes, conversation, composer } = await visit('/work/aimed/actions/a1', phone);
    await content(page).getByRole('button', { name: 'Message this Action' }).tap();
    await composer.fill('Half a sentence');
    await page.getByRole('tab', { name: 'Content' }).tap();
    await content(page).getByRole('button', { name: 'Message this Action' }).tap();
    await untilFocused(composer);
    expect(await composer.inputValue()).toBe('Half a sentence');
    expect(await content(page).isVisible()).toBe(false);
    await conversation.getByRole('button', { name: 'Send', exact: true }).tap();
    await expect
      .poll(() => changes())
      .toMatchObject([
        { body: { target: { kind: 'action', actionId: 'a1', generation: 2 }, text: 'Half a sentence' } },
      ]);
  });

  it('rule 4.9-37: where an Action can hear nothing, that is said, and the button is shut', async () => {
    await work.does(create('deaf', { actions: [{ id: 'a1', spec: actionSpec('a1') }] }));
    await work.does(claim('deaf', 'deaf-1'), dispatch('deaf', 'deaf-1'));
    const { page } = await visit('/work/deaf/actions/a1');
    const button = content(page).getByRole('button', { name: 'Message this Action' });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await button.getAttribute('title')).toBe('A running command hears nothing.');
  });

  it('rule 4.9-38: who leaves and comes back finds what was written and looked at; what others do makes it read nothing anew', async () => {
    await work.does(coordinated('here'), create('there', { start: false }));
    const { page, asked, untilQuiet, composer, content: look } = await visit('/work/here');
    await composer.fill('Not finished');
    await look('Contract');
    await page.getByRole('link', { name: 'Board' }).click();
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL('**/work/here/contract');
    expect(await composer.inputValue()).toBe('Not finished');
    await page.getByRole('tab', { name: 'Contract', selected: true }).waitFor();
    await untilQuiet();
    const before = asked.length;
    await work.does(command('there', { type: 'StartItem' }, { principal: USER }));
    const since = () => asked.slice(before).map(({ path }) => path);
    // What is counted over all work is, and by that time all has been told.
    await expect.poll(since, { timeout: 10_000 }).not.toEqual([]);
    await untilQuiet();
    expect(since().filter((path) => path.startsWith('/api/v1/work-items/here'))).toEqual([]);
  });

  it('rule 4.9-38: a server that lets nobody in without a token says how to get one, and then shows what was asked for', async () => {
    await work.does(create('behind'));
    const shut = await work.serve({ requireToken: true });
    const page = await at.visit(`${shut.url}/work/behind/contract`);
    await page.getByText('workcenter token add browser --scope operate').waitFor();
    const wish = { name: 'browser', scopes: ['operate' as const], authority: 'user' as const, expiresAt: null };
    const { minted } = await addToken(work.store, wish, Date.now());
    await page.locator('input[name=token]').fill(minted.token);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Contract', selected: true }).waitFor();
    expect(page.url()).toBe(`${shut.url}/work/behind/contract`);
    await page.close();
    await shut.close();
  });
});
