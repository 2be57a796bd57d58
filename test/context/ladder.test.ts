import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER } from '../../src/context/cuts.ts';
import { type Mainline, renderMainline, type SectionName } from '../../src/context/mainline.ts';
import type { MainlineInput } from '../../src/context/mainline-input.ts';
import { full, input, message, result } from './inputs.ts';

const words = (mark: string, count: number) => `${mark} `.repeat(count).trim();

/** Enough in every section that each rung has something to take. */
function heavy(): MainlineInput {
  const base = full();
  return {
    ...base,
    contract: {
      ...base.contract,
      goal: words('goal', 1_500),
      instructions: words('instructions', 300),
      criteria: base.contract.criteria.map((criterion) => ({
        ...criterion,
        text: words('criterion', 200),
        ...(criterion.check ? { check: { ...criterion.check, run: words('check', 200) } } : {}),
      })),
    },
    action: { ...base.action, objective: words('objective', 400), approach: words('approach', 300) },
    results: [
      result('a1', words('source', 500), { relation: 'source', outputs: [{ kind: 'file', ref: 'source.ts' }] }),
      result('a2', words('dependency', 500), { outputs: [{ kind: 'file', ref: 'dependency.ts' }] }),
    ],
    journal: [1, 2, 3].map((n) => ({
      actionId: `j${n}`,
      type: 'test',
      status: 'failed',
      for: [],
      summary: `journal${n} words`,
    })),
    messages: [1, 2, 3].map((n) =>
      message(`m${n}`, words(`text${n}`, 1_400), { quote: { from: 'ada', text: words(`quoted${n}`, 100) } }),
    ),
    ...(base.resume
      ? { resume: { ...base.resume, receipts: base.resume.receipts.map((it) => ({ ...it, tail: 'logtail' })) } }
      : {}),
    projectGuidance: [{ path: 'AGENTS.md', text: words('guidance', 1_000), cut: false }],
    background: [1, 2, 3].map((n) => ({ role: 'user', text: words(`background${n}`, 50) })),
    memory: [1, 2, 3].map((n) => ({ itemId: `w${n}`, title: `memory${n}`, endedAt: n, type: 'write', summary: 's' })),
  };
}

const whole = renderMainline(heavy(), { budgetBytes: 1_000_000 });
const at = (budgetBytes: number) => renderMainline(heavy(), { budgetBytes });

/** The largest budget at which something is true, and the text there. Budgets only matter by what they drop. */
function when(holds: (mainline: Mainline) => boolean): number {
  let low = 0;
  let high = whole.bytes;
  while (high - low > 8) {
    const middle = (low + high) >> 1;
    if (holds(at(middle))) low = middle;
    else high = middle;
  }
  return low;
}

const lacks = (part: string) => (mainline: Mainline) => !mainline.text.includes(part);
const count = (text: string, part: string) => text.split(part).length - 1;

describe('the degradation ladder', () => {
  it('takes nothing while everything fits', () => {
    const { omitted, text } = at(whole.bytes);
    expect(omitted).toEqual([]);
    expect(text).toBe(whole.text);
  });

  it('goes down in the order of its table', () => {
    expect(LADDER.map(({ dial }) => dial)).toEqual([
      'memory',
      'background',
      'guidance',
      'journal',
      'results',
      'quotes',
      'messages',
      'resume',
      'resultLines',
      'latestQuote',
      'attachments',
      'criteria',
      'checks',
      'instructions',
      'goal',
      'brief',
      'objective',
      'latest',
      'squeeze',
    ]);
  });

  /** What disappears, from the first to the last. */
  const ORDER: readonly (readonly [string, (mainline: Mainline) => boolean])[] = [
    ['the oldest memory', lacks('memory1')],
    ['the newest memory', lacks('memory3')],
    ['the oldest background', lacks('background1')],
    ['the newest background', lacks('background3')],
    ['the end of the guidance', ({ text }) => count(text, 'guidance ') < 900],
    ['the last of the guidance', ({ text }) => count(text, 'guidance ') < 20],
    ['the oldest journal line', lacks('journal1')],
    ['the newest journal line', lacks('journal3')],
    ['the details of a source', lacks('source.ts')],
    ['the details of a dependency', lacks('dependency.ts')],
    ['the quote of the oldest message', lacks('quoted1')],
    ['the quote of a later message', lacks('quoted2')],
    ['the oldest message', lacks('text1')],
    ['a later message', lacks('text2')],
    ['the tails of the earlier attempt', lacks('logtail')],
    ['the summary of a result', ({ text }) => count(text, 'source ') < 50],
    ['the summary of a dependency', ({ text }) => count(text, 'dependency ') < 50],
    ['the quote of the latest message', lacks('quoted3')],
    ['details of attachments', lacks('text/plain')],
    ['the end of criteria', ({ text }) => count(text, 'criterion ') < 300],
    ['the end of checks', ({ text }) => count(text, 'check ') < 100],
    ['the end of instructions', ({ text }) => count(text, 'instructions ') < 290],
    ['the end of the goal', ({ text }) => count(text, 'goal ') < 1_000],
    ['the end of the brief', ({ text }) => count(text, 'approach ') < 200],
    ['the end of the objective', ({ text }) => count(text, 'objective ') < 300],
    ['the end of the latest message', ({ text }) => count(text, 'text3 ') < 1_300],
  ];

  it('takes one thing after the other: memory first, the latest message last', () => {
    const budgets = ORDER.map(([name, gone]) => ({ name, budget: when(gone) }));
    const sorted = budgets.toSorted((a, b) => b.budget - a.budget);
    expect(sorted.map(({ name }) => name)).toEqual(ORDER.map(([name]) => name));
    expect(budgets.every(({ budget }) => budget > 0)).toBe(true);
  });

  it('selects the newest and shows them in the order of time (M8)', () => {
    const { text } = at(when(lacks('text1')));
    expect(text.indexOf('text2')).toBeGreaterThan(0);
    expect(text.indexOf('text2')).toBeLessThan(text.indexOf('text3'));
  });

  it('leaves id and state of every other Action when their lines are gone', () => {
    const { text } = at(when(lacks('journal3')));
    for (const id of ['j1', 'j2', 'j3']) expect(text).toContain(`- ${id} failed`);
  });

  it('names everything it left out in the text, and how to get it', () => {
    for (let budget = whole.bytes; budget > 12_000; budget -= 1_500) {
      const { text, omitted } = at(budget);
      for (const { what, how } of omitted) expect(text).toContain(`- ${what}: ${how}`);
    }
    const { text } = at(when(({ text: shown }) => count(shown, 'guidance ') < 900));
    expect(text).toContain('the end of AGENTS.md: read the file AGENTS.md with the tool `read`');
    expect(text).toContain('3 older results of earlier work here: ask the person with `ask_human`');
  });

  it('says in the text where something was cut', () => {
    const { text } = at(when(({ text: shown }) => count(shown, 'goal ') < 1_000));
    expect(text).toMatch(/goal [goal]* \[cut: 7499 bytes in all\]\n<\/task>/);
  });

  it('never leaves out contract, Action or latest text, down to a few KiB', () => {
    const { text, sections } = at(6_000);
    expect(text).toContain('source="goal"');
    expect(text).toContain('source="criterion c2"');
    expect(text).toContain('source="objective"');
    expect(text).toContain('source="message m3"');
    const shown = new Map<SectionName, string>(sections.map(({ name, level }) => [name, level]));
    expect(shown.get('contract')).toBe('reduced');
    expect(shown.get('memory')).toBe('dropped');
  });

  it('keeps the largest contract, 64 Actions and a long latest message together within 64 KiB', () => {
    const { text, bytes, omitted } = renderMainline(largest());
    expect(bytes).toBeLessThanOrEqual(65_536);
    for (let n = 1; n <= 24; n += 1) expect(text).toContain(`source="criterion c${n}"`);
    for (let n = 0; n < 32; n += 1) expect(text).toContain(`## d${n} `);
    expect(text).toContain('m400');
    expect(count(text, 'last')).toBeGreaterThan(1_000);
    expect(omitted.map(({ what }) => what)).toContain('the 399 oldest messages');
  });

  it('is never over the budget and never fails, whatever is put in and however small the budget', () => {
    fc.assert(
      fc.property(
        anyInput,
        fc.integer({ min: 0, max: 80_000 }),
        fc.integer({ min: 0, max: 2_000 }),
        (given, budgetBytes, reservedBytes) => {
          const { bytes, text } = renderMainline(given, { budgetBytes, reservedBytes });
          expect(bytes).toBe(Buffer.byteLength(text));
          expect(bytes).toBeLessThanOrEqual(Math.max(budgetBytes - reservedBytes, 0));
        },
      ),
      { numRuns: 60 },
    );
  });
});

function largest(): MainlineInput {
  const base = input();
  return input({
    contract: {
      ...base.contract,
      goal: 'g'.repeat(8_000),
      instructions: 'i'.repeat(20_000),
      criteria: Array.from({ length: 24 }, (_, n) => ({
        id: `c${n + 1}`,
        version: 1,
        text: '\u0001'.repeat(2_000),
        minProof: 'self' as const,
        standing: 'unmet' as const,
        why: 'nobody has shown it',
      })),
    },
    results: Array.from({ length: 32 }, (_, n) => result(`d${n}`, 's'.repeat(8_000))),
    journal: Array.from({ length: 31 }, (_, n) => ({
      actionId: `j${n}`,
      type: 'test',
      status: 'completed',
      for: ['c1'],
      summary: 'z'.repeat(900),
    })),
    messages: Array.from({ length: 400 }, (_, n) =>
      message(`m${n + 1}`, n === 399 ? words('last', 1_600) : 'old '.repeat(2_000)),
    ),
    projectGuidance: [{ path: 'AGENTS.md', text: 'p'.repeat(40_000), cut: true }],
  });
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .tuple(fc.constantFrom('word ', '</untrusted>', '\u202e', '漢字', '😀', '\ud800', '\n# Rules\n'), fc.nat(3_000))
    .map(([part, n]) => part.repeat(n)),
);
const id = fc.string({ minLength: 1, maxLength: 64 });
const few = <T>(entry: fc.Arbitrary<T>, maxLength: number) => fc.array(entry, { maxLength });

const anyInput: fc.Arbitrary<MainlineInput> = fc
  .record({
    goal: text,
    criteria: few(text, 24),
    objective: text,
    global: text,
    results: few(fc.record({ id, text }), 12),
    journal: few(fc.record({ id, text }), 64),
    messages: few(fc.record({ id, text }), 30),
    guidance: text,
    background: few(text, 20),
  })
  .map((parts) =>
    input({
      contract: {
        ...input().contract,
        goal: parts.goal,
        criteria: parts.criteria.map((words, n) => ({
          id: `c${n}`,
          version: 1,
          text: words,
          minProof: 'self',
          standing: 'failed',
          why: 'refused by a1',
          evidence: words,
        })),
      },
      action: { ...input().action, objective: parts.objective },
      instructions: { global: parts.global },
      results: parts.results.map((entry) => result(entry.id, entry.text)),
      journal: parts.journal.map((entry) => ({
        actionId: entry.id,
        type: 'test',
        status: 'failed',
        for: [],
        summary: entry.text,
      })),
      messages: parts.messages.map((entry) =>
        message(entry.id, entry.text, { quote: { from: entry.id, text: entry.text } }),
      ),
      projectGuidance: [{ path: 'AGENTS.md', text: parts.guidance, cut: false }],
      background: parts.background.map((words) => ({ role: 'user', text: words })),
    }),
  );
