import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { AssistantPart, ModelMessage, ModelRequest, ToolAnswer, UserPart } from './model-request.ts';
import type { ProviderKind } from './model-settings.ts';
import { replayOf } from './replay.ts';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];
type UserContent = LanguageModelV3TextPart | LanguageModelV3FilePart;

/** Marks the end of what Anthropic may cache. */
export const CACHE_BREAKPOINT: SharedV3ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** System text and messages as the adapters take them. */
export function promptOf(request: ModelRequest, protocol: ProviderKind): LanguageModelV3Prompt {
  const messages = request.messages.flatMap((message) => messagesOf(message, request.model, protocol));
  const ours = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  const marked = messages.map((message, index) =>
    index === ours ? { ...message, providerOptions: CACHE_BREAKPOINT } : message,
  );
  if (request.system === '') return marked;
  return [{ role: 'system', content: request.system, providerOptions: CACHE_BREAKPOINT }, ...marked];
}

function messagesOf(message: ModelMessage, model: string, protocol: ProviderKind): LanguageModelV3Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.parts.map(userContent) }];
    case 'assistant': {
      const content = message.parts.flatMap((part) => assistantContent(part, model));
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'tool':
      return protocol === 'openai-compatible' ? chatAnswers(message.results) : [toolMessage(message.results, answerOf)];
  }
}

function userContent(part: UserPart): UserContent {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  return { type: 'file', mediaType: part.mediaType, data: part.data };
}

function assistantContent(part: AssistantPart, model: string): AssistantContent[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning': {
      const providerOptions = replayOf(part.provider, model);
      return providerOptions ? [{ type: 'reasoning', text: part.text, providerOptions }] : [];
    }
    case 'tool_call':
      return [toolCall(part, replayOf(part.provider, model))];
  }
}

function toolCall(
  call: Extract<AssistantPart, { kind: 'tool_call' }>,
  providerOptions: SharedV3ProviderOptions | undefined,
): AssistantContent {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: call.input,
    ...(providerOptions && { providerOptions }),
  };
}

function toolMessage(
  results: readonly ToolAnswer[],
  outputOf: (answer: ToolAnswer) => LanguageModelV3ToolResultPart['output'],
): LanguageModelV3Message {
  const content = results.map((answer) => ({
    type: 'tool-result' as const,
    toolCallId: answer.callId,
    toolName: answer.name,
    output: outputOf(answer),
  }));
  return { role: 'tool', content };
}

function answerOf(answer: ToolAnswer): LanguageModelV3ToolResultPart['output'] {
  const images = answer.images ?? [];
  if (answer.isError || images.length === 0) return textAnswer(answer);
  const pictures = images.map(({ mediaType, data }) => ({ type: 'image-data' as const, mediaType, data }));
  return { type: 'content', value: [{ type: 'text', text: answer.text }, ...pictures] };
}

function textAnswer({ isError, text }: ToolAnswer): LanguageModelV3ToolResultPart['output'] {
  return { type: isError ? 'error-text' : 'text', value: text };
}

/** Chat completions know no picture in the answer of a tool: it follows as a message of the user. */
function chatAnswers(results: readonly ToolAnswer[]): LanguageModelV3Message[] {
  const pictures = results.flatMap((answer) =>
    (answer.images ?? []).flatMap(({ mediaType, data }): UserContent[] => [
      { type: 'text', text: `Picture from ${answer.name} (${answer.callId}):` },
      { type: 'file', mediaType, data },
    ]),
  );
  const answers = toolMessage(results, textAnswer);
  return pictures.length === 0 ? [answers] : [answers, { role: 'user', content: pictures }];
}
