import fc from 'fast-check';

/** What of JSON Schema the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export interface Source {
  readonly resolve: (reference: string) => Schema;
  /** Values that mean something, by the name of the field or of the shape. */
  readonly hints: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

const DEPTH = 6;
const unit = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'abc XYZ019-_/.') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('ä', '漢', '😀', '\u0000', '\n', '\u202e', '\ud800', '\u200b', '"', '<', '%'),
  },
);

function textOf({ minLength = 0, maxLength = 40, pattern }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const usual = fc.string({ unit, minLength, maxLength: Math.min(maxLength, minLength + 24) });
  // As long as it may be, and one more: where limits are wrong they are wrong by one.
  const atLimit = fc.constantFrom(maxLength, maxLength + 1).map((length) => 'x'.repeat(Math.min(length, 9_000)));
  return fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: atLimit });
}

const INT_32 = 2 ** 31 - 1;

function numberOf(schema: Schema, isWhole: boolean): fc.Arbitrary<number> {
  const { minimum = -1_000, maximum = 1e9, exclusiveMinimum, exclusiveMaximum } = schema;
  const min = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  const max = Math.max(min, exclusiveMaximum === undefined ? maximum : exclusiveMaximum - 1);
  const whole = fc.integer({ min: Math.max(min, -INT_32), max: Math.min(max, INT_32) });
  const edges = fc.constantFrom(min, max, min - 1, max + 1);
  const parts = isWhole ? [] : [fc.double({ min, max, noNaN: true })];
  return fc.oneof({ weight: 40, arbitrary: whole }, { weight: 1, arbitrary: edges }, ...parts);
}

function recordOf(schema: Schema, source: Source, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, valuesOf(field, source, name, depth + 1)] as const,
  );
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  if (typeof additionalProperties !== 'object') return known;
  const more = fc.dictionary(
    fc.string({ unit, maxLength: 12 }),
    valuesOf(additionalProperties, source, '', depth + 1),
    { maxKeys: 3 },
  );
  return fc.tuple(known, more).map(([own, others]) => ({ ...others, ...own }));
}

const merged = (parts: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc.tuple(...parts).map((values) => Object.assign({}, ...values.filter((value) => typeof value === 'object')));

function ofType(type: string | undefined, schema: Schema, source: Source, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer');
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = schema;
      const most = Math.max(minItems, Math.min(maxItems, depth > 3 ? 1 : 3));
      return fc.array(valuesOf(items, source, '', depth + 1), { minLength: minItems, maxLength: most });
    }
    case 'object':
      return recordOf(schema, source, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Values that a schema accepts, and some that it just does not. */
export function valuesOf(schema: Schema, source: Source, name = '', depth = 0): fc.Arbitrary<unknown> {
  const hint = source.hints[name];
  const own = (): fc.Arbitrary<unknown> => {
    if (depth > DEPTH) return fc.constant(null);
    if (schema.$ref !== undefined)
      return valuesOf(source.resolve(schema.$ref), source, schema.$ref.split('/').at(-1), depth);
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map((each) => valuesOf(each, source, '', depth + 1)));
    if (schema.allOf) return merged(schema.allOf.map((each) => valuesOf(each, source, '', depth + 1)));
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [undefined]);
    return fc.oneof(...types.map((type) => ofType(type, schema, source, depth)));
  };
  return hint === undefined ? own() : fc.oneof({ weight: 15, arbitrary: hint }, { weight: 1, arbitrary: own() });
}
