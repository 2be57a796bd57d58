import { z } from 'zod';
import type { CompiledScenario, CompiledStep } from './compiled-scenario.ts';
import { BROKEN, type ReplyFunction, STOPS } from './scenario.ts';
import { PROTOCOLS } from './scripted-request.ts';

const PATTERN = 'a regular expression, such as "tests? fail" or "/tests? fail/i"';

/** Positions kept between searches would make a pattern match every other time. */
const withoutPosition = (pattern: RegExp): RegExp => new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));

function compilePattern(value: unknown): RegExp | string {
  if (value instanceof RegExp) return withoutPosition(value);
  if (typeof value !== 'string') return `expected ${PATTERN}`;
  const { source, flags } = /^\/(?<source>[\s\S]+)\/(?<flags>[a-z]*)$/.exec(value)?.groups ?? {};
  try {
    return withoutPosition(new RegExp(source ?? value, flags ?? ''));
  } catch (error) {
    return error instanceof SyntaxError ? error.message : String(error);
  }
}

const patterns = z.unknown().transform((value, context): readonly RegExp[] => {
  const several = Array.isArray(value);
  return (several ? value : [value]).flatMap((one: unknown, index) => {
    const compiled = compilePattern(one);
    if (typeof compiled !== 'string') return [compiled];
    context.addIssue({ code: 'custom', message: compiled, ...(several ? { path: [index] } : {}) });
    return [];
  });
});

const milliseconds = z.int('expected whole milliseconds').min(0, 'expected 0 or more').max(600_000, 'at most 600000');
const tokens = z.int('expected a whole number of tokens').min(0, 'expected 0 or more');
const positive = z.int('expected a whole number').min(1, 'expected 1 or more');
const text = z.string('expected a text');
const names = z.array(text.min(1, 'expected a name'), 'expected a list of tool names');

const when = z.strictObject({
  asks: patterns.optional(),
  says: patterns.optional(),
  conversation: patterns.optional(),
  model: patterns.optional(),
  tools: names.optional(),
  lacksTools: names.optional(),
  turn: positive.optional(),
  times: positive.optional(),
  protocol: z.enum(PROTOCOLS, `expected one of ${PROTOCOLS.join(', ')}`).optional(),
});

const usageCounts = z.strictObject({
  input: tokens,
  output: tokens,
  cacheRead: tokens.optional(),
  cacheWrite: tokens.optional(),
  reasoning: tokens.optional(),
});

const call = z.strictObject({
  name: text.min(1, 'expected the name of a tool'),
  input: z
    .union([text, z.record(z.string(), z.unknown())], 'expected a mapping, or a text that is sent as it is')
    .optional(),
  id: text.optional(),
});

const reply = z.strictObject({
  text: text.optional(),
  reasoning: text.optional(),
  toolCalls: z.array(call, 'expected a list of calls').optional(),
  usage: z.union([z.literal(false), usageCounts], 'expected input and output, or false').optional(),
  stop: z.enum(STOPS, `expected one of ${STOPS.join(', ')}`).optional(),
  delayMs: milliseconds.optional(),
  chunkDelayMs: milliseconds.optional(),
});

const error = z.strictObject({
  status: z.int('expected an HTTP status').min(400, 'expected 400..599').max(599, 'expected 400..599'),
  message: text.optional(),
  body: z.union([text, z.record(z.string(), z.unknown())], 'expected a text or a mapping').optional(),
  headers: z.record(z.string(), z.coerce.string()).optional(),
  afterBytes: z.int('expected a number of bytes').min(0, 'expected 0 or more').optional(),
  delayMs: milliseconds.optional(),
});

const replyFunction = z.custom<ReplyFunction>((value) => typeof value === 'function');

const step = z
  .strictObject({
    name: text.optional(),
    when: when.optional(),
    reply: z.union([replyFunction, reply], 'expected a mapping').optional(),
    error: error.optional(),
    broken: z.enum(BROKEN, `expected one of ${BROKEN.join(', ')}`).optional(),
  })
  .superRefine((value, context) => {
    const problem = endingProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

function endingProblem(value: {
  reply?: unknown;
  error?: { afterBytes?: number | undefined } | undefined;
  broken?: unknown;
}): string | undefined {
  if (value.error !== undefined && value.broken !== undefined) return 'expected error or broken, not both';
  if (value.error !== undefined && value.reply !== undefined && value.error.afterBytes === undefined) {
    return 'a reply beside an error needs error.afterBytes: how much of it is sent before';
  }
  const nothing = value.reply === undefined && value.error === undefined && value.broken === undefined;
  return nothing ? 'expected reply, error or broken' : undefined;
}

/** Exactly what a scenario may be; compiles its patterns. */
export const scenarioSchema = z.strictObject({
  name: text.min(1, 'expected a name'),
  model: text.min(1, 'expected the name of a model').optional(),
  steps: z.array(step, 'expected a list of steps').min(1, 'expected at least one step'),
});

type ParsedStep = z.infer<typeof step>;

function compileStep(parsed: ParsedStep, index: number): CompiledStep {
  const { asks = [], says = [], conversation = [], model = [], tools = [], lacksTools = [] } = parsed.when ?? {};
  const { turn, times = Number.POSITIVE_INFINITY, protocol } = parsed.when ?? {};
  return {
    name: parsed.name ?? `steps[${index}]`,
    when: { asks, says, conversation, model, tools, lacksTools, turn, times, protocol },
    reply: parsed.reply,
    error: parsed.error,
    broken: parsed.broken,
  };
}

export function compileScenario(parsed: z.infer<typeof scenarioSchema>): CompiledScenario {
  return { name: parsed.name, model: parsed.model, steps: parsed.steps.map(compileStep) };
}
