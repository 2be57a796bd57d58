import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/client/open-api-document.ts';
import { METHODS, operationIdOf } from '../../src/api/document.ts';

const document = openApiDocument();
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : [];
  }),
);

it('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const result = await validator.validate({ ...document });
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect((await validator.validate({ ...document, info: { title: 'no version' } })).valid).toBe(false);
});

it('names every operation once, says what it is for and which resource it belongs to', () => {
  expect(operations.length).toBeGreaterThan(20);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { name, operation } of operations) {
    expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary, name).toMatch(/^[A-Z].{5,}/);
    expect(operation.tags, name).toHaveLength(1);
  }
});

it('says of every operation how it refuses, as a problem document (D33)', () => {
  for (const { name, operation } of operations) {
    const refusals = Object.entries(operation.responses ?? {}).filter(([status]) => /^[45]/.test(status));
    expect(refusals.length, name).toBeGreaterThan(2);
    for (const [status, response] of refusals) {
      const schema = { $ref: '#/components/schemas/Problem' };
      expect(response, `${name} ${status}`).toMatchObject({ content: { 'application/problem+json': { schema } } });
    }
  }
});

it.each([
  ['get', '/api/v1/work-items', 'getWorkItems'],
  ['get', '/api/v1/work-items/{id}', 'getWorkItem'],
  ['post', '/api/v1/work-items/{id}/requests/{requestId}/resolution', 'postWorkItemRequestResolution'],
])('names %s %s %s', (method, path, id) => {
  expect(operationIdOf(method, path)).toBe(id);
});
