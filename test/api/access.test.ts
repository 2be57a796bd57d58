import { describe, expect, it } from 'vitest';
import { localAccess } from '../../src/api/access/access.ts';
import { isRuled, needOf } from '../../src/api/access/route-scopes.ts';
import { allows, SCOPES } from '../../src/api/access/scopes.ts';
import { holdsToken, isSamePrint, mintToken, printOf } from '../../src/api/access/token.ts';
import { addToken, findToken, listTokens, revokeToken, touchToken } from '../../src/api/access/token-records.ts';
import { createApi } from '../../src/api/api.ts';
import { documentOf } from '../../src/api/document.ts';
import { placeOf } from '../../src/api/place.ts';
import { needsToken } from '../../src/api/serve.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';

const store = () => openMemoryStore();

describe('a token', () => {
  it('is recognised by its print, which does not hold its secret', () => {
    const { token, ...print } = mintToken();
    const secret = token.slice(-43);
    expect(token).toBe(`wc_${print.id}_${secret}`);
    expect(JSON.stringify(print)).not.toContain(secret);
    expect(printOf(token)).toEqual(print);
    expect(isSamePrint(print, printOf(token) ?? mintToken())).toBe(true);
    expect(isSamePrint(print, { ...mintToken(), id: print.id })).toBe(false);
    expect(holdsToken(`/x?y=${token}`)).toBe(true);
  });

  it.each(['', 'wc_', 'wc_0123abcd_short', `wc_0123ABCD_${'x'.repeat(43)}`, `wc_0123abcd_${'x'.repeat(44)}`])(
    'is not %j',
    (text) => expect(printOf(text)).toBeUndefined(),
  );

  it('is kept without its secret, noted as used at most once a minute, and revoked for ever', async () => {
    const at = store();
    const wanted = { name: 'phone', scopes: ['read' as const], authority: 'user' as const, expiresAt: null };
    const { minted, record } = await addToken(at, wanted, 1_000);
    expect(JSON.stringify(await at.listRecords('token', { limit: 9 }))).not.toContain(minted.token.slice(-43));
    const use = async (now: number) => {
      await touchToken(at, (await findToken(at, record.id)) ?? record, now);
      return (await findToken(at, record.id))?.lastUsedAt;
    };
    expect([await use(2_000), await use(61_999), await use(62_000)]).toEqual([2_000, 2_000, 62_000]);
    expect(await revokeToken(at, record.id, 70_000)).toMatchObject({ revokedAt: 70_000 });
    expect(await revokeToken(at, record.id, 80_000)).toMatchObject({ revokedAt: 70_000 });
    await touchToken(at, record, 200_000);
    expect(await listTokens(at)).toMatchObject([{ name: 'phone', revokedAt: 70_000, lastUsedAt: 62_000 }]);
    expect(await revokeToken(at, 'ffffffff', 1)).toBeUndefined();
  });
});

describe('scopes', () => {
  it('include reading, and admin everything', () => {
    const table = SCOPES.map((held) => SCOPES.filter((needed) => allows([held], needed)));
    expect(table).toEqual([['read'], ['read', 'create'], ['read', 'operate'], [...SCOPES]]);
    expect(allows([], 'read')).toBe(false);
    expect(allows(['create', 'operate'], 'admin')).toBe(false);
  });

  it('are laid down for every route that the document names', () => {
    const deps = { store: store(), version: '0', hosts: () => [], heartbeatMs: 1, access: localAccess() };
    const app = createApi({ ...deps, report: () => undefined }, AbortSignal.abort());
    const routes = Object.entries(documentOf(app, '0').paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(([method, path]) => !isRuled(method, path))).toEqual([]);
    const changing = routes.filter(([method]) => method !== 'GET');
    expect(changing.filter(([method, path]) => ['read', 'open'].includes(needOf(method, path)))).toEqual([]);
  });

  it('are the largest one for what nobody has thought of', () => {
    expect(needOf('DELETE', '/api/v1/everything')).toBe('admin');
    expect(needOf('POST', '/healthz')).toBe('admin');
    expect(needOf('POST', '/api/v1/work-items/')).toBe('admin');
    expect(needOf('POST', '/api/v1/work-items/w1/anything/new')).toBe('operate');
    expect(needOf('GET', '/api/v1/webhooks')).toBe('admin');
    expect(needOf('GET', '/api/v1/webhooks/w1/deliveries')).toBe('admin');
    expect([needOf('HEAD', '/healthz'), needOf('GET', '/healthz/x'), needOf('GET', '/readyz')]).toEqual([
      'open',
      'read',
      'read',
    ]);
  });
});

describe('a place to listen at', () => {
  it.each([
    ['127.0.0.1', 'loopback', false],
    ['127.9.9.9', 'loopback', false],
    ['[::1]', 'loopback', false],
    ['localhost', 'loopback', false],
    ['0.0.0.0', 'everywhere', true],
    ['::', 'everywhere', true],
    ['192.0.2.7', 'address', true],
    ['::ffff:192.0.2.7', 'address', true],
  ])('%s is %s: a token is needed: %j', async (host, reach, needed) => {
    const place = await placeOf(host);
    expect(place).toMatchObject({ reach });
    expect(place && needsToken(place, {})).toBe(needed);
    expect(place && needsToken(place, { allowHosts: ['a.example'] })).toBe(true);
    expect(place && needsToken(place, { requireToken: true })).toBe(true);
  });

  it('is nowhere under a name that stands for nothing', async () => {
    expect(await placeOf('nothing.invalid')).toBeUndefined();
  });
});
