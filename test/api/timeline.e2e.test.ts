import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../src/core/index.ts';
import { actionSpec, claim, create, dispatch, settle } from '../store/items.ts';
import { AGENT, agentItem, call, runFence, talkTurn } from '../store/talk-items.ts';
import { type Served, served } from './http.ts';

interface Page {
  readonly spans: readonly { readonly kind: string; readonly id: string; readonly endedAt: number | null }[];
  readonly nextCursor?: string;
}

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

const read = async (query = ''): Promise<Page> =>
  (await at.get(`/api/v1/work-items/w1/timeline${query}`)).json() as Promise<Page>;

async function all(limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let page = await read(`?limit=${limit}`);
  for (;;) {
    ids.push(...page.spans.map(({ id }) => id));
    if (page.nextCursor === undefined) return ids;
    page = await read(`?limit=${limit}&cursor=${page.nextCursor}`);
  }
}

describe('what ran when', () => {
  it('tells of a turn by its model requests', async () => {
    await does(...talkTurn('w1', 't1'));
    expect(await read()).toMatchObject({ spans: [{ kind: 'turn', id: 't1', actionId: null, status: 'responded' }] });
    expect(await read()).not.toHaveProperty('nextCursor');
  });

  it('reaches every Run once, however small the pages, and leaves out the requests of Runs', async () => {
    const actions = ['a1', 'a2', 'a3'].map((id) => ({ id, spec: actionSpec(id) }));
    await does(create('w1', { actions }));
    for (const n of [1, 2, 3]) {
      await does(claim('w1', `run-${n}`, { actionId: `a${n}` }), dispatch('w1', `run-${n}`), settle('w1', `run-${n}`));
    }
    for (const limit of [1, 2, 3, 10]) expect(await all(limit)).toEqual(['run-3', 'run-2', 'run-1']);
  });

  it('shows none of what a Run asks its model, and that the Run goes on', async () => {
    await does(
      agentItem('w1', { actions: [{ id: 'a1', spec: AGENT }] }),
      claim('w1', 'run-1'),
      dispatch('w1', 'run-1'),
    );
    await does(call('w1', runFence('run-1'), 'call-1').prepare);
    expect(await read()).toMatchObject({
      spans: [{ kind: 'run', id: 'run-1', actionId: 'a1', endedAt: null, status: 'running' }],
      actions: [{ id: 'a1', kind: 'agent', dependsOn: [], workspace: AGENT.workspace, merge: 'none' }],
    });
    expect((await read()).spans).toHaveLength(1);
  });

  it('names on the list who carries out live Runs, each once, and nobody where none is live', async () => {
    const listed = async () => (await (await at.get('/api/v1/work-items')).json()) as { items: readonly unknown[] };
    const actions = ['a1', 'a2'].map((id) => ({ id, spec: AGENT }));
    await does(agentItem('w1', { actions }), create('w2', { actions: [{ id: 'a1', spec: actionSpec('a1') }] }));
    for (const n of [1, 2]) await does(claim('w1', `run-${n}`, { actionId: `a${n}` }), dispatch('w1', `run-${n}`));
    expect((await listed()).items).toContainEqual(
      expect.objectContaining({ id: 'w1', running: 2, atWork: [{ kind: 'agent', who: 'implementer', model: null }] }),
    );
    expect((await listed()).items).toContainEqual(expect.objectContaining({ id: 'w2', running: 0, atWork: [] }));
  });

  it('refuses a cursor of another list, and an item that is not there', async () => {
    await does(create('w1'));
    expect(await read('?cursor=bm90aGluZw')).toMatchObject({ code: 'invalid_cursor' });
    expect(await (await at.get('/api/v1/work-items/nobody/timeline')).json()).toMatchObject({ code: 'item_not_found' });
  });
});
