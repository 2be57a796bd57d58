import { expect, it } from 'vitest';
import { served } from './http.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

it('tells every route and every shape of the document on one page, without a script and with no loose link', async () => {
  const at = await served({ creates: false });
  const document = (await (await at.get('/openapi.json')).json()) as Document;
  const response = await at.get('/docs');
  const page = await response.text();
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
  for (const [path, methods] of Object.entries(document.paths)) {
    expect(page).toContain(`<code>${path}</code>`);
    for (const { summary } of Object.values(methods)) expect(page).toContain(summary.split('`')[0]);
  }
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const name of Object.keys(document.components.schemas)) expect(anchors).toContain(`shape-${name}`);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(200);
  expect(page).not.toMatch(/<script|style=|\[object|undefined|javascript:/);
  const style = await at.get('/docs/style.css');
  expect([style.headers.get('content-type'), await style.text()]).toEqual([
    'text/css; charset=utf-8',
    expect.stringContaining('prefers-color-scheme: dark'),
  ]);
  expect(await at.close()).toBe(0);
});
