import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { served } from './http.ts';

const PAGE = new URL('../../docs/api.md', import.meta.url);

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

it('documents every route that there is, and no other', async () => {
  const at = await served({ creates: false });
  const { paths } = (await (await at.get('/openapi.json')).json()) as Document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  );
  const told = [...(await readFile(PAGE, 'utf8')).matchAll(/^\| `([A-Z]+ \/[^`]+)` \|/gm)].map(([, route]) => route);
  expect(told.toSorted()).toEqual(routes.toSorted());
  expect(told.length).toBeGreaterThan(20);
  expect(await at.close()).toBe(0);
});
