import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, revokeToken } from '../../src/api/access/token-records.ts';
import type { FailedRequest } from '../../src/api/index.ts';
import type { Command } from '../../src/core/index.ts';
import { claim, command, create, dispatch, OWNER } from '../store/items.ts';
import { type Served, served } from './http.ts';
import { ask, sendBytes } from './raw.ts';

const ITEMS = '/api/v1/work-items';
const JSON_TYPE = { 'content-type': 'application/json' };
const failed: FailedRequest[] = [];

let at: Served;
let host = '';
const own = (rest = '') => `${ITEMS}/${at.itemId}${rest}`;

async function does(...commands: readonly Command[]): Promise<void> {
  for (const each of commands) {
    const said = await at.store.execute(each);
    if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
  }
}

/** `w1`: a Run waits for an approval; `w2` is a draft. */
async function furnish(): Promise<void> {
  const approval = { tool: 'shell', call: 'git push', directory: '/projects', key: 'k1', pattern: '' };
  const fence = { runId: 'run-1', epoch: 1, owner: OWNER };
  await does(create('w1'), claim('w1', 'run-1'), dispatch('w1', 'run-1'));
  await does(command('w1', { type: 'AskApproval', fence, approval, risk: 'It leaves this machine.' }));
  await does(create('w2', { start: false }));
}

beforeAll(async () => {
  at = await served({
    serve: {
      report: (failure) => failed.push(failure),
      submit: () => Promise.reject(new Error('a secret of /home/ada')),
    },
  });
  host = new URL(at.api.url).host;
  await furnish();
});
afterAll(async () => {
  expect(await at.close()).toBe(0);
});

/** Everything that a request could have changed. */
async function standing(): Promise<unknown> {
  const ids = [at.itemId, 'w1', 'w2'];
  const items = await Promise.all(ids.map(async (id) => [await at.store.load(id), await at.store.events(id)]));
  const { items: listed } = await at.store.list({ limit: 100 });
  const tokens = (await at.store.listRecords('token', { limit: 100 })).map(({ id }) => id);
  return JSON.stringify({ items, listed, tokens, settings: await at.store.readSettings() });
}

const codeOf = (text: string): unknown => (JSON.parse(text) as { readonly code?: unknown }).code;

async function tokenOf(authority: 'user' | 'agent', name: string, scopes = ['admin' as const]) {
  const { minted } = await addToken(at.store, { name, scopes, authority, expiresAt: null }, Date.now());
  return { ...minted, headers: { authorization: `Bearer ${minted.token}` } };
}

describe('a page of another site', () => {
  const STOP = JSON.stringify({});

  it.each([
    ['says where it comes from', { origin: 'https://evil.example' }],
    ['hides it', { origin: 'null' }],
    ['is told apart by the browser alone', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['is of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['asks first', { origin: 'https://evil.example', 'access-control-request-method': 'POST' }],
  ])('that %s changes nothing', async (_, sent) => {
    const before = await standing();
    const method = 'access-control-request-method' in sent ? 'OPTIONS' : 'POST';
    const headers = { ...JSON_TYPE, ...sent };
    const { status, text, headers: said } = await ask(at.api, { method, path: own('/stop'), headers, body: STOP });
    expect([status, codeOf(text)]).toEqual([403, 'foreign_origin']);
    expect(said).not.toHaveProperty('access-control-allow-origin');
    expect(await standing()).toBe(before);
  });

  it('that sends a form, which no browser asks about first, changes nothing', async () => {
    const before = await standing();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers = { 'content-type': type };
      const { status, text } = await ask(at.api, { method: 'POST', path: own('/stop'), headers, body: STOP });
      expect([status, codeOf(text)]).toEqual([415, 'unsupported_media_type']);
    }
    expect(await standing()).toBe(before);
  });

  it('whose name was made to point here (DNS rebinding) reads and changes nothing', async () => {
    const before = await standing();
    const names = [
      'evil.example',
      `evil.example:${host.split(':')[1]}`,
      '127.0.0.1',
      '0.0.0.0',
      '127.0.0.1.evil.example',
    ];
    for (const name of names) {
      for (const method of ['GET', 'POST']) {
        const headers = { ...JSON_TYPE, host: name };
        const { status, text } = await ask(at.api, { method, path: own('/stop'), headers });
        expect([name, status, codeOf(text)]).toEqual([name, 403, 'foreign_host']);
      }
    }
    expect(await standing()).toBe(before);
  });
});

describe("an agent's token, whatever its scope (D16, D20, D28)", () => {
  const cases = (): readonly (readonly [string, string, string, object])[] => [
    ['approves a call', 'POST', `${ITEMS}/w1/requests/r1/resolution`, { choice: 'approve' }],
    ['refuses one', 'POST', `${ITEMS}/w1/requests/r1/resolution`, { choice: 'reject', text: 'No.' }],
    ['extends a budget', 'POST', own('/extend'), { controlVersion: 1, tokens: 1_000 }],
    ['resumes', 'POST', own('/resume'), { controlVersion: 1 }],
    ['changes the goal', 'PATCH', own('/contract'), { goal: 'Something else' }],
    ['changes the delivery', 'PATCH', own('/contract'), { delivery: { target: 'merge', branch: 'main' } }],
    ['relaxes a criterion', 'PATCH', own('/contract'), { criteria: [{ id: 'c1', text: 'Anything.' }] }],
    ['starts a draft', 'POST', `${ITEMS}/w2/start`, {}],
    ['stops', 'POST', own('/stop'), {}],
    ['reopens', 'POST', own('/reopen'), {}],
    ['retries', 'POST', `${ITEMS}/w1/actions/a1/retry`, { generation: 1 }],
    ['redirects', 'POST', `${ITEMS}/w1/actions/a1/redirect`, { generation: 1, guidance: 'That way.' }],
    ['steps over an Action', 'POST', `${ITEMS}/w1/actions/a1/close`, { generation: 1 }],
    ['settles an effect', 'POST', `${ITEMS}/w1/operations/o1/resolution`, { effect: 'applied' }],
    [
      ...(['speaks as a person', 'POST', own('/messages')] as const),
      { target: { kind: 'coordinator' }, text: 'Do it.', clientMessageId: 'm1' },
    ],
  ];

  it('does nothing that needs a person, and changes nothing by trying', async () => {
    const { headers } = await tokenOf('agent', 'robot');
    const before = await standing();
    for (const [what, method, path, body] of cases()) {
      const sent = { ...JSON_TYPE, ...headers, 'if-match': '"1"' };
      const { status, text } = await ask(at.api, { method, path, headers: sent, body: JSON.stringify(body) });
      expect([what, status, codeOf(text)]).toEqual([what, 403, 'user_required']);
    }
    expect(await standing()).toBe(before);
  });

  it('gains nothing by naming a principal in the body or in a header', async () => {
    const { headers } = await tokenOf('agent', 'climber');
    const before = await standing();
    const user = { kind: 'user', name: 'ada' };
    const claimed = await at.post(
      `${ITEMS}/w1/requests/r1/resolution`,
      { choice: 'approve', principal: user },
      headers,
    );
    expect(await claimed.json()).toMatchObject({ code: 'invalid_request' });
    const spoofed = { ...headers, 'x-principal': 'user', 'x-forwarded-user': 'ada', 'x-forwarded-for': '127.0.0.1' };
    const sent = await at.post(`${ITEMS}/w1/requests/r1/resolution`, { choice: 'approve' }, spoofed);
    expect(await sent.json()).toMatchObject({ code: 'user_required' });
    expect(await standing()).toBe(before);
  });

  it("is a matter of the token: a person's may do the same", async () => {
    const { headers } = await tokenOf('user', 'ada');
    const path = `${ITEMS}/w1/requests/r1/resolution`;
    expect((await at.post(path, { choice: 'approve' }, headers)).status).toBe(200);
    const events = await at.store.events('w1');
    expect(events.find(({ body }) => body.type === 'RequestAnswered')).toBeDefined();
    expect((await at.post(`${ITEMS}/w2/start`, {}, headers)).status).toBe(200);
  });
});

describe('an address that leads astray', () => {
  const PATHS = [
    ...['/../../etc/passwd', '/..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '/api/v1/../../package.json'],
    ...['/api/v1/work-items/..%2f..%2f..%2fetc%2fpasswd', '/api/v1/work-items/%2e%2e%2fsettings'],
    ...['/api/v1/work-items/w1%00', '/api/v1/work-items/%00', '/api/v1/work-items/w1%2factions'],
    ...['/api/v1/work-items/w1/actions/..%2f..%2fw2', '/api/v1/work-items/w1/actions/a1/runs/%2e%2e'],
    ...['/api/v1/attachments/..%2f..%2fetc%2fpasswd', '/api/v1/attachments/%00', '/docs/..%2f..%2fpackage.json'],
    ...['/api/v1/work-items/__proto__', '/api/v1/work-items/constructor', '/api/v1/work-items/w1%0d%0aSet-Cookie:a=b'],
    ...[
      '/api/v1/work-items/%ff',
      '/api/v1/work-items/%',
      '//evil.example/api',
      `/api/v1/work-items/${'x'.repeat(9_000)}`,
    ],
  ];

  it.each(PATHS.map((path) => [path.slice(0, 60), path]))('%s leads to nothing', async (_, path) => {
    const { status, text, headers } = await ask(at.api, { path });
    expect([400, 404], `${status} ${text}`).toContain(status);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers['content-type']).toBe('application/problem+json');
    expect(text).not.toMatch(/root:|"dependencies"/);
  });

  it('is judged as the router reads it, so that no spelling of it needs less', async () => {
    const { headers } = await tokenOf('user', 'reader', ['read'] as never);
    const before = await standing();
    for (const path of [own('/%73top'), own('//stop'), own('/stop/'), `/healthz/..${own('/stop')}`, own('/stop%2f')]) {
      const sent = { ...JSON_TYPE, ...headers };
      const { status } = await ask(at.api, { method: 'POST', path, headers: sent, body: '{}' });
      expect([path, status]).toEqual([path, 403]);
    }
    expect(await standing()).toBe(before);
  });
});

describe('headers', () => {
  const head = (...lines: readonly string[]) =>
    ['POST /api/v1/work-items HTTP/1.1', `Host: ${host}`, ...lines, '', '{}'].join('\r\n');

  it.each([
    ['a line break in a value', head('Content-Type: application/json', 'Idempotency-Key: a\rX-Evil: 1')],
    ['a null in a value', head('Content-Type: application/json', 'Idempotency-Key: a\0b')],
    ['a folded value', head('Content-Type: application/json', 'Idempotency-Key: a', ' b')],
    ['two lengths', head('Content-Length: 2', 'Content-Length: 7')],
    ['a length and pieces', head('Content-Length: 2', 'Transfer-Encoding: chunked')],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['a host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n'],
    ['more than any honest one', head(`X-Filler: ${'x'.repeat(20_000)}`)],
  ])('with %s are refused, and nothing changes', async (_, bytes) => {
    const before = await standing();
    expect(await sendBytes(at.api, bytes)).toMatch(/^HTTP\/1\.1 4(00|03|31) /);
    expect(await standing()).toBe(before);
  });

  it('of an answer never hold what was sent', async () => {
    const evil = 'x%0d%0aSet-Cookie:%20a=b';
    const sent = { 'idempotency-key': evil, 'last-event-id': evil, 'if-match': evil };
    for (const path of [`${ITEMS}/${evil}`, `${ITEMS}?cursor=${evil}`, `${ITEMS}/w1/stream?after=${evil}`]) {
      const { headers } = await ask(at.api, { path, headers: sent });
      expect(JSON.stringify(headers)).not.toMatch(/set-cookie|a=b/i);
    }
  });
});

describe('a body', () => {
  it('that is too large is refused before it is read, and while it is read where it does not say', async () => {
    const before = await standing();
    const large = JSON.stringify({ goal: 'x'.repeat(1_100_000) });
    const pieces = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    for (const headers of [{ ...JSON_TYPE, 'content-length': large.length }, pieces]) {
      for (const path of [ITEMS, own('/messages')]) {
        const { status, text } = await ask(at.api, { method: 'POST', path, headers, body: large });
        expect([status, codeOf(text)]).toEqual([413, 'body_too_large']);
      }
    }
    expect(await standing()).toBe(before);
  });
});

/** A server of its own: so short a patience would end honest requests of a busy machine. */
it.each([
  ['stops in the middle', 'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"goal":'],
  ['stops between two pieces', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"go\r\n'],
  ['never begins, for its headers never end', 'Content-Type: application/json\r\n'],
])('does not hold a line for ever for a body that %s', async (_, rest) => {
  const reported: unknown[] = [];
  const patience = { headersMs: 300, requestMs: 400, checkMs: 50 };
  const hasty = await served({ serve: { patience, report: (failure) => reported.push(failure) } });
  const bytes = `POST ${ITEMS} HTTP/1.1\r\nHost: ${new URL(hasty.api.url).host}\r\n${rest}`;
  expect(await sendBytes(hasty.api, bytes)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  expect((await hasty.store.list({ limit: 9 })).items.length).toBe(1);
  expect(await hasty.close()).toBe(0);
  expect(reported).toEqual([]);
});

it('tells a failure in full to who runs the server, and to the sender only where to look for it', async () => {
  const response = await at.post(ITEMS, { goal: 'Anything', directory: at.rig.repo });
  const text = await response.text();
  const { code, detail, next } = JSON.parse(text);
  expect([response.status, code]).toEqual([500, 'internal']);
  expect(text).not.toContain('secret');
  const { id, method, route, error } = failed.at(-1) ?? { id: 'none' };
  expect({ method, route, error }).toMatchObject({ method: 'POST', error: { message: 'a secret of /home/ada' } });
  expect([detail, next].join()).toContain(id);
  expect(route).toContain('/work-items');
});

it('keeps tokens out of answers, events, records, metrics and logs', async () => {
  const { token, id, headers } = await tokenOf('user', 'quiet');
  const secret = token.slice(-43);
  const said: string[] = [];
  const keep = async (response: Promise<Response>) => said.push(await (await response).text());
  await keep(at.get(own(), headers));
  await keep(
    at.post(own('/messages'), { target: { kind: 'coordinator' }, text: 'Hi.', clientMessageId: 'q' }, headers),
  );
  await keep(at.get(`${ITEMS}/nobody`, headers));
  await keep(at.get(`${ITEMS}?q=${token}`, headers));
  await keep(at.get(`/${token}`));
  await keep(at.get(own(), { authorization: `Bearer ${token}x` }));
  await keep(at.post(ITEMS, { goal: 'Anything', directory: at.rig.repo }, headers));
  await revokeToken(at.store, id, Date.now());
  await keep(at.get(own(), headers));
  await keep(at.get('/metrics'));
  expect(said.at(-1)).toContain('workcenter_');
  const kept = [await standing(), await at.store.listRecords('token', { limit: 100 }), at.rig.logs, failed.map(String)];
  expect(JSON.stringify([said, kept, failed.map(({ error }) => String(error))])).not.toContain(secret);
});
