import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantPart, ModelMessage, ToolAnswer, UserPart } from '../../src/model/index.ts';
import { answersIn, calls, pairingProblems, play, type Said, submitted, tool } from './agent-support.ts';

const CHARS_PER_TOKEN = 3;
const big = tool('big', 'reads', ({ chars, id }) => ({ text: `${id}:${'x'.repeat(Number(chars))}` }));
const write = tool('write', 'writes', ({ path }) => ({ text: `wrote ${path}`, wrote: [String(path)] }));

type Part = ToolAnswer | UserPart | AssistantPart;

/** Characters of what a request says, as the limit counts them. */
function charsOf(messages: readonly ModelMessage[]): number {
  const parts = messages.flatMap((each): readonly Part[] => (each.role === 'tool' ? each.results : each.parts));
  return parts.reduce((sum, part) => {
    if ('text' in part) return sum + part.text.length;
    return 'input' in part ? sum + JSON.stringify(part.input).length : sum;
  }, 0);
}

const reads = (count: number, chars: number): Said[] =>
  Array.from({ length: count }, (_, id) => calls(['big', { id, chars }]));

describe('the history of a Run keeps to what a request may hold (E14)', () => {
  it('the task stays whole, the oldest results make room first, and each eviction is on the transcript', async () => {
    const task = `The task. ${'t'.repeat(5_000)}`;
    const { requests, notes, end } = await play({
      tools: [big],
      task,
      contextTokens: 20_000,
      says: [...reads(12, 8_000), submitted()],
    });
    const last = requests.at(-1) ?? { messages: [] };
    expect(last.messages[0]).toEqual({ role: 'user', parts: [{ kind: 'text', text: task }] });
    const stubbed = answersIn(last).map(({ text }) => text.includes('left out to make room'));
    expect(stubbed[0]).toBe(true);
    expect(stubbed.at(-1)).toBe(false);
    expect(stubbed.lastIndexOf(true)).toBeLessThan(stubbed.indexOf(false));
    expect(notes.filter((note) => note.startsWith('[left out of the context:'))).toHaveLength(
      stubbed.filter(Boolean).length,
    );
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('what was evicted stays so, and one eviction makes room for several requests: a cache keeps its use', async () => {
    const { requests } = await play({ tools: [big], contextTokens: 20_000, says: [...reads(20, 6_000), submitted()] });
    const stubs = requests.map((request) => answersIn(request).filter(({ text }) => /left out/.test(text)).length);
    expect([...stubs].sort((a, b) => a - b)).toEqual(stubs);
    expect(new Set(stubs).size).toBeLessThan(stubs.length / 2);
  });

  it('long texts that the model wrote into its calls make room, too: writing alone fills no history', async () => {
    const content = 'y'.repeat(9_000);
    const says = Array.from({ length: 20 }, (_, at) => calls(['write', { path: `f${at}`, content }]));
    const { end, requests } = await play({ tools: [write], contextTokens: 20_000, says: [...says, submitted()] });
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
    const first = requests.at(-1)?.messages[1];
    expect(JSON.stringify(first)).toContain('"path":"f0"');
    expect(JSON.stringify(first)).toContain('left out to make room: 9000 characters');
    expect(JSON.stringify(requests.at(-1)?.messages.at(-2))).toContain(content);
  });

  it('a task that does not fit fails by name, without a request: context_too_long', async () => {
    const { end, requests } = await play({ task: 't'.repeat(4_000), contextTokens: 1_000, says: [submitted()] });
    expect(requests).toEqual([]);
    expect(end).toMatchObject({ outcome: { kind: 'failed', code: 'context_too_long' } });
  });

  it('newest results that do not fit fail by name, too', async () => {
    const { end, requests } = await play({
      tools: [big],
      contextTokens: 5_000,
      says: [calls(...Array.from({ length: 4 }, (_, id) => ['big', { id, chars: 20_000 }] as const))],
    });
    expect(requests).toHaveLength(1);
    expect(end).toMatchObject({ outcome: { kind: 'failed', code: 'context_too_long' } });
  });
});

const aCall = fc.oneof(
  fc.tuple(fc.constant('big'), fc.record({ id: fc.nat(50), chars: fc.nat(6_000) })),
  fc.tuple(fc.constant('write'), fc.record({ path: fc.string(), content: fc.string({ maxLength: 3_000 }) })),
  fc.tuple(fc.constantFrom('nothing', 'send', 'hang'), fc.record({ x: fc.nat(3) })),
  fc.tuple(fc.constantFrom('big', 'submit_outcome', 'ask_human'), fc.record({ unparsable: fc.string() })),
  fc.tuple(fc.constantFrom('submit_outcome', 'ask_human', 'read_output'), fc.constant({})),
);
const aSaid: fc.Arbitrary<Said> = fc.record(
  {
    text: fc.string({ maxLength: 500 }),
    calls: fc.array(aCall, { maxLength: 7 }),
    stop: fc.constantFrom('end', 'tool_use', 'length'),
  },
  { requiredKeys: [] },
);

describe('whatever a model answers', () => {
  const send = tool('send', 'acts_outside', ({ x }) => ({ text: 'sent', ...(x === 3 ? { effect: 'unknown' } : {}) }));
  const hang = tool('hang', 'reads', () => {
    throw new Error('hangs');
  });

  it('each of its calls has exactly one answer before anything else is said, and no request is over the limit', () =>
    fc.assert(
      fc.asyncProperty(fc.array(aSaid, { minLength: 1, maxLength: 25 }), fc.integer({ min: 2_000, max: 9_000 }), check),
      { numRuns: 60 },
    ));

  async function check(says: readonly Said[], contextTokens: number): Promise<void> {
    const played = await play({
      tools: [big, write, send, hang],
      policy: { rules: [{ tool: 'send', decide: 'allow' }], unattended: 'ask' },
      contextTokens,
      says: [...says, submitted()],
    });
    for (const { messages } of played.requests) {
      expect(pairingProblems(messages)).toEqual([]);
      expect(charsOf(messages)).toBeLessThanOrEqual(contextTokens * CHARS_PER_TOKEN);
      expect(messages[0]).toMatchObject({ role: 'user', parts: [{ text: 'The task.' }] });
    }
    // It always ends by itself; what began outside was settled.
    expect(played.end.kind).toBe('outcome');
    const began = played.ledger.filter((line) => line.startsWith('begin'));
    expect(played.ledger.filter((line) => line.startsWith('end'))).toHaveLength(began.length);
  }
});
