import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Command, Receipt } from '../../src/core/index.ts';
import { actionSpec, claim, completed, create, dispatch, OWNER, outcomeOf, settle } from '../store/items.ts';
import { AGENT, agentItem, talkTurn } from '../store/talk-items.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

async function does(...commands: readonly Command[]): Promise<void> {
  for (const each of commands) {
    const said = await at.store.execute(each);
    if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
  }
}

const read = async (path: string): Promise<unknown> => (await at.get(`/api/v1/work-items/${path}`)).json();

const RECEIPT: Receipt = {
  criterionId: 'c1',
  criterionVersion: 1,
  verdict: 'passed',
  command: 'npm test',
  at: 'c'.repeat(40),
  exitCode: 0,
  durationMs: 12,
  base: { verdict: 'wrong_exit', exitCode: 1, tail: 'no' },
  log: { hash: 'd'.repeat(64), bytes: 3, tail: 'ok\n' },
  flags: ['red_to_green'],
  changed: [],
  engine: 'test',
};

const CHECKED = {
  criteria: [
    {
      id: 'c1',
      version: 1,
      text: 'It works.',
      minProof: 'machine' as const,
      check: { run: 'npm test', timeoutSec: 60, expectExit: 0, protect: [], network: 'loopback' as const },
    },
  ],
};

describe('Actions and Runs', () => {
  const two = ['a1', 'a2'].map((id) => ({ id, spec: actionSpec(id, { env: { TOKEN: 'not for everybody' } }) }));

  it('lists Actions page by page, and each once', async () => {
    await does(create('w1', { actions: two }));
    const first = (await read('w1/actions?limit=1')) as { readonly nextCursor: string };
    expect(first).toMatchObject({ actions: [{ id: 'a1', status: 'ready', messages: 0 }], total: 2 });
    const rest = await read(`w1/actions?limit=1&cursor=${first.nextCursor}`);
    expect(rest).toMatchObject({ actions: [{ id: 'a2', executor: { kind: 'command', who: 'true', model: null } }] });
    expect(rest).not.toHaveProperty('nextCursor');
  });

  it('tells what an Action is to do, what came of it and what may be done now, and keeps its environment', async () => {
    const done = { ...outcomeOf(completed()), changedPaths: Array.from({ length: 300 }, (_, n) => `f${n}`) };
    await does(
      create('w1', { actions: two }),
      claim('w1', 'run-1'),
      dispatch('w1', 'run-1'),
      settle('w1', 'run-1', done),
    );
    const action = await read('w1/actions/a1');
    expect(action).toMatchObject({
      ...{ brief: { objective: 'Do a1.', approach: null }, status: 'completed', for: ['c1'], merge: { kind: 'none' } },
      result: { runId: 'run-1', summary: 'It works.', commit: 'c'.repeat(40), changed: 300 },
      can: { retry: { allowed: true }, redirect: { allowed: false, reason: 'It is completed.' } },
    });
    expect(action).toHaveProperty('result.changedPaths.length', 200);
    for (const shown of [action, await read('w1/events')]) {
      expect(JSON.stringify(shown)).not.toContain('not for everybody');
    }
    expect(await read('w1/events')).toMatchObject({
      events: [{ body: { actions: [{ spec: { env: { TOKEN: '[redacted]' } } }, {}] } }, {}, {}, {}, {}],
    });
    expect(await read('w1/actions/a9')).toMatchObject({ code: 'action_not_found', status: 404 });
  });

  it('hides in an error what looks like a secret and where things are on the machine (chapter 4 §3.13)', async () => {
    const error = 'ENOENT /home/ada/.ssh/id_ed25519, /projects/example/src/a.ts: password=hunter2hunter2';
    await does(create('w1', { actions: two }), claim('w1', 'run-1'), dispatch('w1', 'run-1'));
    await does(settle('w1', 'run-1', { kind: 'interrupted', code: 'engine_stopped', error }));
    const shown = 'ENOENT [path]/id_ed25519, src/a.ts: password=[redacted]';
    expect(await read('w1/actions/a1/runs')).toMatchObject({ runs: [{ error: shown }] });
    expect(await read('w1/actions/a1/runs/run-1')).toMatchObject({ error: shown });
    expect(await read('w1/actions/a1')).toMatchObject({ lastRun: { error: shown } });
  });

  it('tells of a Run what the agent was made of, what was enforced, and its receipts', async () => {
    const agent = {
      ...{ vp: 'implementer', vpHash: '1', model: 'scripted/one', tools: ['read'], policyHash: '2' },
      ...{ systemHash: '3', contextHash: '4', omitted: ['memory'], contractVersion: 1 },
    };
    const sent = dispatch('w1', 'run-1');
    await does(
      agentItem('w1', { contract: CHECKED, actions: [{ id: 'a1', spec: AGENT }] }),
      claim('w1', 'run-1'),
      { ...sent, body: { ...sent.body, agent } as Command['body'] },
      settle('w1', 'run-1', { ...outcomeOf(completed([])), receipts: [RECEIPT] } as ReturnType<typeof outcomeOf>),
    );
    const list = await read('w1/actions/a1/runs');
    expect(list).toMatchObject({ runs: [{ id: 'run-1', status: 'completed', summary: 'It works.' }] });
    expect(list).not.toHaveProperty('runs.0.receipts');
    expect(await read('w1/actions/a1/runs/run-1')).toMatchObject({
      ...{ id: 'run-1', owner: OWNER, agent, enforcement: { sandbox: 'none' } },
      receipts: [{ command: 'npm test', verdict: 'passed', diffHash: null, base: { verdict: 'wrong_exit' } }],
    });
    expect(await read('w1/actions/a1/runs/run-9')).toMatchObject({ code: 'run_not_found', status: 404 });
    expect(await read('w1/actions/a9/runs')).toMatchObject({ code: 'action_not_found' });
    expect(await read('w1/actions/a9/runs/run-1')).toMatchObject({ code: 'action_not_found' });
  });
});

describe('records', () => {
  it('tells of a model request its five kinds of tokens, its cost and the hashes of its bytes', async () => {
    await does(...talkTurn('w1', 't1'));
    expect(await read('w1/calls')).toMatchObject({
      calls: [
        {
          ...{
            owner: { kind: 'turn', id: 't1', actionId: null },
            model: 'scripted/one',
            status: 'responded',
            tries: 1,
          },
          tokens: { input: 500, output: 200, cacheRead: 10, cacheWrite: 20, reasoning: 30 },
          estimate: { tokens: 1_000, costMicros: 5_000 },
          charged: { tokens: 700, costMicros: 2_500 },
          ...{ requestHash: 'a'.repeat(64), responseHash: 'b'.repeat(64) },
        },
      ],
    });
    expect(await read('w1/calls?owner=t2')).toEqual({ calls: [] });
    expect(await read('nobody/calls')).toMatchObject({ code: 'item_not_found' });
  });

  it('G13: shows for each criterion the claim that decided', async () => {
    await does(create('w1'), claim('w1', 'run-1'), dispatch('w1', 'run-1'));
    const unmet = { id: 'c1', standing: 'unmet', proof: null, claim: null };
    expect(await read('w1/evidence')).toMatchObject({ criteria: [unmet] });
    await does(settle('w1', 'run-1'));
    expect(await read('w1/evidence')).toMatchObject({
      criteria: [
        {
          ...{ id: 'c1', standing: 'passed', proof: 'self' },
          claim: { by: 'executor', actionId: 'a1', runId: 'run-1', evidence: 'seen', receipt: null },
        },
      ],
    });
  });

  it('has a person say what became of an effect, once (OPS-7)', async () => {
    const spec = actionSpec('a1', { effects: 'external' });
    const died = { kind: 'interrupted', code: 'engine_stopped', error: 'It stopped.' } as const;
    await does(create('w1', { actions: [{ id: 'a1', spec }] }), claim('w1', 'run-1'), dispatch('w1', 'run-1'));
    await does(settle('w1', 'run-1', died));
    const { operations } = (await read('w1/operations')) as { operations: readonly { id: string }[] };
    expect(operations).toMatchObject([{ actionId: 'a1', runId: 'run-1', effect: 'unknown', tool: null }]);
    const path = `/api/v1/work-items/w1/operations/${operations[0]?.id}/resolution`;
    expect((await at.post(path, { effect: 'perhaps' })).status).toBe(400);
    expect((await at.post(path, { effect: 'applied', reason: 'It is there.' })).status).toBe(200);
    expect(await read('w1/operations')).toMatchObject({ operations: [{ effect: 'applied' }] });
    expect(await (await at.post(path, { effect: 'not_applied' })).json()).toMatchObject({ code: 'wrong_state' });
    const gone = await at.post('/api/v1/work-items/w1/operations/nothing/resolution', { effect: 'applied' });
    expect(await gone.json()).toMatchObject({ code: 'operation_not_found', status: 404 });
  });
});
