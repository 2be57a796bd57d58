import { z } from 'zod';
import type { TokenUsage } from './model-response.ts';
import type { ProviderKind } from './model-settings.ts';

/**
 * Reads usage from the raw events of a stream, so that a stream that breaks still tells what it used so far.
 *
 * | Provider  | Where                               | Cached input             |
 * | --------- | ----------------------------------- | ------------------------ |
 * | Anthropic | message_start, then message_delta    | beside `input_tokens`     |
 * | Responses | response.completed and its kind     | inside `input_tokens`     |
 * | chat      | any chunk, the last one counts       | inside `prompt_tokens`    |
 */
export interface UsageReader {
  take(event: unknown): void;
  /** Undefined when nothing, or nothing but zeros, was reported. */
  usage(): TokenUsage | undefined;
}

export function usageReader(protocol: ProviderKind): UsageReader {
  let found: Readonly<Record<string, unknown>> = {};
  return {
    take(event) {
      const parsed = carrier.safeParse(event);
      const reported = parsed.success ? usageIn(parsed.data) : undefined;
      if (reported) found = { ...found, ...withoutNulls(reported) };
    },
    usage() {
      const usage = protocol === 'anthropic' ? fromAnthropic(found) : fromOpenai(found);
      return usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0 ? usage : undefined;
    },
  };
}

const record = z.record(z.string(), z.unknown());
const inside = z.looseObject({ usage: record.nullish() });
const carrier = z.looseObject({ usage: record.nullish(), message: inside.nullish(), response: inside.nullish() });

const tokens = z.number().nonnegative().transform(Math.round).catch(0).default(0);
const details = z.looseObject({
  cached_tokens: tokens,
  cache_write_tokens: tokens,
  reasoning_tokens: tokens,
  thinking_tokens: tokens,
});
const none = details.parse({});
const orNone = details
  .nullish()
  .transform((found) => found ?? none)
  .catch(none);

const anthropicUsage = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  output_tokens_details: orNone,
});

const openaiUsage = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
  /** Where DeepSeek counts what it had cached. */
  prompt_cache_hit_tokens: tokens,
  prompt_tokens_details: orNone,
  completion_tokens_details: orNone,
  input_tokens_details: orNone,
  output_tokens_details: orNone,
});

function usageIn(event: z.infer<typeof carrier>): Readonly<Record<string, unknown>> | undefined {
  return event.usage ?? event.message?.usage ?? event.response?.usage ?? undefined;
}

function withoutNulls(found: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null && value !== undefined));
}

function fromAnthropic(found: Readonly<Record<string, unknown>>): TokenUsage {
  const usage = anthropicUsage.parse(found);
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    reasoning: usage.output_tokens_details.thinking_tokens,
  };
}

function fromOpenai(found: Readonly<Record<string, unknown>>): TokenUsage {
  const usage = openaiUsage.parse(found);
  const inputDetails = 'input_tokens_details' in found ? usage.input_tokens_details : usage.prompt_tokens_details;
  const outputDetails =
    'output_tokens_details' in found ? usage.output_tokens_details : usage.completion_tokens_details;
  const total = Math.max(usage.input_tokens, usage.prompt_tokens);
  const cacheRead = Math.min(total, inputDetails.cached_tokens || usage.prompt_cache_hit_tokens);
  const cacheWrite = Math.min(total - cacheRead, inputDetails.cache_write_tokens);
  return {
    input: total - cacheRead - cacheWrite,
    output: Math.max(usage.output_tokens, usage.completion_tokens),
    cacheRead,
    cacheWrite,
    reasoning: outputDetails.reasoning_tokens,
  };
}
