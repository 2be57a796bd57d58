import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addToken } from '../../src/api/access/token-records.ts';
import type { Command } from '../../src/core/index.ts';
import { actionSpec, claim, command, completed, create, dispatch, outcomeOf, settle, USER } from '../store/items.ts';
import { AGENT, agentItem } from '../store/talk-items.ts';
import { readEvents, type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

async function does(...commands: readonly Command[]): Promise<void> {
  for (const each of commands) expect(await at.store.execute(each), each.body.type).not.toHaveProperty('code');
}

type Body = Readonly<Record<string, unknown>>;
const item = (id: string, rest = '') => `/api/v1/work-items/${id}${rest}`;
const read = async (path: string): Promise<Body> => (await (await at.get(path)).json()) as Body;
const say = async (id: string, body: object): Promise<Body> =>
  (await (await at.post(item(id, '/messages'), body)).json()) as Body;

const toCoordinator = { target: { kind: 'coordinator' } };
const toAction = (generation: number) => ({ target: { kind: 'action', actionId: 'a1', generation } });
const failed = outcomeOf({ kind: 'failed', code: 'broken', error: 'It broke.' });

describe('a message', () => {
  it('rule 4.9-1: carries target, fence, quote and id, and is told once', async () => {
    await does(agentItem('w1', { actions: [{ id: 'a1', spec: AGENT }] }));
    const quote = { from: 'Ada', text: 'It should greet.' };
    const body = { ...toAction(1), text: 'In English.', quote, clientMessageId: 'm-1' };
    for (const _ of [1, 2]) expect(await say('w1', body)).toMatchObject({ id: 'w1' });
    expect(await read(item('w1', '/conversation'))).toMatchObject({
      entries: [{ target: { kind: 'action', id: 'a1' }, text: 'In English.', quote }],
    });
    expect((await at.store.load('w1'))?.messageCount).toBe(1);
  });

  it('rule 4.9-2: whose file has gone is refused and leaves its id free for the same words with another file', async () => {
    const body = { ...toCoordinator, text: 'See this.', clientMessageId: 'm-1' };
    const gone = await say(at.itemId, { ...body, attachments: ['f00'] });
    expect(gone).toMatchObject({ code: 'attachment_expired' });
    const put = await fetch(`${at.api.url}/api/v1/attachments?name=notes.txt`, {
      ...{ method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'notes' },
    });
    const { id } = (await put.json()) as { readonly id: string };
    expect(await say(at.itemId, { ...body, attachments: [id] })).toMatchObject({ id: at.itemId });
    expect(await read(item(at.itemId, '/conversation'))).toMatchObject({
      entries: [{ text: 'See this.', attachments: [{ name: 'notes.txt' }] }],
    });
  });

  it('rule 4.9-7: for a generation that has passed is not applied, says so by its code, and may be sent anew', async () => {
    await does(agentItem('w1', { actions: [{ id: 'a1', spec: AGENT }] }));
    const body = { text: 'Be kind.', clientMessageId: 'm-1' };
    const stale = await at.post(item('w1', '/messages'), { ...body, ...toAction(7) });
    expect([stale.status, await stale.json()]).toMatchObject([409, { code: 'generation_stale' }]);
    expect((await at.store.entries('w1')).length).toBe(0);
    expect(await say('w1', { ...body, ...toAction(1) })).toMatchObject({ id: 'w1' });
  });

  it('rule 4.9-8: that comes again after the Action moved on answers what is now, and is no second input', async () => {
    await does(agentItem('w1', { actions: [{ id: 'a1', spec: AGENT }] }));
    await does(claim('w1', 'r'), dispatch('w1', 'r'), settle('w1', 'r', failed));
    const body = { ...toAction(1), text: 'Try the other door.', clientMessageId: 'm-1' };
    await say('w1', body);
    const moved = await at.store.load('w1');
    expect(moved?.actions[0]).toMatchObject({ generation: 2, status: 'ready' });
    await does(command('w1', { type: 'StopItem', reason: 'enough' }, { principal: USER }));
    expect(await say('w1', body)).toMatchObject({ status: 'cancelled' });
    expect((await at.store.load('w1'))?.messageCount).toBe(1);
  });
});

describe('an agent', () => {
  it("rule 4.9-6: cannot have it delivered: what it creates stays a draft, and its contract is a person's", async () => {
    const wanted = { name: 'robot', authority: 'agent' as const, expiresAt: null };
    const { minted } = await addToken(at.store, { ...wanted, scopes: ['create', 'operate'] }, Date.now());
    const headers = { authorization: `Bearer ${minted.token}` };
    const wish = { goal: 'Write hello.txt', directory: at.rig.repo, delivery: { target: 'merge' }, start: true };
    const made = (await (await at.post('/api/v1/work-items', wish, headers)).json()) as Body;
    expect(made).toMatchObject({ status: 'draft' });
    const asked = { ...headers, 'if-match': '"1"' };
    const edit = await at.patch(item(at.itemId, '/contract'), { delivery: { target: 'merge' } }, asked);
    expect(await edit.json()).toHaveProperty('code');
    expect((await at.store.load(at.itemId))?.contract.delivery).toEqual({ target: 'workspace_files' });
  });
});

describe('an upload', () => {
  it('rule 4.9-4: is there for a second attempt; strangers, doubles and too many are refused', async () => {
    const kept: string[] = [];
    for (let n = 0; n < 11; n += 1) {
      const sent = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: `note ${n}` };
      const put = await fetch(`${at.api.url}/api/v1/attachments?name=n${n}.txt`, sent);
      kept.push(((await put.json()) as { readonly id: string }).id);
    }
    const [first = ''] = kept;
    const body = { ...toCoordinator, text: 'See this.', clientMessageId: 'm-1' };
    await does(command(at.itemId, { type: 'StopItem', reason: 'enough' }, { principal: USER }));
    expect(await say(at.itemId, { ...body, attachments: [first] })).toHaveProperty('code');
    await does(command(at.itemId, { type: 'ReopenItem' }, { principal: USER }));
    for (const attachments of [['stranger'], kept])
      expect(await say(at.itemId, { ...body, attachments })).toHaveProperty('code');
    expect((await at.store.load(at.itemId))?.messageCount).toBe(0);
    expect(await say(at.itemId, { ...body, attachments: [first] })).toMatchObject({ id: at.itemId });
  });
});

describe('what is read', () => {
  it('rule 4.9-9: 601 messages come over many pages in order, each once, also when more are said meanwhile', async () => {
    const post = (n: number) =>
      command(
        at.itemId,
        { type: 'PostMessage', ...toCoordinator, text: `word ${n}`, attachments: [] } as Command['body'],
        { principal: USER },
      );
    for (let n = 1; n <= 601; n += 1) await does(post(n));
    const seen: string[] = [];
    let pages = 0;
    for (let before = ''; ; pages += 1) {
      const page = await read(item(at.itemId, `/conversation?limit=29${before}`));
      const entries = page.entries as readonly { readonly seq: number; readonly text: string }[];
      seen.unshift(...entries.map(({ text }) => text));
      if (entries.length < 29) break;
      before = `&before=${entries[0]?.seq}`;
      if (pages === 3) await does(post(602));
    }
    expect(seen).toEqual(Array.from({ length: 601 }, (_, n) => `word ${n + 1}`));
    expect(pages).toBeGreaterThanOrEqual(20);
  });

  it('rule 4.9-10: row, head, event and feed agree, siblings stand for themselves, and a retry is another generation', async () => {
    const actions = ['a1', 'a2'].map((id) => ({ id, spec: actionSpec(id) }));
    await does(create('w1', { actions }), claim('w1', 'r1'), dispatch('w1', 'r1'));
    await does(claim('w1', 'r2', { actionId: 'a2' }), dispatch('w1', 'r2'));
    await does(settle('w1', 'r1', failed), settle('w1', 'r2', outcomeOf(completed())));
    const standing = async () => {
      const { actions: lines } = (await read(item('w1', '/actions'))) as { actions: readonly Body[] };
      return lines.map(({ status, generation }) => [status, generation]);
    };
    expect(await standing()).toEqual([
      ['failed', 1],
      ['completed', 1],
    ]);
    const retry = await at.post(item('w1', '/actions/a1/retry'), { generation: 1 });
    expect(retry.status).toBe(200);
    expect(await standing()).toEqual([
      ['ready', 2],
      ['completed', 1],
    ]);
    const head = await read(item('w1'));
    const { items } = (await read('/api/v1/work-items')) as { items: readonly Body[] };
    const row = items.find(({ id }) => id === 'w1');
    expect([row?.version, row?.lane, row?.usage, row?.statusSentence]).toEqual([
      ...[head.version, head.lane, head.usage, head.sentence],
    ]);
    const events = await readEvents(await at.get(item('w1', '/stream')), Number(head.version));
    expect(events.at(-1)?.id).toBe(String(head.version));
    const reset = events
      .map(({ data }) => JSON.parse(data) as { body: Body })
      .find(({ body }) => body.type === 'ActionReset');
    expect(reset?.body).toMatchObject({ actionId: 'a1', generation: 2 });
  });

  it('rule 4.9-15: names that every object has are names like others, in a body and in an address', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(await read(item(name))).toMatchObject({ code: 'item_not_found' });
      expect(await read(`/api/v1/vps/${name}`)).toMatchObject({ status: 404 });
      const body = `{"goal":"Go","directory":${JSON.stringify(at.rig.repo)},"${name}":{"start":false}}`;
      const sent = await at.post('/api/v1/work-items', body);
      expect([sent.status, await sent.json()], name).toMatchObject([400, { code: 'invalid_request' }]);
    }
    expect((await at.store.list({ limit: 9 })).items).toHaveLength(1);
  });
});
