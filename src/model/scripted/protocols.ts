import type { Answer } from './answer.ts';
import type { JsonObject } from './json.ts';
import { readAnthropic } from './read-anthropic.ts';
import { readOpenaiChat } from './read-openai-chat.ts';
import { type FindItem, readOpenaiResponses } from './read-openai-responses.ts';
import type { Protocol, ReadResult, ScriptedRequest } from './scripted-request.ts';
import { writeAnthropicBody, writeAnthropicEvents } from './write-anthropic.ts';
import { writeOpenaiChatBody, writeOpenaiChatEvents } from './write-openai-chat.ts';
import { writeOpenaiResponsesBody, writeOpenaiResponsesEvents } from './write-openai-responses.ts';

/** A protocol as two pure directions. `events` are whole server-sent events, each with the empty line at its end. */
export interface ProtocolCodec {
  readonly read: (body: unknown, findItem: FindItem) => ReadResult;
  readonly body: (answer: Answer) => JsonObject;
  readonly events: (answer: Answer, request: ScriptedRequest) => readonly string[];
}

/** An event as a server sends it; named after its `type` where the protocol names events. */
export function serverSentEvent(data: JsonObject | string): string {
  if (typeof data === 'string') return `data: ${data}\n\n`;
  const name = typeof data.type === 'string' ? `event: ${data.type}\n` : '';
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

const wantsUsage = ({ body }: ScriptedRequest): boolean => {
  const options = body.stream_options;
  return typeof options === 'object' && options !== null && Reflect.get(options, 'include_usage') === true;
};

export const CODECS: Readonly<Record<Protocol, ProtocolCodec>> = {
  'openai-chat': {
    read: readOpenaiChat,
    body: writeOpenaiChatBody,
    events: (answer, request) => writeOpenaiChatEvents(answer, wantsUsage(request)).map(serverSentEvent),
  },
  'openai-responses': {
    read: readOpenaiResponses,
    body: writeOpenaiResponsesBody,
    events: (answer) => writeOpenaiResponsesEvents(answer).map(serverSentEvent),
  },
  anthropic: {
    read: readAnthropic,
    body: writeAnthropicBody,
    events: (answer) => writeAnthropicEvents(answer).map(serverSentEvent),
  },
};
