import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needOf } from '../../src/api/access/route-scopes.ts';
import { allows, SCOPES, type Scope } from '../../src/api/access/scopes.ts';
import { addToken, revokeToken } from '../../src/api/access/token-records.ts';
import { type Place, placeOf } from '../../src/api/index.ts';
import { type Served, served } from './http.ts';
import { ask } from './raw.ts';

const ITEMS = '/api/v1/work-items';
const START = 1_800_000_000_000;

interface Wish {
  readonly scopes?: Scope[];
  readonly authority?: 'user' | 'agent';
  readonly expiresAt?: number | null;
}

let at: Served;
let now = START;
let count = 0;

async function tokenOf({ scopes = ['admin'], authority = 'user', expiresAt = null }: Wish = {}) {
  count += 1;
  const { minted } = await addToken(at.store, { name: `t${count}`, scopes, authority, expiresAt }, now);
  return { id: minted.id, token: minted.token, headers: { authorization: `Bearer ${minted.token}` } };
}

const problemOf = async (response: Response) => {
  const { code, expected, next } = (await response.json()) as Record<string, string>;
  return { status: response.status, code, expected, next, auth: response.headers.get('www-authenticate') };
};

/** Limits that no test comes near, but for those that mean to. */
const MANY = { points: 100_000, perMs: 60_000 };
const GENEROUS = { reads: MANY, writes: MANY, failures: MANY };

describe('a server that asks for tokens', () => {
  beforeAll(async () => {
    at = await served({ serve: { requireToken: true, limits: GENEROUS, now: () => now } });
  });
  afterAll(async () => {
    expect(await at.close()).toBe(0);
  });

  it('says that one is missing, for everything but the question whether it is there', async () => {
    for (const path of [ITEMS, '/readyz', '/metrics', '/openapi.json', '/docs', '/api/v1/feed', '/nowhere']) {
      const refused = await problemOf(await at.get(path));
      expect(refused, path).toMatchObject({ status: 401, code: 'token_missing', auth: 'Bearer realm="workcenter"' });
    }
    expect((await at.get('/healthz')).status).toBe(200);
    expect(await problemOf(await at.post('/healthz', {}))).toMatchObject({ status: 401 });
    expect(await problemOf(await at.post(ITEMS, {}))).toMatchObject({ status: 401, code: 'token_missing' });
  });

  it('lets in whoever brings one, until it expires or is revoked', async () => {
    const { headers, id } = await tokenOf({ expiresAt: START + 1_000 });
    expect((await at.get(ITEMS, headers)).status).toBe(200);
    now = START + 1_000;
    const expired = await problemOf(await at.get(ITEMS, headers));
    expect(expired).toMatchObject({ status: 401, code: 'token_expired' });
    expect(expired.auth).toBe('Bearer realm="workcenter", error="invalid_token"');
    await revokeToken(at.store, id, now);
    expect(await problemOf(await at.get(ITEMS, headers))).toMatchObject({ status: 401, code: 'token_revoked' });
  });

  it('takes nothing else for one, and does not say how near it came', async () => {
    const { token, id } = await tokenOf();
    const other = (await tokenOf()).token;
    const wrong = [
      ...['Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token} x`, `Bearer ${token}x`, 'Bearer wc__'],
      ...[`Bearer wc_${id}_${other.slice(-43)}`, `Bearer wc_00000000_${token.slice(-43)}`],
    ];
    const said = new Set<string>();
    for (const authorization of wrong) {
      const response = await at.get(ITEMS, { authorization });
      const text = await response.text();
      expect([response.status, JSON.parse(text).code], authorization).toEqual([401, 'token_invalid']);
      expect(text).not.toContain(token.slice(-43));
      said.add(text);
    }
    expect(said.size).toBe(2);
    const lower = await at.get(ITEMS, { authorization: `bearer ${token}` });
    expect(lower.status).toBe(200);
  });

  it('refuses a token in a URL, whoever it is, and does not repeat it', async () => {
    const { token, headers } = await tokenOf();
    for (const path of [
      `${ITEMS}?token=${token}`,
      `${ITEMS}?x=1&access_token=abc`,
      `/${token}`,
      `${ITEMS}?q=${token}`,
    ]) {
      const response = await at.get(path, headers);
      const text = await response.text();
      expect([response.status, JSON.parse(text).code], path).toEqual([400, 'token_in_url']);
      expect(text).not.toContain(token);
    }
  });

  it('lets every scope do what it says on every route, and nothing more', async () => {
    const document = (await (await at.get('/openapi.json', (await tokenOf()).headers)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>;
    };
    const held = await Promise.all(SCOPES.map(async (scope) => ({ scope, ...(await tokenOf({ scopes: [scope] })) })));
    const before = await at.store.changedSince(undefined);
    let refusals = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const need = needOf(method.toUpperCase(), path);
        expect(security, path).toEqual(need === 'open' ? undefined : [{ token: [need] }, {}]);
        for (const { scope, headers } of held.filter((one) => need !== 'open' && !allows([one.scope], need))) {
          const url = path.replaceAll(/\{[^}]+\}/g, 'x');
          const json = { 'content-type': 'application/json' };
          const answer = await ask(at.api, {
            method: method.toUpperCase(),
            path: url,
            headers: { ...headers, ...json },
          });
          const { code, expected, found } = JSON.parse(answer.text);
          expect([url, answer.status, code, expected, found]).toEqual([url, 403, 'scope_too_small', need, scope]);
          refusals += 1;
        }
      }
    }
    expect(refusals).toBeGreaterThan(20);
    expect(await at.store.changedSince(before.cursor)).toMatchObject({ items: [] });
    for (const { headers } of held) expect((await at.get(`${ITEMS}/${at.itemId}`, headers)).status).toBe(200);
  });

  it('makes what is done with a token the word of the person it is named after (D16)', async () => {
    const { headers } = await tokenOf({ scopes: ['operate'] });
    const message = { target: { kind: 'coordinator' }, text: 'Use blue.', clientMessageId: 'm-1' };
    expect((await at.post(`${ITEMS}/${at.itemId}/messages`, message, headers)).status).toBe(200);
  });

  it('keeps what an agent creates a draft, whatever it asks for, and started what a person creates (D16)', async () => {
    const wish = { goal: 'Write hello.txt', directory: at.rig.repo, start: true };
    const statusFor = async (authority: 'user' | 'agent') => {
      const { headers } = await tokenOf({ scopes: ['create'], authority });
      return ((await (await at.post(ITEMS, wish, headers)).json()) as { readonly status: string }).status;
    };
    expect([await statusFor('agent'), await statusFor('user')]).toEqual(['draft', 'deciding']);
  });

  it('keeps an agent from what outlasts an item, whatever its scope', async () => {
    const { headers } = await tokenOf({ scopes: ['admin'], authority: 'agent' });
    const before = await at.store.readSettings();
    const sent = { ...headers, 'content-type': 'application/json', 'if-match': '"0"' };
    const answer = await ask(at.api, { method: 'PUT', path: '/api/v1/settings', headers: sent, body: '{}' });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'user_required']);
    expect(await problemOf(await at.get('/api/v1/webhooks', headers))).toMatchObject({ code: 'user_required' });
    expect(await at.store.readSettings()).toEqual(before);
  });
});

describe('a server on loopback', () => {
  beforeAll(async () => {
    at = await served({ serve: { now: () => now } });
  });
  afterAll(async () => {
    expect(await at.close()).toBe(0);
  });

  it('takes whoever sends no token for the person at the machine, and judges a token that is sent', async () => {
    expect((await at.get(ITEMS)).status).toBe(200);
    const { headers, id } = await tokenOf({ scopes: ['read'] });
    expect(await problemOf(await at.post(`${ITEMS}/${at.itemId}/stop`, {}, headers))).toMatchObject({
      ...{ status: 403, code: 'scope_too_small', expected: 'operate' },
      auth: 'Bearer realm="workcenter", error="insufficient_scope", scope="operate"',
    });
    await revokeToken(at.store, id, now);
    expect(await problemOf(await at.get(ITEMS, headers))).toMatchObject({ status: 401, code: 'token_revoked' });
    expect((await at.store.load(at.itemId))?.lifecycle).toBe('open');
  });

  it('answers every request with headers that keep it from being taken for a page', async () => {
    for (const path of [ITEMS, '/healthz', '/nowhere', `${ITEMS}?token=1`]) {
      const { headers } = await at.get(path);
      expect(Object.fromEntries(headers), path).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': expect.stringMatching(/no-(cache|store)/),
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('rates', () => {
  const limits = {
    reads: { points: 3, perMs: 60_000 },
    writes: { points: 1, perMs: 60_000 },
    failures: { points: 2, perMs: 60_000 },
  };
  beforeAll(async () => {
    at = await served({ serve: { limits, now: () => now } });
  });
  afterAll(async () => {
    expect(await at.close()).toBe(0);
  });

  it('are counted for each token, reads and changes apart, and say when to come back', async () => {
    const [one, other] = [await tokenOf(), await tokenOf()];
    const statuses = async (times: number, send: () => Promise<Response>) => {
      const found: number[] = [];
      for (let n = 0; n < times; n += 1) found.push((await send()).status);
      return found;
    };
    expect(await statuses(4, () => at.get(ITEMS, one.headers))).toEqual([200, 200, 200, 429]);
    expect(await statuses(2, () => at.post(`${ITEMS}/x/stop`, {}, one.headers))).toEqual([404, 429]);
    expect(await statuses(1, () => at.get(ITEMS, other.headers))).toEqual([200]);
    const refused = await at.get(ITEMS, one.headers);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(await statuses(5, () => at.get(ITEMS))).toEqual([200, 200, 200, 200, 200]);
  });

  it('leave few wrong tokens to an address, and never keep a right one out', async () => {
    const { headers } = await tokenOf();
    const wrong = { authorization: 'Bearer wc_00000000_wrong' };
    const found: number[] = [];
    for (let n = 0; n < 4; n += 1) found.push((await at.get(ITEMS, wrong)).status);
    expect(found).toEqual([401, 401, 429, 429]);
    expect((await at.get(ITEMS, headers)).status).toBe(200);
  });
});

describe('names', () => {
  const everywhere: Place = { address: '127.0.0.1', names: ['localhost', '127.0.0.1', '[::1]'], reach: 'everywhere' };
  const PROXY = ['Work.Example', 'other.example:8443'];
  let port = '';
  beforeAll(async () => {
    at = await served({ serve: { place: everywhere, allowHosts: PROXY, limits: GENEROUS } });
    port = new URL(at.api.url).port;
  });
  afterAll(async () => {
    expect(await at.close()).toBe(0);
  });

  const codeUnder = async (headers: Record<string, string>, path = '/healthz', method = 'GET') => {
    const { status, text } = await ask(at.api, { path, method, headers });
    return status === 200 ? 'fine' : (JSON.parse(text) as { readonly code: string }).code;
  };

  it('of its own, of the proxy before it and addresses are known; a name that points here is not', async () => {
    const hosts = [`localhost:${port}`, `[::1]:${port}`, '192.0.2.7:7420', '192.0.2.7', '[2001:db8::7]:80'];
    for (const host of [...hosts, 'work.example', 'WORK.example:8443', 'other.example:8443'])
      expect([host, await codeUnder({ host })]).toEqual([host, 'fine']);
    const foreign = ['evil.example', `evil.example:${port}`, 'localhost', 'other.example', '192.0.2.7.evil.example'];
    for (const host of [...foreign, 'work.example.evil.example', 'xwork.example'])
      expect([host, await codeUnder({ host })]).toEqual([host, 'foreign_host']);
    for (const host of ['work.example:x', 'x@work.example', 'work.example/x'])
      expect([host, await codeUnder({ host })]).toEqual([host, 'invalid_request']);
  });

  it('in Origin are those under which it was asked, or the proxy with TLS', async () => {
    const send = async (host: string, origin: string) => codeUnder({ host, origin }, `${ITEMS}/x/stop`, 'POST');
    const own = `127.0.0.1:${port}`;
    expect(await send(own, `http://${own}`)).toBe('token_missing');
    expect(await send('work.example', 'https://work.example')).toBe('token_missing');
    expect(await send(own, 'https://work.example')).toBe('token_missing');
    expect(await send('192.0.2.7:7420', 'http://192.0.2.7:7420')).toBe('token_missing');
    for (const origin of ['http://192.0.2.8:7420', `https://${own}`, 'null', 'http://evil.example', `ftp://${own}`])
      expect([origin, await send(own, origin)]).toEqual([origin, 'foreign_origin']);
  });

  it('of other sites may link here and may not fetch from here', async () => {
    const host = 'work.example';
    const site = { host, 'sec-fetch-site': 'cross-site' };
    const link = { ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(await codeUnder(link)).toBe('fine');
    expect(await codeUnder({ ...link, 'sec-fetch-dest': 'iframe' })).toBe('foreign_origin');
    expect(await codeUnder(link, `${ITEMS}/x/stop`, 'POST')).toBe('foreign_origin');
    expect(await codeUnder({ ...site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' })).toBe(
      'foreign_origin',
    );
    expect(await codeUnder({ ...site, 'sec-fetch-site': 'same-site' })).toBe('foreign_origin');
  });

  it('of a proxy, or an address that others reach, take a token for granted', async () => {
    expect(await codeUnder({ host: `localhost:${port}` }, ITEMS)).toBe('token_missing');
    const proxied = await served({ serve: { allowHosts: ['work.example'] } });
    expect((await proxied.get(ITEMS)).status).toBe(401);
    expect(await proxied.close()).toBe(0);
  });
});

it.skipIf(networkInterfaces().lo?.every(({ family }) => family !== 'IPv6') ?? true)(
  'is served on an IPv6 address under its name in brackets',
  async () => {
    const place = await placeOf('[::1]');
    const six = await served({ serve: place ? { place } : {} });
    expect(six.api.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await six.get(ITEMS)).status).toBe(200);
    expect(await six.close()).toBe(0);
  },
);
