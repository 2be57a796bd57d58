import type { AssistantPart, ModelMessage } from '../model-request.ts';

function assistantText(part: AssistantPart): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [part.text];
    case 'reasoning':
      return [];
    case 'tool_call': {
      const { input } = part;
      return [`${part.name} ${typeof input.unparsable === 'string' ? input.unparsable : JSON.stringify(input)}`];
    }
  }
}

function lines(message: ModelMessage): readonly string[] {
  switch (message.role) {
    case 'user':
      return message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    case 'assistant':
      return message.parts.flatMap(assistantText);
    case 'tool':
      return message.results.map(({ text }) => text);
  }
}

/** The words of messages, joined by line ends: texts, tool calls as `name {"input":…}`, tool results. */
export const textOf = (messages: readonly ModelMessage[]): string => messages.flatMap(lines).join('\n');

/** A tool's results and a user's words are one message in one protocol and several in another: this is all of them. */
export function afterLastAnswer(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}
