import type { Effort, ModelMessage, ModelRequest } from './model-request.ts';

/** Options of the Anthropic adapter about thinking; empty when there is nothing to say. */
export interface ThinkingOptions {
  readonly thinking?: Readonly<{ type: 'adaptive' }> | Readonly<{ type: 'enabled'; budgetTokens: number }>;
  readonly effort?: Effort;
}

/** Tokens a Claude model before 4.6 may think for, within the output limit of the request. */
const THINKING_BUDGETS: Readonly<Record<Effort, number>> = Object.freeze({
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_000,
});

/** The least budget the provider takes, and what is left for the answer at least. */
const LEAST_TOKENS = 1_024;

/**
 * How hard a Claude model thinks.
 *
 * | Model                         | Thinking                                                        |
 * | ----------------------------- | --------------------------------------------------------------- |
 * | 4.6 and later, Fable          | adaptive, with the effort; `xhigh` is `high` before 4.7          |
 * | 3.7 to 4.5, and unknown names | a budget, cut to the output limit                               |
 * | before 3.7                    | none                                                            |
 *
 * A budget excludes a forced tool call, and demands that an open tool loop began with signed thinking: then there is
 * none in this request.
 */
export function thinkingOptions(request: ModelRequest, modelId: string): ThinkingOptions {
  const { effort } = request;
  if (effort === undefined) return {};
  const version = claudeVersion(modelId);
  if (version >= 4.6) {
    return { thinking: { type: 'adaptive' }, effort: effort === 'xhigh' && version < 4.7 ? 'high' : effort };
  }
  if (version < 3.7 || request.toolChoice === 'required' || inUnsignedToolLoop(request.messages)) return {};
  const budgetTokens = Math.min(THINKING_BUDGETS[effort], request.maxOutputTokens - LEAST_TOKENS);
  return budgetTokens < LEAST_TOKENS ? {} : { thinking: { type: 'enabled', budgetTokens } };
}

/** What the Responses API is told; `xhigh` came with GPT-5.2. */
export function openaiEffort(effort: Effort, modelId: string): Effort {
  if (effort !== 'xhigh') return effort;
  const [, major, minor] = /^gpt-(\d+)(?:\.(\d+))?/.exec(modelId) ?? [];
  const version = Number(major ?? 0) + Number(minor ?? 0) / 10;
  return version >= 5.2 || modelId.includes('codex-max') ? 'xhigh' : 'high';
}

/** The efforts every server of chat completions knows. */
export function chatEffort(effort: Effort): Effort {
  return effort === 'xhigh' ? 'high' : effort;
}

/** 4.5 for `claude-opus-4-5-20251101`, 3.5 for `claude-3-5-haiku`; a name that is none of Claude's counts as 4. */
function claudeVersion(modelId: string): number {
  const old = /claude-(\d)-(?:(\d)-)?(?:opus|sonnet|haiku)/.exec(modelId);
  const current = /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d)(?!\d))?/.exec(modelId);
  const [, major, minor] = old ?? current ?? [];
  return major === undefined ? 4 : Number(major) + Number(minor ?? 0) / 10;
}

function inUnsignedToolLoop(messages: readonly ModelMessage[]): boolean {
  if (messages.at(-1)?.role !== 'tool') return false;
  const last = messages.findLast((message) => message.role === 'assistant');
  return last?.role === 'assistant' && last.parts[0]?.kind !== 'reasoning';
}
