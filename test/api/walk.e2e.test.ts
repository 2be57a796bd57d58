import { expect, it } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { startScriptedModel } from '../../src/testing.ts';
import { agent, commission, complete, coordinator, create, decide, submit, write } from '../support/scripted-agent.ts';
import { readUntil, type Served, served } from './http.ts';

const CHECK = 'grep -qi hello hello.txt';

const script = {
  name: 'a greeting',
  steps: [
    coordinator(
      decide({ decisions: [{ kind: 'request_human', question: 'In which language?' }] }),
      decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
      decide({ decisions: [complete('It greets.')] }),
    ),
    agent(/Make a true/, write('hello.txt', 'Hello!\n'), submit('Wrote hello.txt.')),
  ],
};

/** Follows an item by its stream until an event of this type has come; answers where it stopped. */
async function follow(at: Served, path: string, type: string, after = '0'): Promise<string> {
  const stream = await at.get(`${path}/stream`, { 'last-event-id': after });
  const found = await readUntil(stream, (events) => events.some(({ data }) => data.includes(`"type":"${type}"`)));
  return found.at(-1)?.id ?? after;
}

it('carries a goal to its end over HTTP alone, as docs/api.md walks it', async () => {
  const model = await startScriptedModel(script);
  const env = { WORKCENTER_SCRIPTED_URL: model.openaiUrl, WORKCENTER_SCRIPTED_PROTOCOL: 'openai' };
  const at = await served({ env });
  await at.post(`/api/v1/work-items/${at.itemId}/stop`, {});
  const engine = openEngine(at.world);
  await engine.start();
  const read = async (path: string): Promise<unknown> => (await at.get(path)).json();
  try {
    const criteria = [{ text: 'hello.txt greets', check: CHECK }];
    const body = { goal: 'Write hello.txt that greets the reader', criteria, directory: at.rig.repo };
    const path = (await at.post('/api/v1/work-items', body)).headers.get('location') ?? '';
    const asked = await follow(at, path, 'RequestOpened');
    expect(await read(`${path}/requests`)).toMatchObject({ requests: [{ id: 'r1', question: 'In which language?' }] });
    const answer = { choice: 'text', text: 'In English.' };
    expect((await at.post(`${path}/requests/r1/resolution`, answer)).status).toBe(200);
    await follow(at, path, 'ItemCompleted', asked);
    expect(await read(path)).toMatchObject({
      ...{ status: 'done', result: { summary: 'It greets.' } },
      criteria: [{ id: 'c1', standing: 'passed', proof: 'machine' }],
    });
    expect(await read(`${path}/evidence`)).toMatchObject({
      criteria: [{ claim: { by: 'machine', receipt: { verdict: 'passed', command: CHECK } } }],
    });
    expect(await read(`${path}/calls`)).toHaveProperty('calls.length', 5);
    expect(model.unmatched).toEqual([]);
  } finally {
    await engine.stop();
    await model.close();
    expect(await at.close()).toBe(0);
  }
});
