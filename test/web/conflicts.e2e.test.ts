import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../src/testing.ts';
import { held } from '../support/held.ts';
import { agent, commission, create, decide, submit } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { untilPerson } from './story.ts';

const gate = held();

const proposes: ScriptedStep = {
  name: 'proposes',
  when: { tools: ['decide'], conversation: /Grow a tree/ },
  reply: ({ messages }) =>
    /Call it an oak/.test(JSON.stringify(messages))
      ? decide({ reply: 'As you say.', decisions: [{ kind: 'propose_contract', goal: 'Grow an oak' }] })
      : decide({ decisions: [{ kind: 'request_human', question: 'Which tree?' }] }),
};
const commissions: ScriptedStep = {
  name: 'commissions',
  when: { tools: ['decide'], conversation: /Aim well/ },
  reply: decide({ decisions: [create(commission('aim', { name: 'Take aim', for: ['c1'] }))] }),
};
const works = agent(/Make aim true/, submit());
const slow: ScriptedStep = {
  ...works,
  reply: async () => {
    await gate.pass();
    return submit();
  },
};

describe.skipIf(CHROMIUM === undefined)(`what has moved on meanwhile${WITHOUT}`, () => {
  const at = visitor();
  let world: PageWorld;
  beforeAll(async () => {
    world = await openPageWorld({ steps: [proposes, commissions, slow] });
  });
  afterAll(() => {
    gate.release();
    return world.close();
  });

  it('a message to an Action that was begun anew is refused with the reason, and its words are kept', async () => {
    const { id } = await world.submit({ goal: 'Aim well' });
    await until('the agent works', gate.hasCome);
    const page = await at.visit(`${world.url}/work/${id}/actions/aim`);
    const { conversation, say } = itemPage(page);
    await page.getByRole('button', { name: 'Message this Action' }).click();
    await conversation.getByText('To: Take aim').waitFor();
    const body = JSON.stringify({ generation: 1, guidance: 'Aim higher.' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'redirect' };
    const redirected = await fetch(`${world.url}/api/v1/work-items/${id}/actions/aim/redirect`, {
      method: 'POST',
      headers,
      body,
    });
    expect(redirected.status, await redirected.text()).toBeLessThan(300);
    await until('it is another generation', async () => (await world.state(id)).actions[0]?.generation === 2);
    await say('Aim lower, please');
    await conversation
      .getByRole('alert')
      .getByText(/Not sent/)
      .waitFor();
    await conversation.getByText('Aim lower, please').waitFor();
    await page.reload();
    await conversation
      .getByRole('alert')
      .getByText(/Not sent/)
      .waitFor();
    await conversation.getByRole('button', { name: 'Discard' }).click();
    await conversation.getByText('Aim lower, please').waitFor({ state: 'detached' });
  });

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
    await item.content('Contract');
    await page.getByText('Grow an oak').first().waitFor();
  });
});
