import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { clientSchema } from '../../scripts/client/client-schema.ts';
import { openApiDocument } from '../../scripts/client/open-api-document.ts';

const SCHEMA = new URL('../../src/client/schema.ts', import.meta.url);

it('has the types of the OpenAPI document as the routes are now; if not: npm run client', async () => {
  const written = await readFile(SCHEMA, 'utf8');
  expect(written === (await clientSchema(openApiDocument()))).toBe(true);
});
