import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { AssistantPart, ToolCall } from './model-request.ts';
import type { ModelResponse, TokenUsage } from './model-response.ts';
import type { ProviderKind } from './model-settings.ts';
import { keptFor, mergedMetadata } from './replay.ts';
import { usageReader } from './usage.ts';

export interface AnswerReader {
  /** Takes the next part of the adapter's stream; says what kind of progress it is. */
  take(part: LanguageModelV3StreamPart): 'reasoning' | 'text' | 'tool_call' | undefined;
  /** True once the event has come after which nothing but usage can follow. */
  ended(): boolean;
  /** True once the provider said that the answer is complete and the adapter has passed all of it on. */
  complete(): boolean;
  /** The first error in the stream. `atOnce`: nothing of an answer was before it. */
  error(): Readonly<{ value: unknown; atOnce: boolean }> | undefined;
  usage(): TokenUsage | undefined;
  response(): ModelResponse;
}

/** Puts the parts of a stream together to one answer of `model` (`provider/model`). */
export function answerReader(protocol: ProviderKind, model: string): AnswerReader {
  const list = partList(model);
  const usage = usageReader(protocol);
  let error: { value: unknown; atOnce: boolean } | undefined;
  let ended = false;
  let answeredBy: string | undefined;
  let finish: LanguageModelV3FinishReason | undefined;
  return {
    take(part) {
      switch (part.type) {
        case 'raw':
          usage.take(part.rawValue);
          ended ||= isTerminal(part.rawValue);
          return undefined;
        case 'response-metadata':
          answeredBy = part.modelId ?? answeredBy;
          return undefined;
        case 'error':
          error ??= { value: part.error, atOnce: list.isEmpty() };
          return undefined;
        case 'finish':
          finish = part.finishReason;
          return undefined;
        default:
          return list.take(part);
      }
    },
    ended: () => ended,
    complete: () => ended && finish !== undefined && error === undefined,
    error: () => error,
    usage: () => usage.usage(),
    response: () => responseOf(list.parts(), finish, usage.usage(), answeredBy),
  };
}

interface Draft {
  readonly kind: 'text' | 'reasoning';
  text: string;
  metadata?: SharedV3ProviderMetadata | undefined;
}

interface PartList {
  take(part: LanguageModelV3StreamPart): ReturnType<AnswerReader['take']>;
  isEmpty(): boolean;
  parts(): AssistantPart[];
}

/** The parts of the assistant's message in the order in which they began. */
function partList(model: string): PartList {
  const drafts: (Draft | ToolCall)[] = [];
  const open = new Map<string, Draft>();
  const begin = (kind: Draft['kind'], id: string, metadata: SharedV3ProviderMetadata | undefined): void => {
    const draft: Draft = { kind, text: '', metadata };
    open.set(`${kind} ${id}`, draft);
    drafts.push(draft);
  };
  const add = (kind: Draft['kind'], id: string, delta: string, metadata?: SharedV3ProviderMetadata): Draft['kind'] => {
    const draft = open.get(`${kind} ${id}`);
    if (draft) {
      draft.text += delta;
      draft.metadata = mergedMetadata(draft.metadata, metadata);
    }
    return kind;
  };
  return {
    take(part) {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start':
          begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
          return undefined;
        case 'text-delta':
          return add('text', part.id, part.delta, part.providerMetadata);
        case 'reasoning-delta':
          return add('reasoning', part.id, part.delta, part.providerMetadata);
        case 'reasoning-end':
          return add('reasoning', part.id, '', part.providerMetadata);
        case 'tool-call':
          drafts.push(toolCall(part, model));
          return 'tool_call';
        case 'tool-input-delta':
          return 'tool_call';
        default:
          return undefined;
      }
    },
    isEmpty: () => drafts.length === 0,
    parts: () => drafts.flatMap((draft) => partOf(draft, model)),
  };
}

const TERMINAL_EVENTS = ['message_stop', 'response.completed', 'response.incomplete'];

/** The event after which nothing of an answer can be missing; chat completions name a reason instead. */
function isTerminal(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const { type, choices } = event as Readonly<Record<string, unknown>>;
  if (typeof type === 'string' && TERMINAL_EVENTS.includes(type)) return true;
  return Array.isArray(choices) && choices.some((choice: unknown) => hasReason(choice));
}

function hasReason(choice: unknown): boolean {
  if (typeof choice !== 'object' || choice === null || !('finish_reason' in choice)) return false;
  return typeof choice.finish_reason === 'string' && choice.finish_reason !== '';
}

function toolCall(part: Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>, model: string): ToolCall {
  return {
    kind: 'tool_call',
    id: part.toolCallId,
    name: part.toolName,
    input: inputOf(part.input),
    ...(part.providerMetadata && { provider: keptFor(model, part.providerMetadata) }),
  };
}

/** Some servers send nothing for a tool without arguments. */
function inputOf(text: string): ToolCall['input'] {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Readonly<Record<string, unknown>>) : { unparsable: text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function partOf(draft: Draft | ToolCall, model: string): AssistantPart[] {
  if (draft.kind === 'tool_call') return [draft];
  if (draft.text === '' && (draft.kind === 'text' || draft.metadata === undefined)) return [];
  if (draft.kind === 'text') return [{ kind: 'text', text: draft.text }];
  return [{ kind: 'reasoning', text: draft.text, provider: keptFor(model, draft.metadata) }];
}

const STOPS: Readonly<Record<string, ModelResponse['stop']>> = {
  stop: 'end',
  'tool-calls': 'tool_use',
  length: 'length',
  'content-filter': 'content_filter',
};

function responseOf(
  parts: readonly AssistantPart[],
  finish: LanguageModelV3FinishReason | undefined,
  usage: TokenUsage | undefined,
  model: string | undefined,
): ModelResponse {
  const toolCalls = parts.filter((part) => part.kind === 'tool_call');
  const stop = STOPS[finish?.unified ?? 'other'] ?? 'other';
  return {
    text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    toolCalls,
    parts,
    // Some servers say `stop` after tool calls.
    stop: stop === 'end' && toolCalls.length > 0 ? 'tool_use' : stop,
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  };
}
