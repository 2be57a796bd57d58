import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { planJsonSchema, planSchema } from '../../src/plan/read/schema.ts';
import { compiled } from './support.ts';

const published = (): object => JSON.parse(readFileSync('schemas/plan.json', 'utf8'));
const valid = new Ajv2020({ strict: false, allErrors: true }).compile(planJsonSchema);

const base = { goal: 'g', criteria: [{ text: 't', check: 'c' }], actions: [{ run: 'x' }] };

/** The descriptions of every property, by path. */
function described(node: object, path: string, into: Map<string, string | undefined>): Map<string, string | undefined> {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    if (key === 'properties') {
      for (const [name, property] of Object.entries<{ description?: string }>({ ...value })) {
        into.set(`${path}.${name}`, property.description);
        described(property, `${path}.${name}`, into);
      }
    } else described(value, path, into);
  }
  return into;
}

describe('the published schema', () => {
  test('is what the validating module says; `npm run schema` brings it up to date', () => {
    expect(published()).toEqual(JSON.parse(JSON.stringify(planJsonSchema)));
  });

  test('is JSON Schema draft 2020-12 with an identity and a title', () => {
    expect(planJsonSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:workcenter:schema:plan',
      title: 'Work Center plan',
    });
  });

  test('explains every key to whoever hovers over it', () => {
    const texts = described(planJsonSchema, '', new Map());
    expect(texts.size).toBeGreaterThan(40);
    expect([...texts].filter(([, text]) => !text || text.length < 10)).toEqual([]);
  });

  test('names every variable that a command is given', () => {
    const run = described(planJsonSchema, '', new Map()).get('.actions.run') ?? '';
    for (const name of ['BRIEF', 'OUTCOME', 'RUN', 'ITEM', 'ACTION', 'ATTEMPT'])
      expect(run).toContain(`WORKCENTER_${name}`);
  });

  test.each([
    ['the smallest plan', base, true],
    ['an unknown key', { ...base, extra: 1 }, false],
    ['no goal', { ...base, goal: undefined }, false],
    ['an empty goal', { ...base, goal: ' ' }, false],
    ['a long goal', { ...base, goal: 'x'.repeat(8_001) }, false],
    ['25 criteria', { ...base, criteria: Array(25).fill('t') }, false],
    ['65 Actions', { ...base, actions: Array(65).fill({ run: 'x' }) }, false],
    ['a time-out out of range', { ...base, actions: [{ run: 'x', timeoutSec: 86_401 }] }, false],
    ['a duration', { ...base, actions: [{ run: 'x', timeoutSec: '2h' }] }, true],
    ['a word as duration', { ...base, actions: [{ run: 'x', timeoutSec: 'soon' }] }, false],
    ['a type of its own', { ...base, actions: [{ run: 'x', type: 'paint' }] }, true],
    ['a type with blanks', { ...base, actions: [{ run: 'x', type: 'no way' }] }, false],
    ['no arguments', { ...base, actions: [{ run: [] }] }, false],
    ['a variable of the engine', { ...base, actions: [{ run: 'x', env: { WORKCENTER_RUN: 'x' } }] }, false],
    ['a VP', { ...base, actions: [{ vp: 'reviewer', brief: 'b' }] }, true],
    ['a VP with a model', { ...base, actions: [{ vp: 'reviewer', brief: 'b', model: 'ollama/qwen3' }] }, true],
    ['a VP without a brief', { ...base, actions: [{ vp: 'reviewer' }] }, false],
    ['a VP and a command', { ...base, actions: [{ run: 'x', vp: 'reviewer', brief: 'b' }] }, false],
    ['neither VP nor command', { ...base, actions: [{ brief: 'b' }] }, false],
    ['a command with a model', { ...base, actions: [{ run: 'x', model: 'fast' }] }, false],
    ['a VP with a watchdog', { ...base, actions: [{ vp: 'reviewer', brief: 'b', silenceSec: 5 }] }, false],
    [
      'a model that is neither tag nor reference',
      { ...base, actions: [{ vp: 'a', brief: 'b', model: 'best' }] },
      false,
    ],
    ['limits for models', { ...base, budget: { requests: 5, runRequests: 2, tokens: 900, usd: 0.5 } }, true],
    ['no money at all', { ...base, budget: { usd: 0 } }, false],
    ['a pull request', { ...base, delivery: 'pull_request' }, true],
  ])('judges %s as the command line does', (_name, plan, good) => {
    const data: unknown = JSON.parse(JSON.stringify(plan));
    expect({ published: valid(data), own: planSchema.safeParse(data).success }).toEqual({ published: good, own: good });
  });
});

describe('the examples', () => {
  const files = readdirSync('examples').filter((name) => name.endsWith('.yaml'));

  test('are the five that the manual shows', () => {
    expect(files.sort()).toEqual([
      'agent-night-shift.yaml',
      'linear-release.yaml',
      'parallel-fix.yaml',
      'research-response.yaml',
      'vp-review.yaml',
    ]);
  });

  test.each(files)('%s compiles and pleases the published schema', (name) => {
    const text = readFileSync(`examples/${name}`, 'utf8');
    expect(compiled(text).actions.length).toBeGreaterThan(1);
    valid(parse(text));
    expect(valid.errors).toBeNull();
  });
});
