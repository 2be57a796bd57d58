import type { OpenAPIHono } from '@hono/zod-openapi';
import { type Need, needOf } from './access/route-scopes.ts';

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type PathItem = NonNullable<Document['paths']>[string];
type Operation = NonNullable<PathItem['get']>;

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

const PREFIX = '/api/v1/';

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const camel = (segment: string): string =>
  segment
    .split(/[^a-zA-Z0-9]+/)
    .map(capital)
    .join('');
const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false;

/** `GET /work-items/{id}/actions` is `getWorkItemActions`: one of several is named in the singular. */
export function operationIdOf(method: string, path: string): string {
  const segments = path.replace(PREFIX, '').split('/');
  const words = segments.flatMap((segment, index) => {
    if (segment === '' || isParameter(segment)) return [];
    return [camel(isParameter(segments[index + 1]) ? segment.replace(/s$/, '') : segment)];
  });
  return [method, ...words].join('');
}

/** The resource that a route is about: the last collection of its path that has members, else the first segment. */
function tagOf(path: string): string {
  const segments = path.replace(PREFIX, '').split('/');
  const members = segments.filter((_, index) => isParameter(segments[index + 1]));
  return members.at(-1) ?? segments[0] ?? 'service';
}

/** The scope that a token needs, where one is needed at all. */
const securityOf = (need: Need) => (need === 'open' ? {} : { security: [{ token: [need] }, {}] });

const TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description: 'wc_ID_SECRET, as `workcenter token add` prints it. Not needed on loopback unless the server says so.',
} as const;

const named = (path: string, method: Method, operation: Operation): Operation => ({
  operationId: operationIdOf(method, path),
  tags: [tagOf(path)],
  ...securityOf(needOf(method.toUpperCase(), path)),
  ...operation,
});

/** Every operation with a name that clients may be made from, and the resource it belongs to, unless its route says so. */
export function documentOf(app: OpenAPIHono, version: string): Document {
  const description = 'Durable work for AI agents that is not done until it is proven.';
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Work Center', version, description, license: { name: 'MIT' } },
    servers: [{ url: '/', description: 'The server that this document came from.' }],
  });
  const paths = Object.entries(document.paths ?? {}).map(([path, item]): [string, PathItem] => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [[method, named(path, method, operation)] as const] : [];
    });
    return [path, { ...item, ...Object.fromEntries(operations) }];
  });
  const components = { ...document.components, securitySchemes: { token: TOKEN } };
  return { ...document, components, paths: Object.fromEntries(paths) };
}
