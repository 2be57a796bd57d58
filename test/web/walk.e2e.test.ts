import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { held } from '../support/held.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { FILES, greetingSteps, SETTINGS, TAG } from './story.ts';

describe.skipIf(CHROMIUM === undefined)(`a person carries work from its goal to its proof${WITHOUT}`, () => {
  const at = visitor();
  const work = held();
  const end = held();
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld({
      files: FILES,
      steps: greetingSteps({ atWork: work.pass, atEnd: end.pass }),
      settings: SETTINGS,
    });
  });
  afterAll(() => world.close());

  const idOf = (): string => /\/work\/([^/]+)/.exec(page.url())?.[1] ?? '';

  it('create, watch, answer, approve, comment on a line, done', async () => {
    page = await at.visit(`${world.url}/`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('Greet people with a comma');
    await page.getByRole('combobox', { name: 'Directory' }).fill(world.rig.repo);
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Criterion c1' }).fill('A greeting has a comma');
    await page.getByRole('textbox', { name: 'Check of c1' }).fill('sh test/greet.sh');
    await page.getByRole('button', { name: /Run this check/ }).click();
    await page.getByText('exit 1').first().waitFor();
    await page.getByRole('button', { name: 'Add a criterion' }).click();
    await page.getByRole('textbox', { name: 'Criterion c2' }).fill('Nothing but the greeting has changed');
    await page.getByRole('button', { name: 'Start work' }).click();
    await page.waitForURL(/\/work\/w/);

    const item = itemPage(page);
    await item.request('full stop?').getByRole('button', { name: 'No', exact: true }).click();
    await item.request('full stop?').waitFor({ state: 'detached' });

    await until('the agent works', work.hasCome, 15_000);
    await item.content('Actions');
    await page.getByRole('link', { name: 'Put in the comma' }).first().click();
    await page.getByText('Make greeting true').first().waitFor();
    work.release();

    const approval = item.request(TAG);
    await approval
      .getByRole('button', { name: /^(Approve|Allow)/ })
      .first()
      .click();
    await approval.waitFor({ state: 'detached' });

    await until('the Coordinator looks at the result', end.hasCome);
    await item.content('Diff');
    await page.getByText("'Hello, '").first().hover();
    await page.getByRole('button', { name: 'Comment on line 1', exact: true }).first().click();
    await page.getByRole('textbox', { name: /^About src\/greet.js:1/ }).fill('Is a comma right in every language?');
    await page.getByRole('radio', { name: /Coordinator/ }).check();
    await page.route('**/messages', (route) =>
      route.fulfill({ status: 409, json: { code: 'generation_stale', detail: 'It has moved on.' } }),
    );
    await page.getByRole('button', { name: 'Send comment' }).click();
    const refused = page.getByRole('region', { name: 'Content' }).getByRole('alert').filter({ hasText: 'Not sent.' });
    await refused.getByRole('button', { name: 'Take back and edit' }).click();
    await page.unroute('**/messages');
    await page.getByRole('radio', { name: /Coordinator/ }).check();
    await page.getByRole('button', { name: 'Send comment' }).click();
    await item.conversation.getByText('Is a comma right in every language?').waitFor();
    await item.conversation
      .getByText(/greet\.js:1/)
      .first()
      .waitFor();
    end.release();
    await item.content('Proof');

    await page.getByText('Greetings have a comma.').first().waitFor();
    await until('the work is done', async () => (await world.state(idOf())).lifecycle === 'done');

    await page.getByText(`git merge workcenter/${idOf()}`).waitFor();
    await page.getByRole('link', { name: 'Read the diff' }).click();
    await page.getByText("'Hello, '").first().hover();
    await page.getByRole('button', { name: 'Comment on line 1', exact: true }).first().click();
    await page.getByRole('textbox', { name: /^About src\/greet.js:1/ }).fill('Now greet in French, too.');
    await page.getByRole('link', { name: 'Start work with this comment' }).click();
    expect(await page.getByRole('textbox', { name: 'Goal' }).inputValue()).toMatch(
      /^Now greet in French, too\.\n\nsrc\/greet\.js:1/,
    );
  });
});
