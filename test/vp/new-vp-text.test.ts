import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newVpText, type VpDraft } from '../../src/vp/new-vp-text.ts';
import { TOOL_NAMES } from '../../src/vp/tool-names.ts';
import { EFFORTS, isReservedId, MODEL_TAGS } from '../../src/vp/vp.ts';
import { OWN, parsed } from './support.ts';

const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
const strange = fc.constantFrom(
  'yes',
  '123',
  '# x',
  'a: b',
  '- x',
  '---',
  '"',
  "'",
  '|',
  '[',
  '~',
  '!!x',
  '*a',
  '漢字',
);
const line = (max: number) =>
  fc
    .oneof(strange, fc.string({ unit: 'grapheme', maxLength: max }))
    .map((text) => clean(text.slice(0, max)))
    .filter((text) => text !== '');

const id = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/).filter((text) => !isReservedId(text));
const tag = fc.stringMatching(/^[a-z0-9]{1,20}(-[a-z0-9]{1,20})?$/);
const persona = fc
  .array(fc.oneof(line(80), fc.constantFrom('---', '', '\t- x', '```')), { maxLength: 12 })
  .map((lines) => lines.join('\n').trim());
const env = fc.dictionary(fc.stringMatching(/^[A-VX-Z_][A-Z0-9_]{0,8}$/), line(40), {
  maxKeys: 3,
  noNullPrototype: true,
});

const common = {
  id,
  name: line(120),
  role: line(200),
  capabilities: fc.uniqueArray(tag, { minLength: 1, maxLength: 20 }),
};
const traits = fc.array(line(80), { minLength: 1, maxLength: 20 });

const agent: fc.Arbitrary<VpDraft> = fc.record(
  {
    ...common,
    persona: persona.filter((text) => text !== ''),
    executor: fc.constant({ kind: 'agent' } as const),
    traits,
    model: fc.oneof(fc.constantFrom(...MODEL_TAGS.map((name) => ({ tag: name }))), fc.constant({ ref: 'local/a:7b' })),
    effort: fc.constantFrom(...EFFORTS),
    tools: fc.uniqueArray(fc.constantFrom(...TOOL_NAMES)),
  },
  { requiredKeys: ['id', 'name', 'role', 'capabilities', 'persona', 'executor'], noNullPrototype: true },
);

const command: fc.Arbitrary<VpDraft> = fc.record(
  {
    ...common,
    persona,
    traits,
    executor: fc.record(
      {
        kind: fc.constant('command' as const),
        run: fc.oneof(line(60), fc.array(line(20), { minLength: 1, maxLength: 4 })),
        env,
      },
      { requiredKeys: ['kind', 'run'], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['id', 'name', 'role', 'capabilities', 'persona', 'executor'], noNullPrototype: true },
);

test('what is rendered is read back the same, whatever it says', () => {
  fc.assert(
    fc.property(fc.oneof(agent, command), (draft) => {
      const { source, hash, ...back } = parsed(newVpText(draft), OWN);
      expect(source).toEqual(OWN);
      expect(hash).toHaveLength(64);
      expect(back).toEqual(draft);
    }),
    { numRuns: 300 },
  );
});
