import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../src/api/paging/page.ts';
import type { Command } from '../../src/core/index.ts';
import { actionSpec, claim, create, dispatch, settle } from '../store/items.ts';
import { agentItem, call, responded, runFence } from '../store/talk-items.ts';
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

type Row = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>> & { readonly nextCursor?: string };

const read = async (path: string): Promise<{ body: Body; bytes: number }> => {
  const text = await (await at.get(`/api/v1/work-items${path}`)).text();
  return { body: JSON.parse(text) as Body, bytes: Buffer.byteLength(text) };
};

/** Every record of a list, page by page; none of the answers may be over the budget. */
async function all(path: string, part: string): Promise<{ rows: readonly Row[]; pages: number }> {
  const rows: Row[] = [];
  let pages = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; pages += 1) {
    const sign = path.includes('?') ? '&' : '?';
    const { body, bytes } = await read(`${path}${cursor === '' ? '' : `${sign}cursor=${cursor}`}`);
    expect(bytes).toBeLessThan(PAGE_BYTES + 1_024);
    rows.push(...(body[part] as readonly Row[]));
    cursor = body.nextCursor;
  }
  return { rows, pages };
}

const WORDS = 'What has to be done here takes many words. '.repeat(200);

describe('a page', () => {
  it('ends before its bytes do, and none of the Actions is cut or left out (chapter 4 §9.12)', async () => {
    const executor = { kind: 'command', run: 'true', identity: WORDS } as const;
    const actions = Array.from({ length: 64 }, (_, n) => ({ id: `a${n}`, spec: actionSpec(`do-${n}`, { executor }) }));
    await does(create('w1', { actions }));
    const { rows, pages } = await all('/w1/actions?limit=200', 'actions');
    expect(rows.map(({ id }) => id)).toEqual(actions.map(({ id }) => id));
    expect(new Set(rows.map((row) => (row.executor as { who: string }).who))).toEqual(new Set([WORDS]));
    expect(pages).toBe(3);
  });

  it('of many Runs with long errors shows each once, however many fit', async () => {
    await does(create('w1', { actions: [{ id: 'a1', spec: actionSpec('a1') }] }));
    const failed = { kind: 'interrupted', code: 'engine_stopped', error: WORDS.slice(0, 7_900) } as const;
    for (let n = 1; n <= 100; n += 1) {
      await does(claim('w1', `r${n}`), dispatch('w1', `r${n}`, n), settle('w1', `r${n}`, failed, n));
    }
    const { rows, pages } = await all('/w1/actions/a1/runs?limit=200', 'runs');
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, n) => `r${100 - n}`));
    expect(pages).toBeGreaterThan(2);
  });

  it('of Runs goes on where the one before ended, also when others have begun since', async () => {
    await does(create('w1'));
    const failed = { kind: 'interrupted', code: 'engine_stopped', error: 'It stopped.' } as const;
    const carried = (n: number) => [claim('w1', `r${n}`), dispatch('w1', `r${n}`, n), settle('w1', `r${n}`, failed, n)];
    for (let n = 1; n <= 5; n += 1) await does(...carried(n));
    const first = (await read('/w1/actions/a1/runs?limit=2')).body;
    expect(first).toMatchObject({ runs: [{ id: 'r5' }, { id: 'r4' }] });
    await does(...carried(6));
    const second = (await read(`/w1/actions/a1/runs?limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ runs: [{ id: 'r3' }, { id: 'r2' }] });
    const last = (await read(`/w1/actions/a1/runs?limit=2&cursor=${second.nextCursor}`)).body;
    expect(last).toMatchObject({ runs: [{ id: 'r1' }] });
    expect(last).not.toHaveProperty('nextCursor');
  });

  it('of model requests keeps to the owner that was asked for', async () => {
    await does(agentItem('w1'), claim('w1', 'r1'), dispatch('w1', 'r1'));
    for (const n of [1, 2, 3]) {
      const asked = call('w1', runFence('r1'), `c${n}`, { n });
      await does(asked.prepare, asked.dispatch, asked.settle(responded(1, null)));
    }
    const { rows, pages } = await all('/w1/calls?owner=r1&limit=2', 'calls');
    expect([rows.map(({ id }) => id), pages]).toEqual([['c3', 'c2', 'c1'], 2]);
    const { body } = await read('/w1/calls?owner=r1&limit=2');
    expect((await read(`/w1/calls?limit=2&cursor=${body.nextCursor}`)).body).toMatchObject({ code: 'invalid_cursor' });
  });

  it('of a conversation loses its far end, and says that there is more', async () => {
    const text = 'w'.repeat(7_900);
    for (let n = 0; n < 60; n += 1) {
      const body = { target: { kind: 'coordinator' }, text: `${n} ${text}`, clientMessageId: `m-${n}` };
      expect((await at.post(`/api/v1/work-items/${at.itemId}/messages`, body)).status).toBe(200);
    }
    const path = `/${at.itemId}/conversation?limit=200`;
    const seen: string[] = [];
    let before = '';
    for (let more = true; more; ) {
      const { body, bytes } = await read(`${path}${before}`);
      expect(bytes).toBeLessThan(PAGE_BYTES + 1_024);
      const entries = body.entries as readonly { seq: number; text: string }[];
      seen.unshift(...entries.map((entry) => entry.text.split(' ')[0] ?? ''));
      before = `&before=${entries[0]?.seq}`;
      more = body.more === true;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => String(n)));
    const { body } = await read(`${path}&after=0`);
    expect(body.more).toBe(true);
    expect((body.entries as readonly Row[])[0]?.text).toBe(`0 ${text}`);
  });
});

describe('events of some types', () => {
  const events = async (query: string) => {
    const { body } = await read(`/w1/events?${query}`);
    return { more: body.more, events: (body.events ?? []) as readonly { seq: number; body: { type: string } }[] };
  };

  it('come in their order, page by page, and none is left out', async () => {
    await does(create('w1'));
    const failed = { kind: 'interrupted', code: 'engine_stopped', error: 'It stopped.' } as const;
    for (let n = 1; n <= 4; n += 1)
      await does(claim('w1', `r${n}`), dispatch('w1', `r${n}`, n), settle('w1', `r${n}`, failed, n));
    const wanted = (await events('')).events.filter(({ body }) => ['RunClaimed', 'RunSettled'].includes(body.type));
    expect(wanted.length).toBe(8);
    const two = 'type=RunClaimed&type=RunSettled';
    expect(await events(two)).toEqual({ more: false, events: wanted });
    const first = await events(`${two}&limit=3`);
    expect(first).toEqual({ more: true, events: wanted.slice(0, 3) });
    const last = await events(`${two}&limit=5&after=${first.events.at(-1)?.seq}`);
    expect(last).toEqual({ more: false, events: wanted.slice(3) });
    expect((await events('type=RunSettled')).events.every(({ body }) => body.type === 'RunSettled')).toBe(true);
    expect(await events('type=OfTomorrow')).toEqual({ more: false, events: [] });
    expect((await read('/w1/events?type=')).body).toMatchObject({ code: 'invalid_request' });
    const many = Array.from({ length: 65 }, () => 'type=RunSettled').join('&');
    expect((await read(`/w1/events?${many}`)).body).toMatchObject({ code: 'invalid_request' });
  });
});

describe('a cursor', () => {
  const places = [
    '',
    '/w1/actions',
    '/w1/actions/a1/runs',
    '/w1/calls',
    '/w1/requests',
    '/w1/evidence',
    '/w1/operations',
    '/facets',
  ];

  it('of nowhere is refused by every list', async () => {
    await does(create('w1'));
    const forged = Buffer.from('xxxxxxxx99').toString('base64url');
    for (const path of places.flatMap((place) => ['x', '%00', forged].map((cursor) => `${place}?cursor=${cursor}`))) {
      const { body } = await read(path);
      expect(body, path).toMatchObject({ code: 'invalid_cursor', next: expect.stringContaining('first page') });
    }
  });

  it('of another query is refused, whatever differs', async () => {
    for (const id of ['w1', 'w2', 'w3']) await does(create(id));
    const { nextCursor } = (await read('?lane=active&limit=1')).body;
    expect((await read(`?lane=active&limit=2&cursor=${nextCursor}`)).body).toHaveProperty('items.length', 2);
    for (const other of [
      '',
      'lane=done',
      'lane=active&q=work',
      'lane=active&directory=%2Fp',
      'lane=active&updatedFrom=1',
      'lane=active&origin=ide',
    ])
      expect((await read(`?${other}&cursor=${nextCursor}`)).body, other).toMatchObject({ code: 'invalid_cursor' });
    const actions = ['a1', 'a2'].map((id) => ({ id, spec: actionSpec(id) }));
    await does(create('w4', { actions }), create('w5', { actions }));
    const page = (await read('/w4/actions?limit=1')).body;
    expect((await read(`/w5/actions?cursor=${page.nextCursor}`)).body).toMatchObject({ code: 'invalid_cursor' });
    expect((await read(`/w4/evidence?cursor=${page.nextCursor}`)).body).toMatchObject({ code: 'invalid_cursor' });
  });
});
