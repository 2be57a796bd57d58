import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { METHODS } from '../../src/api/document.ts';
import type { openApiDocument } from './open-api-document.ts';

type Document = ReturnType<typeof openApiDocument>;
type Schema = JSONSchema;

/** The parts of an operation that a client is made from; the document is JSON, and is read as such. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

const HEAD = `/**
 * Generated from the OpenAPI document by \`npm run client\`; edit the routes instead.
 * @generated
 */`;

/** A closed object of these parts; all of them are there unless they are named. */
const object = (parts: Readonly<Record<string, Schema>>, optional: ReadonlySet<string> = new Set()): Schema => ({
  type: 'object',
  properties: parts,
  required: Object.keys(parts).filter((name) => !optional.has(name)),
  additionalProperties: false,
});

const contentOf = ({ content = {} }: Body): Schema =>
  object({
    content: object(Object.fromEntries(Object.entries(content).map(([type, { schema = {} }]) => [type, schema]))),
  });

const PLACES = ['query', 'header', 'path'] as const;

function parametersOf({ parameters = [] }: Operation): Schema {
  const places = PLACES.flatMap((place) => {
    const mine = parameters.filter((each) => each.in === place);
    if (mine.length === 0) return [];
    const optional = new Set(mine.filter(({ required }) => !required).map(({ name }) => name));
    const schema = object(Object.fromEntries(mine.map(({ name, schema = {} }) => [name, schema])), optional);
    return [{ place, schema, isOptional: optional.size === mine.length }];
  });
  const optional = new Set<string>(places.filter(({ isOptional }) => isOptional).map(({ place }) => place));
  return object(Object.fromEntries(places.map(({ place, schema }) => [place, schema])), optional);
}

function operationSchema(operation: Operation): Schema {
  const { summary, requestBody, responses = {} } = operation;
  const answers = Object.entries(responses).map(([status, response]) => [status, contentOf(response)] as const);
  const schema = object(
    {
      parameters: parametersOf(operation),
      ...(requestBody ? { requestBody: contentOf(requestBody) } : {}),
      responses: object(Object.fromEntries(answers)),
    },
    requestBody?.required ? new Set() : new Set(['requestBody']),
  );
  return { ...schema, ...(summary === undefined ? {} : { description: summary }) };
}

/** The paths of the document as one JSON Schema, in the shape of types that `openapi-fetch` reads. */
function pathsSchema({ paths = {} }: Document): Schema {
  const entries = Object.entries(paths).map(([path, item]) => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      return operation ? [[method, operationSchema(operation)] as const] : [];
    });
    return [path, object(Object.fromEntries(operations))] as const;
  });
  return object(Object.fromEntries(entries));
}

/** Without the compiler's remarks on where it found a type; a status is a number where types of answers are looked up. */
const tidied = (source: string): string =>
  source
    .replace(/^\s*\/\*\*\n\s*\* This interface was referenced by [^/]*?\*\/\n/gm, '')
    .replace(/\n\s*\*\n\s*\* This interface was referenced by [^/]*?(?=\n\s*\*\/)/g, '')
    .replace(/^(\s+)['"]?(\d{3})['"]?: \{/gm, '$1$2: {');

/** The source of `src/client/schema.ts`: the types of all that the document describes. */
export async function clientSchema(document: Document): Promise<string> {
  const schema = { ...pathsSchema(document), title: 'Paths', definitions: document.components?.schemas ?? {} };
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/');
  const source = await compile(JSON.parse(text), 'Paths', {
    additionalProperties: false,
    bannerComment: HEAD,
    ignoreMinAndMaxItems: true,
    unknownAny: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return tidied(source);
}
