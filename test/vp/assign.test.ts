import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/text/redact.ts';
import { type AssignmentPolicy, assign } from '../../src/vp/assign.ts';
import { builtInVps } from '../../src/vp/built-in/index.ts';
import { capabilityScore, KNOWN_CAPABILITIES, relatedWords } from '../../src/vp/capabilities.ts';
import type { Vp } from '../../src/vp/vp.ts';
import { vp } from './support.ts';

const policy = (rest: Partial<AssignmentPolicy> = {}): AssignmentPolicy => ({
  mode: 'auto',
  capability: 'review',
  candidateIds: [],
  separateFrom: [],
  ...rest,
});

/** The id of who was chosen, or the code of the failure. */
function who(rest: Partial<AssignmentPolicy>, vps: readonly Vp[]): string {
  const result = assign(policy(rest), vps);
  return 'code' in result ? result.code : result.vp.id;
}

function reasonOf(rest: Partial<AssignmentPolicy>, vps: readonly Vp[]): string {
  const result = assign(policy(rest), vps);
  return 'code' in result ? result.message : result.reason;
}

const team = [vp('zoe', ['review']), vp('bob', ['implement', 'audit']), vp('amy', ['implement'])];

describe('V40: choosing by capability', () => {
  test('A1: the score of the capability beats the id, and equal scores go to the lowest id', () => {
    expect(who({}, team)).toBe('zoe');
    expect(who({ capability: 'implement' }, team)).toBe('amy');
  });

  test('A1: a synonym counts less than the word, and more than nothing', () => {
    expect(who({ mode: 'pool', candidateIds: ['amy', 'bob'] }, team)).toBe('bob');
    expect(capabilityScore(['review'], 'review')).toBe(10);
    expect(capabilityScore(['security-review'], 'review')).toBe(8);
    expect(capabilityScore(['api-review'], 'review')).toBe(6);
    expect(capabilityScore(['audit'], 'review')).toBe(2);
    expect(capabilityScore(['implement'], 'review')).toBe(0);
  });

  test('A2: an unknown capability falls back to the type of the Action, and the reason says so', () => {
    const asked = { capability: 'Feng Shui', actionType: 'review' };
    expect(who(asked, team)).toBe('zoe');
    expect(reasonOf(asked, team)).toBe('auto: nobody declares feng-shui; type review, score 10');
    expect(reasonOf({ capability: '', actionType: 'review' }, team)).toBe('auto: capability review, score 10');
  });

  test('A3: where nothing fits, the lowest eligible id is taken, and the reason says so', () => {
    const asked = { capability: 'x', actionType: 'y' };
    expect(reasonOf(asked, team)).toBe('auto: nobody declares x or y; lowest id');
    expect(who(asked, team)).toBe('amy');
    expect(who({ ...asked, separateFrom: ['amy'] }, team)).toBe('bob');
  });

  test('words count whole: git is not in digital, test is not in latest', () => {
    expect(capabilityScore(['digital', 'latest'], 'git')).toBe(0);
    expect(capabilityScore(['digital', 'latest'], 'test')).toBe(0);
    expect(capabilityScore(['update'], 'data')).toBe(0);
  });

  test('several words count together in one tag, and each a little alone', () => {
    expect(capabilityScore(['api-design'], 'API design')).toBe(10);
    expect(capabilityScore(['rest-api-design'], 'api-design')).toBe(6);
    expect(capabilityScore(['api', 'design'], 'api-design')).toBe(4);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('A1: %s is a word like any other', (word) => {
    expect(relatedWords(word)).toEqual([]);
    expect(who({ capability: word }, team)).toBe('amy');
    expect(who({ capability: word }, [...team, vp('zed', [word])])).toBe('zed');
    expect(who({ mode: 'fixed', candidateIds: [word] }, team)).toBe('vp_unavailable');
  });

  test('the twelve types have five to seven words each, none of them twice or a type itself', () => {
    const words = KNOWN_CAPABILITIES.flatMap(relatedWords);
    expect(KNOWN_CAPABILITIES).toHaveLength(12);
    for (const type of KNOWN_CAPABILITIES) expect(relatedWords(type).length).toSatisfy((n: number) => n >= 5 && n <= 7);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => KNOWN_CAPABILITIES.includes(word))).toEqual([]);
  });
});

describe('A4: the modes', () => {
  test('pool chooses the best of its candidates, the lowest id where nothing fits, and nobody else', () => {
    expect(who({ mode: 'pool', candidateIds: ['bob', 'zoe', 'gone'] }, team)).toBe('zoe');
    expect(who({ mode: 'pool', capability: 'x', actionType: 'review', candidateIds: ['zoe', 'bob'] }, team)).toBe(
      'bob',
    );
  });

  test('planned takes the first eligible in the listed order, whatever the score', () => {
    const asked = { mode: 'planned', candidateIds: ['gone', 'bob', 'zoe'], reason: 'knows\nthe code' } as const;
    expect(reasonOf(asked, team)).toBe('planned: bob is the first available of gone, bob, zoe. knows the code');
    expect(who({ ...asked, separateFrom: ['bob'] }, team)).toBe('zoe');
  });

  test('fixed takes the one, or nobody', () => {
    expect(reasonOf({ mode: 'fixed', candidateIds: ['bob'] }, team)).toBe('fixed: the only one allowed is bob');
    expect(who({ mode: 'fixed', candidateIds: ['bob'], separateFrom: ['bob'] }, team)).toBe('separation_exhausted');
  });

  test('separation keeps the authors away and says so', () => {
    expect(reasonOf({ separateFrom: ['zoe'] }, team)).toBe('auto: capability review, score 2; separate from zoe');
  });

  test.each([
    ['fixed without an id', { mode: 'fixed', candidateIds: [] }],
    ['fixed with two ids', { mode: 'fixed', candidateIds: ['amy', 'bob'] }],
    ['pool without candidates', { mode: 'pool', candidateIds: [] }],
    ['planned without candidates', { mode: 'planned', candidateIds: [] }],
    ['auto with candidates', { mode: 'auto', candidateIds: ['amy'] }],
  ] as const)('%s is refused, not read as something else', (_, asked) => {
    expect(who(asked, team)).toBe('policy_invalid');
  });
});

describe('V40: an assignment that cannot be made', () => {
  test('A5: separation that removes everybody fails with its context, sorted', () => {
    expect(assign(policy({ mode: 'pool', candidateIds: ['zoe', 'bob'], separateFrom: ['zoe', 'bob'] }), team)).toEqual({
      code: 'separation_exhausted',
      mode: 'pool',
      capability: 'review',
      candidates: ['bob', 'zoe'],
      excluded: ['bob', 'zoe'],
      message:
        'pool assignment for review: only authors of the work are left; candidates: bob, zoe; kept separate: bob, zoe',
      next: 'Name or add a VP that wrote none of the results under review.',
    });
  });

  test('A6: without any VP it fails the same way every time', () => {
    expect(who({}, [])).toBe('no_vps');
    expect(assign(policy(), [])).toEqual(assign(policy(), []));
  });

  test.each(['fixed', 'planned', 'pool'] as const)('A7: %s with an unknown id is told so and stays %s', (mode) => {
    const result = assign(policy({ mode, candidateIds: ['gone'] }), team);
    expect(result).toMatchObject({ code: 'vp_unavailable', mode, candidates: ['gone'] });
  });

  test('E7: what it says is bounded, safe to show to a model, and passes the redactor unchanged', () => {
    const strange = [
      'a\u001b[2J',
      `x'; DROP`,
      '/etc/passwd',
      'y'.repeat(500),
      ...Array.from({ length: 60 }, (_, n) => `v${n}`),
    ];
    const result = assign(
      policy({ mode: 'pool', capability: '<b>\n{}', candidateIds: strange, separateFrom: strange }),
      team,
    );
    const { message = '', candidates = [] } = 'code' in result ? result : {};
    expect(candidates.length).toBeLessThanOrEqual(25);
    expect(message).toMatch(/^[\p{L}\p{N}_.,:; -]+$/u);
    expect(message.length).toBeLessThan(8_000);
    const usual = reasonOf({ mode: 'fixed', candidateIds: ['gone'], separateFrom: ['amy'] }, team);
    expect(redact(usual, [])).toBe(usual);
  });
});

test('the reason stays on one line of at most 1,000 characters', () => {
  const reason = reasonOf({ mode: 'planned', candidateIds: ['amy'], reason: 'why\n'.repeat(2_000) }, team);
  expect(reason).toMatch(/^planned: amy .{900,}…$/);
  expect(reason.length).toBeLessThanOrEqual(1_000);
});

test('nobody who is kept separate or no candidate is ever chosen, and the order of the VPs changes nothing', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const tags = fc.uniqueArray(fc.constantFrom('review', 'audit', 'test', 'api-review'), { minLength: 1 });
  const vps = fc
    .uniqueArray(fc.tuple(id, tags), { selector: ([own]) => own })
    .map((all) => all.map(([own, t]) => vp(own, t)));
  const asked = fc.record({
    mode: fc.constantFrom('auto', 'pool', 'fixed', 'planned'),
    capability: fc.constantFrom('review', 'test', 'x', ''),
    candidateIds: fc.array(id),
    separateFrom: fc.array(id),
  });
  fc.assert(
    fc.property(asked, vps, (wanted, all) => {
      const result = assign(wanted, all);
      expect(assign(wanted, [...all].reverse())).toEqual(result);
      if ('code' in result) return;
      expect(wanted.separateFrom).not.toContain(result.vp.id);
      if (wanted.mode !== 'auto') expect(wanted.candidateIds).toContain(result.vp.id);
    }),
  );
});

describe('the built-in VPs', () => {
  test('are six, sound, with a persona of 10 to 25 lines', () => {
    expect(builtInVps().map(({ id }) => id)).toEqual([
      'implementer',
      'integrator',
      'researcher',
      'reviewer',
      'tester',
      'writer',
    ]);
    for (const { persona } of builtInVps()) {
      expect(persona.split('\n').length).toSatisfy((lines: number) => lines >= 10 && lines <= 25);
    }
  });

  test.each([
    ['implement', 'implementer'],
    ['migrate', 'implementer'],
    ['operate', 'implementer'],
    ['test', 'tester'],
    ['review', 'reviewer'],
    ['research', 'researcher'],
    ['diagnose', 'researcher'],
    ['design', 'researcher'],
    ['triage', 'researcher'],
    ['document', 'writer'],
    ['write', 'writer'],
    ['deliver', 'integrator'],
    ['integrate', 'integrator'],
  ])('for %s it is the %s', (type, id) => {
    expect(who({ capability: type }, builtInVps())).toBe(id);
  });

  test('never score above anybody who declares the capability alone', () => {
    for (const type of KNOWN_CAPABILITIES) {
      for (const { capabilities } of builtInVps()) {
        expect(capabilityScore(capabilities, type)).toBeLessThanOrEqual(capabilityScore([type], type));
      }
    }
  });

  test('A8: ask for models by tag, the reviewer for the best at high effort and without tools that change files', () => {
    const byId = new Map(builtInVps().map((builtIn) => [builtIn.id, builtIn]));
    expect([...byId].map(([id, { model, effort }]) => [id, model, effort])).toEqual([
      ['implementer', { tag: 'balanced' }, undefined],
      ['integrator', { tag: 'balanced' }, undefined],
      ['researcher', { tag: 'balanced' }, 'high'],
      ['reviewer', { tag: 'ultimate' }, 'high'],
      ['tester', { tag: 'balanced' }, undefined],
      ['writer', { tag: 'fast' }, undefined],
    ]);
    const changing = byId.get('reviewer')?.tools?.filter((tool) => ['write', 'edit', 'apply_patch'].includes(tool));
    expect(changing).toEqual([]);
  });
});
