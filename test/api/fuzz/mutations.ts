import fc from 'fast-check';

/** What nobody sends by accident. */
const NASTY: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 1e308, -1e308, 2 ** 53, Number.MIN_VALUE],
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '../../etc/passwd',
    '/',
    '__proto__',
    'constructor',
    '1',
    'null',
    '😀'.repeat(40),
  ],
  ...['x'.repeat(9_000), 'x'.repeat(70_000)],
  ...[[], [[]], [null], {}, { length: 1 }, { toString: 1 }, Array.from({ length: 300 }, () => 'a')],
];

const UNKNOWN_FIELDS = ['priority', 'principal', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'ключ'];

interface Mutation {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'add';
  readonly value: unknown;
  readonly field: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(1_000),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  value: fc.constantFrom(...NASTY),
  field: fc.constantFrom(...UNKNOWN_FIELDS),
});

type Place = readonly [holder: Record<string, unknown>, key: string];

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push([holder, key]);
    placesIn(holder[key], found);
  }
  return found;
}

/** An own field of that name, also where assignment would set something else. */
const put = (holder: object, key: string, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });

function changed(body: unknown, { at, kind, value, field }: Mutation): unknown {
  const root: Record<string, unknown> = { body: structuredClone(body) };
  const places = placesIn(root);
  const [holder, key] = places[at % places.length] ?? [root, 'body'];
  const target = holder[key];
  if (kind === 'replace') put(holder, key, value);
  else if (kind === 'remove' && holder !== root) delete holder[key];
  else put(typeof target === 'object' && target !== null ? target : holder, field, value);
  return root.body;
}

/** The same body, or with one to three things wrong with it. */
export const mutated = (bodies: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: bodies },
    {
      weight: 2,
      arbitrary: fc
        .tuple(bodies, fc.array(mutation, { minLength: 1, maxLength: 3 }))
        .map(([body, mutations]) => mutations.reduce(changed, body)),
    },
  );

/** Bytes that are no JSON, or none that anybody means. */
export const rawBodies: fc.Arbitrary<string> = fc.constantFrom(
  ...['', ' ', 'null', 'true', '0', '"text"', '[]', '{', '{}', '{"a":1,}', '{"a":1}{"a":1}', '\ufeff{}', 'NaN'],
  ...['[1e9999]', '{"__proto__":{"allowed":true}}', '{"a":"\\ud800"}', '{"text":"a","text":"b"}', '\u0000'],
  ...['['.repeat(5_000), '{"a":'.repeat(5_000), `"${'x'.repeat(100_000)}"`, 'goal=x&directory=%2F'],
);
