import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../src/testing.ts';
import { decide } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { untilPerson } from './story.ts';

const proposes: ScriptedStep = {
  name: 'proposes',
  when: { tools: ['decide'], conversation: /Grow a tree/ },
  reply: ({ messages }) =>
    /Call it an oak/.test(JSON.stringify(messages))
      ? decide({ reply: 'As you say.', decisions: [{ kind: 'propose_contract', goal: 'Grow an oak' }] })
      : decide({ decisions: [{ kind: 'request_human', question: 'Which tree?' }] }),
};

describe.skipIf(CHROMIUM === undefined)(`what has moved on meanwhile${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  beforeAll(async () => {
    world = await openPageWorld({ steps: [proposes] });
  });
  afterAll(() => world.close());

  it('a change of the contract that was asked for in words is shown before it is confirmed, and holds after', async () => {
    const { id } = await world.submit({ goal: 'Grow a tree' });
    await untilPerson(world, id);
    const page = await at.visit(`${world.url}/work/${id}`);
    const item = itemPage(page);
    await item.request('Which tree?').getByRole('textbox').fill('Call it an oak');
    await item.request('Which tree?').getByRole('button', { name: 'Answer', exact: true }).click();
    const proposal = item.request('proposes to change the contract');
    await proposal.getByText('oak').first().waitFor();
    await proposal.getByRole('button', { name: 'Make this the contract' }).click();
    await until('the contract has changed', async () => (await world.state(id)).contract.goal === 'Grow an oak');
    const first = item.conversation.locator('p[dir]').first();
    const change = item.conversation.getByRole('listitem').filter({ hasText: 'The contract was changed' });
    await change.getByText('Grow an oak', { exact: true }).waitFor();
    await expect.poll(() => first.textContent()).toBe('Grow a tree');
    await item.content('Contract');
    await page.getByText('Grow an oak').first().waitFor();
  });
});
