import fc from 'fast-check';
import { mutated, rawBodies } from './mutations.ts';
import { type Schema, type Source, valuesOf } from './schema-values.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A request as it is sent; `@kind:n` in path and body stands for the n-th name of that kind at that moment. */
export interface FuzzRequest {
  /** As the document has it where it does: `GET /…/{id}`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  '',
  'json',
];
const GARBAGE_SEGMENTS = [
  '..%2f..%2fetc',
  '%00',
  '%2e%2e',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  '%F0%9F%98%80',
  '-1',
  '%20',
  'nobody',
];
const GARBAGE_TEXTS = [
  '',
  '-1',
  '0',
  '1e9',
  '999999999999999999999',
  'NaN',
  '%00',
  'a b',
  '[]',
  'x'.repeat(600),
  'true',
  '%ED%A0%80',
];

const some = (weight: number, arbitrary: fc.Arbitrary<string>, garbage: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(...garbage) });

/** Legal in a header, whatever it means there. */
const headerText = (value: unknown): string =>
  String(value)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 300)
    .trim();

const versions = fc.constantFrom(
  '"0"',
  '"1"',
  '"1"',
  '"2"',
  '"3"',
  '"4"',
  '1',
  '*',
  'W/"1"',
  '""',
  '"999999999999"',
  'x'.repeat(40),
);
const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'if-match': versions,
  'idempotency-key': fc.constantFrom('k-1', 'k-2', 'k-3', '', 'k'.repeat(128), 'k'.repeat(129)),
  'last-event-id': fc.constantFrom('0', '1', '5', '-1', 'x', '99999999999999999999'),
  range: fc.constantFrom('bytes=0-1', 'bytes=-1', 'bytes=9-2', 'bytes=0-', 'lines=1'),
};

/** Headers of the operation, most of the time, and those that others have, now and then. */
function headersOf(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const own = new Set(parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()));
  const all = Object.entries(HEADERS).map(([name, values]) => {
    const absent = { weight: own.has(name) ? 1 : 12, arbitrary: fc.constant(undefined) };
    return [name, fc.oneof({ weight: own.has(name) ? 2 : 1, arbitrary: values }, absent)] as const;
  });
  return fc
    .record(Object.fromEntries(all))
    .map((given) =>
      Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, headerText(value)]])),
      ),
    );
}

/** A member of a collection stands behind its name: `@actions:n`. */
function segmentOf(segment: string, before: string): fc.Arbitrary<string> {
  if (!segment.startsWith('{')) return fc.constant(segment);
  return some(
    15,
    fc.nat(60).map((n) => `@${before}:${n}`),
    GARBAGE_SEGMENTS,
  );
}

function pathOf(path: string, parameters: readonly Parameter[], source: Source): fc.Arbitrary<string> {
  const names = path.split('/');
  const segments = names.map((segment, index) => segmentOf(segment, names[index - 1] ?? ''));
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, schema = {} }) =>
      fc.option(
        some(
          6,
          valuesOf(schema, source, name).map((value) => encodeURIComponent(headerText(value))),
          GARBAGE_TEXTS,
        ).map((value) => `${name}=${value}`),
        { nil: '', freq: 2 },
      ),
    );
  return fc.tuple(fc.tuple(...segments), fc.tuple(...query)).map(([parts, terms]) => {
    const said = terms.filter((term) => term !== '');
    return `${parts.join('/')}${said.length === 0 ? '' : `?${said.join('&')}`}`;
  });
}

interface Sent {
  readonly type: string;
  readonly body: string | undefined;
}

function bodiesOf(content: Content | undefined, source: Source): fc.Arbitrary<Sent> {
  const [type, schema] =
    Object.entries(content ?? {}).map(([name, { schema = {} }]) => [name, schema] as const)[0] ?? [];
  if (type === undefined || schema === undefined)
    return fc.constantFrom({ type: '', body: undefined }, { type: 'application/json', body: undefined });
  const isJson = type === 'application/json';
  const meant = isJson
    ? mutated(valuesOf(schema, source)).map((value) => JSON.stringify(value))
    : fc.string({ maxLength: 2_000 });
  const body = fc.oneof({ weight: 12, arbitrary: meant }, { weight: 1, arbitrary: rawBodies });
  return fc.record({ body, type: some(25, fc.constant(type), TYPES) });
}

function requestOf(path: string, method: string, operation: Operation, source: Source): fc.Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = operation;
  return fc
    .record({
      method: some(25, fc.constant(method.toUpperCase()), METHODS),
      path: pathOf(path, parameters, source),
      headers: headersOf(parameters),
      sent: bodiesOf(requestBody?.content, source),
    })
    .map(({ method: used, sent: { type, body }, ...rest }) => {
      const mayHaveBody = used !== 'GET' && used !== 'HEAD' && used !== 'OPTIONS';
      return {
        ...{ ...rest, method: used, operation: `${used} ${path}` },
        headers: type === '' || !mayHaveBody ? rest.headers : { ...rest.headers, 'content-type': type },
        ...(body === undefined || !mayHaveBody ? {} : { body }),
      };
    });
}

/** Requests to every operation of the document, most of them nearly right. */
export function requestsOf(document: Document, hints: Source['hints']): fc.Arbitrary<FuzzRequest> {
  const resolve = (reference: string): Schema => document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {};
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => requestOf(path, method, operation, { resolve, hints })),
  );
  return fc.oneof(...operations);
}
