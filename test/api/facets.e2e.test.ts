import { afterEach, beforeEach, expect, it } from 'vitest';
import { command, create, USER } from '../store/items.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
  for (const [id, directory] of Object.entries({ w1: '/p/b', w2: '/p/a', w3: '/p/b' }))
    await at.store.execute(create(id, { contract: { directory }, start: id !== 'w3' }));
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly directories: readonly unknown[];
  readonly facets: { readonly directories: readonly unknown[] };
  readonly nextCursor?: string;
}

const read = async (path: string): Promise<Page> => (await (await at.get(`/api/v1/work-items${path}`)).json()) as Page;
const NONE = { needs_you: 0, active: 0, done: 0, draft: 0 };

it('offers every directory to narrow a list by, not only those of the page (D33)', async () => {
  const { facets } = await read('?limit=1&facets=true');
  expect(facets.directories.slice(0, 2)).toEqual([
    { directory: '/p/a', counts: { ...NONE, active: 1 } },
    { directory: '/p/b', counts: { ...NONE, active: 1, draft: 1 } },
  ]);
  expect(await read('?limit=1')).not.toHaveProperty('facets');
});

it('tells directories page by page, and is no item', async () => {
  const first = await read('/facets?limit=1');
  expect(first.directories).toMatchObject([{ directory: '/p/a' }]);
  const second = await read(`/facets?limit=1&cursor=${first.nextCursor}`);
  expect(second.directories).toMatchObject([{ directory: '/p/b' }]);
  const rest = await read(`/facets?cursor=${second.nextCursor}`);
  expect(rest.directories).toMatchObject([{ counts: { ...NONE, active: 1 } }]);
  expect(rest).not.toHaveProperty('nextCursor');
});

it('narrows to the tool that asked for the work (D37)', async () => {
  const origin = { client: 'ide', sessionId: 's1' };
  const made = await at.post('/api/v1/work-items', { goal: 'Make it blue', directory: at.rig.repo, origin });
  const { id } = (await made.json()) as { readonly id: string };
  for (const query of ['origin=ide', 'session=s1', 'origin=ide&session=s1&q=blue'])
    expect(await read(`?${query}`), query).toMatchObject({ items: [{ id }] });
  expect((await read('?origin=another')).items).toEqual([]);
  expect(await read(`/${id}`)).toMatchObject({ origin });
});

it('narrows to a directory, to words and to the last days, but never hides what needs a person', async () => {
  const ids = async (query: string): Promise<readonly string[]> =>
    (await read(`?${query}`)).items.map(({ id }) => id).toSorted();
  expect(await ids('directory=%2Fp%2Fb')).toEqual(['w1', 'w3']);
  expect(await ids('directory=%2Fp%2Fb&lane=draft')).toEqual(['w3']);
  const held = { type: 'HoldItem', code: 'user', details: 'until Monday' } as const;
  await at.store.execute(command('w2', held, { principal: USER }));
  const later = Date.now() + 3_600_000;
  expect(await ids(`updatedFrom=${later}`)).toEqual(['w2']);
  expect(await ids(`updatedFrom=${later}&q=work&lane=needs_you`)).toEqual(['w2']);
  expect(await read('?updatedFrom=yesterday')).toMatchObject({ code: 'invalid_request' });
});
