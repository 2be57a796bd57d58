import { expect, expectTypeOf, it } from 'vitest';
import { type Answer, createClient, type Item, type ItemPage } from '../../src/client/index.ts';

const client = createClient({
  url: 'http://work.example',
  fetch: async () => Response.json({ code: 'not_asked', detail: 'Only types are looked at here.' }, { status: 400 }),
});

/** `npm run types` is the test: each mark below fails where the line under it is accepted. */
it('knows the parameters, bodies and answers of every route', async () => {
  const item = await client.get('/api/v1/work-items/{id}', { params: { path: { id: 'a' } } });
  expectTypeOf(item).toEqualTypeOf<Answer<Item>>();
  const page = await client.get('/api/v1/work-items', { params: { query: { lane: 'done', limit: 5 } } });
  expectTypeOf(page).toEqualTypeOf<Answer<ItemPage>>();
  if (item.problem) expectTypeOf(item.problem.code).toEqualTypeOf<string>();
  else expectTypeOf(item.data.criteria[0]?.standing).toExtend<string | undefined>();
  expect(item.problem?.code).toBe('not_asked');
});

it('refuses what the document does not have', async () => {
  // @ts-expect-error there is no such route
  await client.get('/api/v1/elsewhere');
  // @ts-expect-error it has no such method
  await client.patch('/api/v1/work-items/{id}/stop', { params: { path: { id: 'a' } }, body: {} });
  // @ts-expect-error the id is missing
  await client.get('/api/v1/work-items/{id}');
  // @ts-expect-error there is no such lane
  await client.get('/api/v1/work-items', { params: { query: { lane: 'elsewhere' } } });
  // @ts-expect-error the body is missing
  await client.post('/api/v1/work-items');
  // @ts-expect-error a goal is text
  await client.post('/api/v1/work-items', { body: { goal: 1, directory: '/' } });
  // @ts-expect-error a field that the route does not know
  await client.post('/api/v1/work-items', { body: { goal: 'g', directory: '/', colour: 'red' } });
  const { data } = await client.get('/api/v1/work-items/{id}', { params: { path: { id: 'a' } } });
  // @ts-expect-error a field that the answer does not have
  expect(data?.colour).toBeUndefined();
});
