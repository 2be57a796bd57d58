import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/api/access/scopes.ts';
import { addToken, revokeToken } from '../../src/api/access/token-records.ts';
import { type ServedApi, serveApi } from '../../src/api/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { submitGoal } from '../support/submit-goal.ts';
import { submitPlan } from '../support/submit-plan.ts';
import { until } from '../support/until.ts';
import { call, listenedStore, mcpDeps, newClient, USER } from './mcp-bench.ts';

let rig: Rig;
let world: World;
let api: ServedApi;
let listeners: ReadonlySet<object>;
const clients: Client[] = [];

beforeEach(async () => {
  rig = await openRig({ 'a.txt': 'a\n' });
  world = await rig.world();
  const listened = listenedStore(world.store);
  listeners = listened.listeners;
  const { submit } = mcpDeps(world, USER);
  api = await serveApi({ store: listened.store, version: 'test', port: 0, ...(submit ? { submit } : {}) });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await api.close();
  expect(await rig.close()).toBe(0);
});

interface Connected {
  readonly at: Client;
  readonly transport: StreamableHTTPClientTransport;
}

async function connect(token?: string): Promise<Connected> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: { headers } });
  const at = newClient();
  clients.push(at);
  // The class has accessors where the interface has optional fields.
  await at.connect(transport as Parameters<Client['connect']>[0]);
  return { at, transport };
}

/** A token, and its id. */
async function tokenOf(authority: 'user' | 'agent', ...scopes: readonly Scope[]) {
  const wanted = { name: `${authority} ${scopes}`, authority, scopes: [...scopes], expiresAt: null };
  const { minted } = await addToken(world.store, wanted, Date.now());
  return minted;
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const HELLO = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a script', version: '1' } },
};
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe('authority (D16)', () => {
  it('of a client without a token is an agent’s: it creates drafts, and its answers are refused', async () => {
    const { at } = await connect();
    const { value } = await call(at, 'create_item', { goal: 'Say hello', directory: rig.repo });
    expect(value).toMatchObject({ status: 'draft', next: expect.stringContaining('workcenter start') });
    const { id } = value as { readonly id: string };
    for (const [name, input] of [
      ['answer_request', { request: 'r1', choice: 'approve' }],
      ['send_message', { text: 'Go on.' }],
    ] as const) {
      expect(await call(at, name, { id, ...input }), name).toMatchObject({
        ...{ isError: true, value: { code: 'user_required' } },
      });
    }
  });

  it('of a token is its own: a user’s answers count, an agent’s do not', async () => {
    const plan = 'goal: g\ncriteria: [done]\nactions:\n  - { id: idle, run: "true", for: [c1] }\n';
    const { id } = await submitPlan(world, plan, rig.repo);
    const engine = openEngine(world);
    await engine.start();
    await engine.untilSettled(id);
    await engine.stop();
    const answer = { id, request: 'r1', choice: 'stop' };
    const { at: agent } = await connect((await tokenOf('agent', 'admin')).token);
    expect(await call(agent, 'answer_request', answer)).toMatchObject({ value: { code: 'user_required' } });
    const { at: user } = await connect((await tokenOf('user', 'operate')).token);
    expect(await call(user, 'answer_request', answer)).toMatchObject({
      ...{ isError: false, value: { status: 'cancelled' } },
    });
  });

  it('is limited by the scopes of the token', async () => {
    const { id } = await submitGoal(world, rig.repo, { goal: 'Make it so' });
    const names = async (at: Client) => (await at.listTools()).tools.map(({ name }) => name).sort();
    const reading = ['list_items', 'read_conversation', 'read_evidence', 'read_item', 'wait_for_item'];
    const { at: reader } = await connect((await tokenOf('user', 'read')).token);
    expect(await names(reader)).toEqual(reading);
    expect(await call(reader, 'create_item', { goal: 'g', directory: rig.repo })).toMatchObject({
      ...{ isError: true, value: { code: 'scope_too_small', expected: 'a token with scope create' } },
    });
    const { at: creator } = await connect((await tokenOf('user', 'create')).token);
    expect(await names(creator)).toEqual(['create_item', ...reading]);
    expect(await call(creator, 'send_message', { id, text: 'x' })).toMatchObject({
      ...{ isError: true, value: { code: 'scope_too_small' } },
    });
    expect((await world.store.list({ limit: 10 })).items).toHaveLength(1);
    expect(await world.store.entries(id)).toEqual([]);
  });
});

describe('wait_for_item', () => {
  it('tells of progress until the end, and the evidence can be read', async () => {
    const plan =
      'goal: change a\ncriteria:\n  - { text: a is changed, check: grep -qx changed a.txt }\n' +
      'actions:\n  - { id: work, run: echo changed > a.txt, for: [c1] }\n';
    const { id } = await submitPlan(world, plan, rig.repo);
    const { at } = await connect();
    const told: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void told.push(message);
    const waiting = call(at, 'wait_for_item', { id, timeoutSec: 600 }, { onprogress, timeout: 55_000 });
    await until('the first progress came', () => told.length > 0);
    const engine = openEngine(world);
    await engine.start();
    expect(await waiting).toMatchObject({ value: { ended: 'done' } });
    await engine.stop();
    expect(told.length).toBeGreaterThan(1);
    expect(await call(at, 'read_evidence', { id, criterion: 'c1' })).toMatchObject({
      value: { proof: 'machine', receipt: { verdict: 'passed', exitCode: 0 } },
    });
    const [content] = (await at.readResource({ uri: `workcenter://items/${id}/receipts/c1` })).contents;
    expect(content).toMatchObject({ text: expect.stringContaining('"verdict":"passed"') });
  });

  it('lets go when the client cancels, and when its connection is gone', async () => {
    const { id } = await submitGoal(world, rig.repo, { goal: 'Make it so' });
    const { at } = await connect();
    for (const end of [(stop: AbortController) => stop.abort(), () => void at.close()]) {
      const before = listeners.size;
      const stop = new AbortController();
      const waiting = call(at, 'wait_for_item', { id, timeoutSec: 3_600 }, { signal: stop.signal });
      await until('it waits', () => listeners.size > before);
      end(stop);
      await expect(waiting).rejects.toThrow();
      await until('it has let go', () => listeners.size === before);
    }
  });

  it('answers when the server stops, with the next step, and then the session is over', async () => {
    const { id } = await submitGoal(world, rig.repo, { goal: 'Make it so' });
    const { at } = await connect();
    const before = listeners.size;
    const waiting = call(at, 'wait_for_item', { id, timeoutSec: 3_600 });
    await until('it waits', () => listeners.size > before);
    await api.close();
    expect(await waiting).toMatchObject({
      ...{ isError: false, value: { ended: 'server_stops', next: expect.any(String), item: { id } } },
    });
    await expect(at.ping()).rejects.toThrow();
  });
});

describe('a session', () => {
  it('is opened by initialize, and ended by DELETE', async () => {
    const { at, transport } = await connect();
    await at.ping();
    const header = { 'mcp-session-id': transport.sessionId ?? '' };
    await transport.terminateSession();
    const late = await post(PING, header);
    expect(late.status).toBe(404);
    expect(await late.json()).toMatchObject({ code: 'session_not_found', next: 'Initialise a new session.' });
  });

  it('ends its streams in order when the server stops', async () => {
    const session = { 'mcp-session-id': (await post(HELLO)).headers.get('mcp-session-id') ?? '' };
    const stream = await fetch(`${api.url}/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
    const whole = stream.text();
    await api.close();
    expect(await whole).toBe('');
  });

  it('is of use to nobody but its owner, and to nobody once the token is revoked', async () => {
    const mine = await tokenOf('user', 'read');
    const { transport } = await connect(mine.token);
    const session = { 'mcp-session-id': transport.sessionId ?? '' };
    const bearer = (token: string) => ({ ...session, authorization: `Bearer ${token}` });
    expect((await post(PING, bearer(mine.token))).status).toBe(200);
    const other = await tokenOf('user', 'admin');
    for (const headers of [session, bearer(other.token)]) {
      expect(await (await post(PING, headers)).json()).toMatchObject({ code: 'session_not_found' });
    }
    await revokeToken(world.store, mine.id, Date.now());
    expect(await (await post(PING, bearer(mine.token))).json()).toMatchObject({ code: 'token_revoked' });
  });

  it('is asked for where a request has none; what is no JSON and what comes from elsewhere is refused', async () => {
    const wrong: readonly (readonly [Promise<Response>, string])[] = [
      [post(PING), 'invalid_request'],
      [post('{'), 'invalid_request'],
      [post(PING, { 'content-type': 'text/plain' }), 'unsupported_media_type'],
      [post(PING, { origin: 'https://elsewhere.example' }), 'foreign_origin'],
      [post(PING, { 'mcp-session-id': 'guessed' }), 'session_not_found'],
      [fetch(`${api.url}/mcp`, { headers: { accept: 'text/event-stream' } }), 'invalid_request'],
    ];
    for (const [answer, code] of wrong) {
      const response = await answer;
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ code });
    }
  });

  it('gives place to a new one where all are taken and none is connected', async () => {
    const opened: string[] = [];
    for (let count = 0; count <= 64; count += 1) {
      const answer = await post(HELLO);
      await answer.text();
      opened.push(answer.headers.get('mcp-session-id') ?? '');
    }
    const [first = '', second = ''] = opened;
    expect((await post(PING, { 'mcp-session-id': first })).status).toBe(404);
    expect((await post(PING, { 'mcp-session-id': second })).status).toBe(200);
  });
});
