import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addToken } from '../../src/api/access/token-records.ts';
import { sendOverHttp, startDispatcher } from '../../src/webhooks/index.ts';
import { openReceiver, type Receiver, signedHeaders } from '../webhooks/receiver.ts';
import { type Served, served } from './http.ts';

const HOOKS = '/api/v1/webhooks';

let at: Served;
let receiver: Receiver;
beforeEach(async () => {
  at = await served();
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  expect(await at.close()).toBe(0);
});

interface Added {
  readonly id: string;
  readonly secret: string;
}

const body = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;
const drop = (path: string, headers = {}) => fetch(`${at.api.url}${path}`, { method: 'DELETE', headers });

async function added(more: object = {}): Promise<Added> {
  const response = await at.post(HOOKS, { url: receiver.url, ...more });
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  return (await response.json()) as Added;
}

it('adds, lists, tests and removes a webhook; its secret is shown once', async () => {
  const { id, secret } = await added({ events: ['item.done', 'item.held'] });
  expect(secret).toMatch(/^whsec_/);
  const listed = await body<{ webhooks: unknown[] }>(at.get(HOOKS));
  expect(listed.webhooks).toEqual([await body(at.get(`${HOOKS}/${id}`))]);
  expect(listed.webhooks).toMatchObject([
    { id, url: receiver.url, events: ['item.done', 'item.held'], disabled: null },
  ]);

  receiver.answers((response) => void response.writeHead(200).end('hello'));
  const tried = await body(at.post(`${HOOKS}/${id}/test`, {}));
  expect(tried).toMatchObject({
    type: 'webhook.test',
    state: 'delivered',
    attempts: [{ status: 200, answer: 'hello' }],
  });
  const [got] = receiver.received;
  if (!got) throw new Error('nothing came');
  expect(new Verifier(secret).verify(got.body, signedHeaders(got))).toMatchObject({ data: { webhookId: id } });

  const page = await body<{ deliveries: unknown[] }>(at.get(`${HOOKS}/${id}/deliveries`));
  expect(page.deliveries).toEqual([tried]);
  expect(JSON.stringify([listed, tried, page])).not.toContain(secret.slice(6));
  expect((await drop(`${HOOKS}/${id}`)).status).toBe(204);
  expect(await body(at.get(HOOKS))).toEqual({ webhooks: [] });
});

it('adds one webhook under one key, however often it is asked for', async () => {
  const add = (more: object, key = 'once') =>
    body<Added>(at.post(HOOKS, { url: receiver.url, ...more }, { 'idempotency-key': key }));
  const [one, again] = await Promise.all([add({}), add({})]);
  expect(again).toEqual(one);
  expect(await add({ events: ['item.done'] })).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  expect((await add({}, 'twice')).id).not.toBe(one.id);
  expect((await body<{ webhooks: unknown[] }>(at.get(HOOKS))).webhooks).toHaveLength(2);
});

it('pages through what a webhook was told, and sends one of it again', async () => {
  const { id } = await added();
  for (let n = 0; n < 3; n += 1) await at.post(`${HOOKS}/${id}/test`, {});
  await at.post(`/api/v1/work-items/${at.itemId}/stop`, {});
  const dispatcher = startDispatcher({
    ...{ store: at.store, owner: 'test', now: Date.now, version: 'test', send: sendOverHttp, chance: () => 0 },
    pollMs: 3_600_000,
  });
  await dispatcher.settle();
  interface Page {
    readonly deliveries: readonly { readonly id: string; readonly type: string }[];
    readonly nextCursor?: string;
  }
  const path = `${HOOKS}/${id}/deliveries?limit=3`;
  const first = await body<Page>(at.get(path));
  const rest = await body<Page>(at.get(`${path}&cursor=${first.nextCursor}`));
  const all = [...first.deliveries, ...rest.deliveries];
  expect(all.map(({ type }) => type).toSorted()).toEqual([
    'item.cancelled',
    'webhook.test',
    'webhook.test',
    'webhook.test',
  ]);
  expect([new Set(all.map((one) => one.id)).size, rest.nextCursor]).toEqual([4, undefined]);

  const told = all.find(({ type }) => type === 'item.cancelled')?.id;
  expect(await body(at.post(`${HOOKS}/${id}/deliveries/${told}/retry`, {}))).toMatchObject({ state: 'waiting' });
  await dispatcher.settle();
  await dispatcher.stop();
  expect(receiver.received.slice(-2).map(({ headers }) => headers['webhook-id'])).toEqual([told, told]);
});

it('refuses what cannot be told, with the codes of the command line, and changes nothing', async () => {
  const { id } = await added();
  const refused = async (response: Promise<Response>) => {
    const { status, code } = await body<{ status: number; code: string }>(response);
    return `${status} ${code}`;
  };
  expect(await refused(at.post(HOOKS, { url: 'http://example.org/' }))).toBe('422 invalid_webhook');
  expect(await refused(at.post(HOOKS, { url: receiver.url, secret: 'short' }))).toBe('422 invalid_webhook');
  expect(await refused(at.post(HOOKS, { url: receiver.url, events: ['item.everything'] }))).toBe('400 invalid_request');
  expect(await refused(at.post(HOOKS, { url: receiver.url, also: 1 }))).toBe('400 invalid_request');
  expect(await refused(at.get(`${HOOKS}/wh_0`))).toBe('404 webhook_not_found');
  expect(await refused(drop(`${HOOKS}/wh_0`))).toBe('404 webhook_not_found');
  expect(await refused(at.post(`${HOOKS}/wh_0/test`, {}))).toBe('404 webhook_not_found');
  expect(await refused(at.post(`${HOOKS}/${id}/deliveries/msg_0/retry`, {}))).toBe('404 delivery_not_found');
  expect(await refused(at.get(`${HOOKS}/${id}/deliveries?cursor=nowhere`))).toBe('400 invalid_cursor');
  for (let n = 1; n < 32; n += 1) await added();
  expect(await refused(at.post(HOOKS, { url: receiver.url }))).toBe('409 webhook_limit');
  expect((await body<{ webhooks: unknown[] }>(at.get(HOOKS))).webhooks).toHaveLength(32);
  expect(receiver.received).toEqual([]);
});

it('takes the scope admin, and a person to change anything: no agent decides what leaves the machine', async () => {
  const { id } = await added();
  const bearer = async (scope: 'operate' | 'admin', authority: 'user' | 'agent') => {
    const record = { name: `${scope} ${authority}`, scopes: [scope], authority, expiresAt: null };
    return { authorization: `Bearer ${(await addToken(at.store, record, Date.now())).minted.token}` };
  };
  const codeOf = async (response: Promise<Response>) => (await body<{ code: string }>(response)).code;
  const operator = await bearer('operate', 'user');
  expect(await codeOf(at.get(HOOKS, operator))).toBe('scope_too_small');
  expect(await codeOf(at.get(`${HOOKS}/${id}/deliveries`, operator))).toBe('scope_too_small');
  const agent = await bearer('admin', 'agent');
  expect(await codeOf(at.post(HOOKS, { url: receiver.url }, agent))).toBe('user_required');
  expect(await codeOf(at.post(`${HOOKS}/${id}/test`, {}, agent))).toBe('user_required');
  expect(await codeOf(drop(`${HOOKS}/${id}`, agent))).toBe('user_required');
  expect(await body(at.get(HOOKS, await bearer('admin', 'user')))).toMatchObject({ webhooks: [{ id }] });
  expect(receiver.received).toEqual([]);
});
