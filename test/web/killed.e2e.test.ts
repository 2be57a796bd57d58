import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../../src/testing.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { held } from '../support/held.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { commission, complete, create, decide, submit, turnsOf, write } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { builtPage } from './built-page.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';
import { itemPage } from './item-page.ts';
import type { PageOrder } from './page-process.ts';

const SCRIPT = await compiledScript(new URL('./page-process.ts', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(CHROMIUM === undefined)(`a server that is killed during a Run${WITHOUT}`, () => {
  const at = visitor();
  const gate = held();
  let rig: Rig;
  let model: ScriptedModel;
  let order: PageOrder;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
    server = child;
    let said = '';
    child.stdout.on('data', (text) => (said += String(text)));
    await until('the server is up', () => said.includes('up'));
  }

  const kill = async (): Promise<void> => {
    const gone = server && server.exitCode === null ? once(server, 'exit') : undefined;
    server?.kill('SIGKILL');
    await gone;
  };

  beforeAll(async () => {
    const [page, port] = await Promise.all([builtPage(), freePort()]);
    rig = await openRig({ 'README.md': 'A project.\n' });
    model = await startScriptedModel({
      name: 'killed',
      steps: [
        {
          name: 'coordinator',
          when: { tools: ['decide'] },
          reply: ({ messages }) => {
            const said = JSON.stringify(messages);
            if (!said.includes('Write the smallest change'))
              return decide({ decisions: [create(commission('a', { name: 'Write a', for: ['c1'] }))] });
            if (said.includes(String.raw`\"standing\":\"passed\"`))
              return decide({ decisions: [complete('a is there.')] });
            return decide({ reply: 'I am.', decisions: [{ kind: 'answer' }] });
          },
        },
        {
          name: 'agent',
          when: { tools: ['submit_outcome'] },
          reply: async ({ messages }) => {
            if (turnsOf(messages) === 0) return write('a.txt', 'a\n');
            await gate.pass();
            return submit('Wrote a.', { claims: [{ criterion: 'c1', status: 'passed', evidence: 'I wrote it.' }] });
          },
        },
      ],
    });
    order = { root: rig.root, port, page, env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl } };
    await start();
  });
  afterAll(async () => {
    await kill();
    await model.close();
    await rig.close();
  });

  it('is missed, comes back, and the page goes on by itself with nothing lost', async () => {
    const url = `http://127.0.0.1:${order.port}`;
    const body = JSON.stringify({ goal: 'Write a', directory: rig.repo, criteria: [{ text: 'a is there' }] });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
    const made = await fetch(`${url}/api/v1/work-items`, { method: 'POST', headers, body });
    const { id } = (await made.json()) as { id: string };
    const page = await at.visit(`${url}/work/${id}`);
    const { banner, composer, say, conversation, request, content } = itemPage(page);
    await until('the Run is under way', gate.hasCome);
    await page.getByText('Write a', { exact: true }).first().waitFor();
    await composer.waitFor();
    await content('Events');
    await page.getByText('LIVE', { exact: true }).waitFor();
    await kill();
    await banner.getByText('No connection to the server').waitFor();
    // Whatever happens there, nothing moves here.
    await page.getByText('NOT LIVE', { exact: true }).waitFor();
    await content('Proof');
    await say('Are you still there?');
    await conversation.getByText('will be sent when the server is back').waitFor();
    gate.release();
    await start();
    await banner.waitFor({ state: 'detached' });
    // What the model was asked as the server died may have been answered: a person decides.
    await request('What now?').getByRole('button', { name: 'Try once more' }).click({ timeout: 30_000 });
    await page.getByText('a is there.').first().waitFor({ timeout: 20_000 });
    expect(await conversation.getByText('Are you still there?').count()).toBe(1);
    const item = (await (await fetch(`${url}/api/v1/work-items/${id}`)).json()) as { status: string };
    expect(item.status).toBe('done');
  });
});
