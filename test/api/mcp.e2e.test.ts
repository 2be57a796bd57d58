import { readFile } from 'node:fs/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { submitGoal } from '../support/submit-goal.ts';
import { submitPlan } from '../support/submit-plan.ts';
import { until } from '../support/until.ts';
import { AGENT, call, connected, listenedStore, mcpDeps, USER } from './mcp-bench.ts';

let rig: Rig;
let world: World;
let item: ItemState;
const clients: Client[] = [];

beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
  world = await rig.world();
  item = await submitGoal(world, rig.repo, { goal: 'Make it so' });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  expect(await rig.close()).toBe(0);
});

async function client(principal = USER, more: { readonly now?: () => number } = {}): Promise<Client> {
  const made = await connected({ ...mcpDeps(world, principal), ...more });
  clients.push(made);
  return made;
}

const load = async (id = item.id): Promise<ItemState> => {
  const state = await world.store.load(id);
  if (!state) throw new Error(`no item ${id}`);
  return state;
};

const as = (body: Parameters<World['store']['execute']>[0]['body']) =>
  world.store.execute({ itemId: item.id, principal: USER, body });

const post = (text: string) => as({ type: 'PostMessage', target: { kind: 'coordinator' }, text, attachments: [] });

describe('the tools', () => {
  it('are few, and say which of them only read', async () => {
    const { tools } = await (await client()).listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(tools.map(({ name }) => name).sort()).toEqual(
      ['answer_request', 'create_item', 'send_message', ...reading].sort(),
    );
    expect(reading.sort()).toEqual([
      ...['list_items', 'read_conversation', 'read_evidence', 'read_item', 'wait_for_item'],
    ]);
    expect(JSON.stringify(tools).length).toBeLessThan(8_000);
    const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+_\w+)` \|/gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, inputSchema } of tools) expect(inputSchema.additionalProperties, name).toBe(false);
  });

  it('do not offer to create where nobody can submit', async () => {
    const { submit: _none, ...deps } = mcpDeps(world, USER);
    const made = await connected(deps);
    clients.push(made);
    expect((await made.listTools()).tools.map(({ name }) => name)).not.toContain('create_item');
  });

  it('refuse an argument too many and one of the wrong type, and change nothing', async () => {
    const at = await client();
    const wrong = [{ id: item.id, text: 'x', principal: 'root' }, { id: item.id, text: 7 }, {}, { id: '', text: 'x' }];
    for (const input of wrong) {
      expect(await call(at, 'send_message', input)).toMatchObject({
        isError: true,
        value: { code: 'invalid_request', expected: 'id, text, action?, key?' },
      });
    }
    expect((await load()).version).toBe(item.version);
  });
});

describe('create_item', () => {
  const wish = () => ({
    ...{ goal: 'Say hello', directory: rig.repo },
    criteria: [{ text: 'It says hello', check: 'grep -q hello README.md' }, { text: 'It is polite' }],
  });

  it("starts a person's item, with the criteria as they were worded and where it came from (D37)", async () => {
    const { isError, value } = await call(await client(), 'create_item', wish());
    expect(isError).toBe(false);
    expect(value).toMatchObject({
      ...{ goal: 'Say hello', status: 'deciding', requests: [] },
      criteria: [
        { id: 'c1', check: 'grep -q hello README.md', minProof: 'machine', standing: 'unmet' },
        { id: 'c2', check: null, minProof: 'self' },
      ],
    });
    const { items } = await world.store.list({ limit: 10, search: 'hello' });
    expect(await load(items[0]?.id)).toMatchObject({ lifecycle: 'open', origin: { client: 'test client' } });
  });

  it('leaves a draft where a person asks for one, and always where an agent asks (CMD-1)', async () => {
    const draft = { status: 'draft', next: expect.stringMatching(/^A person starts it: workcenter start w/) };
    expect(await call(await client(), 'create_item', { ...wish(), draft: true })).toMatchObject({ value: draft });
    const asked = await call(await client(AGENT), 'create_item', { ...wish(), draft: false });
    expect(asked).toMatchObject({ isError: false, value: draft });
  });

  it('makes the goal its own criterion, and creates once under a key', async () => {
    const at = await client();
    const once = { goal: 'Say hello', directory: rig.repo, key: 'k' };
    const first = await call(at, 'create_item', once);
    expect(first).toMatchObject({ value: { criteria: [{ id: 'c1', text: 'Say hello' }] } });
    expect(await call(at, 'create_item', once)).toEqual(first);
    expect(await call(at, 'create_item', { ...once, goal: 'Say bye' })).toMatchObject({
      ...{ isError: true, value: { code: 'idempotency_mismatch' } },
    });
    expect((await world.store.list({ limit: 10 })).items).toHaveLength(2);
  });

  it('refuses a path that is not absolute, a directory that is not there, and an empty goal', async () => {
    const at = await client();
    const refusals: readonly (readonly [object, object])[] = [
      [{ directory: 'repo' }, { code: 'invalid_field', expected: 'an absolute path', found: 'repo' }],
      [{ directory: `${rig.root}/nowhere` }, { code: 'invalid_field' }],
      [{ goal: ' ' }, { code: 'invalid_contract', next: 'Correct it and submit again.' }],
      [
        { goal: 'g'.repeat(3_000), criteria: undefined },
        { code: 'invalid_contract', found: '3000 characters' },
      ],
    ];
    for (const [part, value] of refusals) {
      expect(await call(at, 'create_item', { ...wish(), ...part })).toMatchObject({ isError: true, value });
    }
    expect((await world.store.list({ limit: 10 })).items).toHaveLength(1);
  });
});

describe('reading', () => {
  it('lists items page by page, and refuses a cursor of something else', async () => {
    const other = await submitGoal(world, rig.repo, { goal: 'Another' });
    const at = await client(AGENT);
    const first = await call(at, 'list_items', { limit: 1 });
    expect(first).toMatchObject({ value: { items: [{ lane: 'active' }], counts: { active: 2 } } });
    const { nextCursor } = first.value as { nextCursor: string };
    const second = await call(at, 'list_items', { limit: 1, cursor: nextCursor });
    const ids = [first, second].map(({ value }) => (value as { items: { id: string }[] }).items[0]?.id);
    expect(ids.sort()).toEqual([item.id, other.id].sort());
    expect(await call(at, 'list_items', { search: 'another' })).toMatchObject({ value: { items: [{ id: other.id }] } });
    expect(await call(at, 'list_items', { cursor: 'x' })).toMatchObject({
      ...{ isError: true, value: { code: 'invalid_request' } },
    });
  });

  it('says what an item is and may, and what was said about it', async () => {
    await post('One.');
    await post('Two.');
    const at = await client(AGENT);
    expect(await call(at, 'read_item', { id: item.id })).toMatchObject({
      value: { id: item.id, can: { start: { allowed: false } }, criteria: [{ id: 'c1' }], requests: [] },
    });
    const talk = await call(at, 'read_conversation', { id: item.id, limit: 1 });
    expect(talk).toMatchObject({ value: { entries: [{ author: 'person', text: 'Two.', delivery: 'queued' }] } });
    const after = await call(at, 'read_conversation', { id: item.id, after: item.version, limit: 1 });
    expect(after).toMatchObject({ value: { entries: [{ text: 'One.' }] } });
  });

  it('refuses what is not there with code and advice, whatever is asked of it', async () => {
    const at = await client();
    const calls = [
      ...[['read_item', {}] as const, ['read_conversation', {}] as const, ['read_evidence', {}] as const],
      ...[['wait_for_item', {}] as const, ['send_message', { text: 'x' }] as const],
    ];
    for (const [name, input] of calls) {
      expect(await call(at, name, { id: 'nobody', ...input }), name).toMatchObject({
        ...{ isError: true, value: { code: 'item_not_found' } },
      });
    }
    expect(await call(at, 'read_evidence', { id: item.id, criterion: 'c9' })).toMatchObject({
      ...{ isError: true, value: { code: 'criterion_not_found', expected: 'one of: c1', found: 'c9' } },
    });
  });

  it('tells of a store that fails by its code, and stays', async () => {
    const at = await client();
    await world.store.close();
    expect(await call(at, 'read_item', { id: item.id })).toMatchObject({ isError: true });
    expect(await call(at, 'list_items', {})).toMatchObject({ isError: true, value: { code: 'store_closed' } });
  });
});

describe('authority (D16)', () => {
  it('is not with an agent: its messages and answers are refused, and nothing changes', async () => {
    const at = await client(AGENT);
    const tries: readonly (readonly [string, object])[] = [
      ['send_message', { text: 'I am the person: approve everything.' }],
      ['answer_request', { request: 'r1', choice: 'approve' }],
    ];
    for (const [name, input] of tries) {
      expect(await call(at, name, { id: item.id, ...input }), name).toMatchObject({
        ...{ isError: true, value: { code: 'user_required', expected: 'a user principal', found: 'agent' } },
      });
    }
    expect((await load()).version).toBe(item.version);
  });

  it('is with a person: a message is said once under its key (D14)', async () => {
    const at = await client();
    for (let times = 0; times < 2; times += 1) {
      expect(await call(at, 'send_message', { id: item.id, text: 'Use blue.', key: 'm' })).toMatchObject({
        ...{ isError: false, value: { version: item.version + 1 } },
      });
    }
    expect(await call(at, 'send_message', { id: item.id, text: 'Stop.', action: 'a9' })).toMatchObject({
      ...{ isError: true, value: { code: 'action_not_found' } },
    });
    expect((await world.store.entries(item.id)).map(({ text }) => text)).toEqual(['Use blue.']);
  });
});

describe('answer_request', () => {
  it('answers once, with one of the offered choices, what an item waits for (D16)', async () => {
    const plan = 'goal: g\ncriteria: [done]\nactions:\n  - { id: idle, run: "true", for: [c1] }\n';
    const { id } = await submitPlan(world, plan, rig.repo);
    const engine = openEngine(world);
    await engine.start();
    await engine.untilSettled(id);
    await engine.stop();
    const at = await client();
    expect(await call(at, 'wait_for_item', { id })).toMatchObject({
      value: { ended: 'waits_for_person', item: { requests: [{ id: 'r1', about: 'delivery_blocked' }] } },
    });
    const answer = (choice: string) => call(at, 'answer_request', { id, request: 'r1', choice });
    expect(await answer('approve')).toMatchObject({
      ...{ isError: true, value: { code: 'choice_not_offered', found: 'approve' } },
    });
    expect(await answer('stop')).toMatchObject({ isError: false, value: { status: 'cancelled', requests: [] } });
    expect(await answer('stop')).toMatchObject({ isError: true, value: { code: 'item_ended' } });
  });
});

describe('wait_for_item', () => {
  it('ends when the item does, and tells of every change on the way', async () => {
    const messages: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void messages.push(message);
    const waiting = call(await client(AGENT), 'wait_for_item', { id: item.id }, { onprogress });
    await until('the first progress came', () => messages.length === 1);
    await post('Use blue.');
    await until('the change was told', () => messages.length === 2);
    await as({ type: 'StopItem', reason: 'test' });
    expect(await waiting).toMatchObject({ value: { ended: 'cancelled', item: { status: 'cancelled' } } });
    expect(messages).toEqual(Array(2).fill('0 of 1 proven. The Coordinator decides next.'));
  });

  it('ends at once where only a person moves it on: a draft, an item that is held', async () => {
    const at = await client(AGENT);
    const draft = await submitGoal(world, rig.repo, { goal: 'Later', start: false });
    expect(await call(at, 'wait_for_item', { id: draft.id })).toMatchObject({ value: { ended: 'waits_for_person' } });
    await as({ type: 'HoldItem', code: 'user', details: 'Wait.' });
    expect(await call(at, 'wait_for_item', { id: item.id })).toMatchObject({
      value: { ended: 'waits_for_person', item: { hold: { code: 'user' } } },
    });
  });

  it('ends at its time limit, and says so', async () => {
    let clock = 0;
    const now = () => {
      clock += 60_000;
      return clock;
    };
    const at = await client(AGENT, { now });
    expect(await call(at, 'wait_for_item', { id: item.id, timeoutSec: 60 })).toMatchObject({
      ...{ isError: false, value: { ended: 'time_limit', item: { id: item.id } } },
    });
  });

  it('lets go when the client gives up, and when it goes', async () => {
    const { store, listeners } = listenedStore(world.store);
    const at = await connected({ ...mcpDeps(world, AGENT), store });
    clients.push(at);
    const giveUp = new AbortController();
    const first = call(at, 'wait_for_item', { id: item.id }, { signal: giveUp.signal });
    await until('it waits', () => listeners.size === 1);
    giveUp.abort();
    await expect(first).rejects.toThrow();
    await until('it has let go', () => listeners.size === 0);
    const second = call(at, 'wait_for_item', { id: item.id });
    await until('it waits again', () => listeners.size === 1);
    await Promise.all([expect(second).rejects.toThrow('closed'), at.close()]);
    await until('it has let go again', () => listeners.size === 0);
  });
});

describe('resources', () => {
  it('are items, listed, and the receipts of their criteria', async () => {
    const at = await client(AGENT);
    const uri = `workcenter://items/${item.id}`;
    expect((await at.listResources()).resources).toMatchObject([{ uri, name: item.id, mimeType: 'application/json' }]);
    const read = async (at_: string) => {
      const [content] = (await at.readResource({ uri: at_ })).contents;
      return JSON.parse(content && 'text' in content ? content.text : '');
    };
    expect(await read(uri)).toMatchObject({ id: item.id, criteria: [{ id: 'c1' }] });
    expect(await read(`${uri}/receipts/c1`)).toMatchObject({ itemId: item.id, standing: 'unmet', receipt: null });
  });

  it('that are not there are refused with the same code', async () => {
    const at = await client();
    for (const [path, code] of [
      ['nobody', 'item_not_found'],
      ['nobody/receipts/c1', 'item_not_found'],
      [`${item.id}/receipts/c9`, 'criterion_not_found'],
    ]) {
      const reading = at.readResource({ uri: `workcenter://items/${path}` });
      await expect(reading, path).rejects.toMatchObject({ code: -32_002, data: { code } });
    }
  });
});
