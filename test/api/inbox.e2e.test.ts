import { afterEach, beforeEach, expect, it } from 'vitest';
import { actionSpec, claim, create, dispatch, outcomeOf, settle } from '../store/items.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

interface Line {
  readonly item: { readonly id: string; readonly title: string; readonly controlVersion: number };
  readonly request: { readonly id: string; readonly kind: string; readonly openedAt: number } | null;
  readonly hold: { readonly code: string; readonly details: string; readonly can: { readonly resume: unknown } } | null;
}

interface Page {
  readonly lines: readonly Line[];
  readonly total: number;
  readonly nextCursor?: string;
}

const read = async (query = ''): Promise<Page> => (await at.get(`/api/v1/requests${query}`)).json() as Promise<Page>;

const failed = outcomeOf({ kind: 'failed', code: 'broken', error: 'It broke.' });

async function asking(id: string): Promise<void> {
  const actions = [{ id: 'a1', spec: actionSpec('a1') }];
  for (const command of [
    create(id, { actions }),
    claim(id, `${id}-1`),
    dispatch(id, `${id}-1`),
    settle(id, `${id}-1`, failed),
  ]) {
    const said = await at.store.execute(command);
    if ('code' in said) throw new Error(`${said.code} ${said.message}`);
  }
}

const held = async (id: string): Promise<void> => {
  await at.store.execute(create(id));
  const principal = { kind: 'user', name: 'ada' } as const;
  await at.store.execute({ itemId: id, principal, body: { type: 'HoldItem', code: 'user', details: 'Wait.' } });
};

it('lists what waits over all items, each with its item and the word of the server on what may be done', async () => {
  expect(await read()).toEqual({ lines: [], total: 0 });
  await asking('wa');
  await held('wb');
  const { lines } = await read();
  expect(lines.map(({ item }) => item.id).toSorted()).toEqual(['wa', 'wb']);
  expect(lines.find(({ item }) => item.id === 'wa')).toMatchObject({
    item: { id: 'wa', title: expect.any(String), controlVersion: expect.any(Number) },
    request: { id: 'r1', kind: 'recovery', can: { answer: { allowed: true } } },
    hold: null,
  });
  expect(lines.find(({ item }) => item.id === 'wb')).toMatchObject({
    request: null,
    hold: { code: 'user', details: 'Wait.', can: { resume: { allowed: true }, extend: { allowed: true } } },
  });
});

it('comes in pages, none of it twice, and forgets what was answered', async () => {
  for (const id of ['wa', 'wb', 'wc']) await asking(id);
  const first = await read('?limit=2');
  const second = await read(`?limit=2&cursor=${first.nextCursor}`);
  expect([...first.lines, ...second.lines].map(({ item }) => item.id).toSorted()).toEqual(['wa', 'wb', 'wc']);
  expect(second.nextCursor).toBeUndefined();
  expect([first.total, second.total]).toEqual([3, 3]);
  expect(await read('?cursor=bm9uZQ')).toMatchObject({ status: 400, code: 'invalid_cursor' });
  const body = { choice: 'retry', text: '', clientMessageId: 'm-1' };
  expect((await at.post('/api/v1/work-items/wb/requests/r1/resolution', body)).status).toBe(200);
  expect((await read()).lines.map(({ item }) => item.id).toSorted()).toEqual(['wa', 'wc']);
});
