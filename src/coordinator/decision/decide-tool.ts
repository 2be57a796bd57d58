import { z } from 'zod';
import type { ToolDefinition } from '../../model/index.ts';
import { decisionSchema } from './schema.ts';

/** What providers and their local imitations all understand; anything else of the schema is checked by us alone. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'items', 'enum', 'anyOf', 'description', 'additionalProperties'],
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same schema in plain words: `oneOf` as `anyOf`, `const` as an `enum` of one. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!isJson(schema)) return schema;
  const { oneOf, const: only, properties, ...rest } = schema;
  const known = Object.entries(rest).filter(([key]) => KEYWORDS.has(key));
  return {
    ...Object.fromEntries(known.map(([key, value]) => [key, key === 'enum' ? value : plain(value)])),
    ...(oneOf === undefined ? {} : { anyOf: plain(oneOf) }),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(isJson(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, plain(value)])) }
      : {}),
  };
}

function inputSchema(): Json {
  const schema = plain(z.toJSONSchema(decisionSchema, { io: 'input' }));
  if (!isJson(schema)) throw new Error('the schema of a decision is no object');
  return schema;
}

/** The one tool of the Coordinator (D17). */
export const DECIDE_TOOL: ToolDefinition = Object.freeze({
  name: 'decide',
  description: 'What to do next about this item. All of it is carried out, or nothing.',
  inputSchema: inputSchema(),
});
