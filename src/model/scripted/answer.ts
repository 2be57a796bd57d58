import { NO_TOKENS, type TokenUsage } from '../model-response.ts';
import type { CompiledStep } from './compiled-scenario.ts';
import { isObject } from './json.ts';
import type { Groups } from './match-step.ts';
import type { Reply, ScriptedCall, ScriptedUsage, Stop } from './scenario.ts';
import type { ScriptedRequest } from './scripted-request.ts';
import { type Filled, fill, type TemplateSource } from './template.ts';

/** A whole answer, neutral of the protocol it is sent in. */
export interface Answer {
  /** `r12`: from the number of the request. Every id in the answer is made from it. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly model: string;
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  readonly stop: Stop;
  /** Absent when the reply reports none. */
  readonly usage: TokenUsage | undefined;
}

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
  /** `input` as JSON, or the text it is. */
  readonly arguments: string;
}

export interface AnswerIdentity {
  readonly number: number;
  readonly at: number;
  readonly model: string;
}

/** What is begun before an error or a break, when the step says no reply. */
const CUT_REPLY: Reply = { text: 'This answer begins well, goes on for a while, and is never heard to its end.' };

/** The reply of a step, its templates filled from the groups it captured and from the request. */
export async function replyOf(step: CompiledStep, request: ScriptedRequest, groups: Groups): Promise<Filled<Reply>> {
  const { reply = CUT_REPLY } = step;
  if (typeof reply === 'function') return { ok: true, value: await reply(request) };
  const source: TemplateSource = { values: groups, root: request };
  const words = fill({ text: reply.text, reasoning: reply.reasoning, toolCalls: reply.toolCalls }, source);
  return words.ok ? { ok: true, value: { ...reply, ...wordsOf(words.value) } } : words;
}

/** `fill` keeps the shape; this says so to the compiler without a cast. */
function wordsOf(filled: unknown): Pick<Reply, 'text' | 'reasoning' | 'toolCalls'> {
  if (!isObject(filled)) return {};
  const { text, reasoning, toolCalls } = filled;
  return {
    ...(text === undefined ? {} : { text: asText(text) }),
    ...(reasoning === undefined ? {} : { reasoning: asText(reasoning) }),
    ...(Array.isArray(toolCalls) ? { toolCalls: toolCalls.map(callOf) } : {}),
  };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function callOf(value: unknown): ScriptedCall {
  const { name, input, id } = isObject(value) ? value : {};
  const given = typeof input === 'string' || isObject(input) ? { input } : {};
  return { name: asText(name), ...given, ...(id === undefined ? {} : { id: asText(id) }) };
}

function usageOf(given: ScriptedUsage | false | undefined, sent: number, answered: number): TokenUsage | undefined {
  if (given === false) return undefined;
  if (given === undefined) return { ...NO_TOKENS, input: Math.ceil(sent / 4), output: Math.ceil(answered / 4) };
  const { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = given;
  return { input, output, cacheRead, cacheWrite, reasoning };
}

/** The answer that a reply amounts to. Ids are unique within the conversation (turn) and the server (number). */
export function answerOf(reply: Reply, request: ScriptedRequest, { number, at, model }: AnswerIdentity): Answer {
  const { text = '', reasoning = '', toolCalls = [] } = reply;
  const calls = toolCalls.map((call, index): AnswerCall => {
    const { name, input = {}, id = `call_${request.turn}_${number}_${index}` } = call;
    return { id, name, input, arguments: typeof input === 'string' ? input : JSON.stringify(input) };
  });
  const answered = [reasoning, text, ...calls.map((call) => call.name + call.arguments)].join('').length;
  const stop = reply.stop ?? (calls.length > 0 ? 'tool_use' : 'end');
  const usage = usageOf(reply.usage, JSON.stringify(request.body).length, answered);
  return { id: `r${number}`, at, model, reasoning, text, calls, stop, usage };
}
