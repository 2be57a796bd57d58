import { oneLine } from '../context/untrusted.ts';
import type { AssistantPart, Effort, ModelMessage, ModelRequest, ModelResponse, UserPart } from '../model/index.ts';
import { type Problem, sayComplaints } from './decision/complaints.ts';
import { DECIDE_TOOL } from './decision/decide-tool.ts';
import { repairPrompt } from './prompts/repair-prompt.ts';
import { coordinatorSystemPrompt } from './prompts/system-prompt.ts';
import { triggerLine } from './prompts/trigger-line.ts';
import type { SnapshotInput } from './snapshot/input.ts';
import { nowPart } from './snapshot/now-part.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

export const REQUEST_LIMITS = Object.freeze({ maxOutputTokens: 8_192 });

/** A file that came with a message of this turn. `data` is base64. */
export interface TurnFile {
  readonly name: string;
  readonly mediaType: string;
  readonly data: string;
}

export interface FirstRequest {
  readonly request: ModelRequest;
  readonly snapshot: Snapshot;
}

export interface RequestInput extends SnapshotInput {
  /** `provider/model`, resolved. */
  readonly model: string;
  readonly effort?: Effort;
  /** Pictures and PDF go along; other kinds are only named, for executors can read them. */
  readonly files: readonly TurnFile[];
}

/** The first request of a turn: one system prompt, one message, one tool that has to be called. */
export function firstRequest(input: RequestInput): FirstRequest {
  const snapshot = snapshotOf(input);
  const text = `${triggerLine(nowPart(input))}\n\nThe item:\n\n${snapshot.text}`;
  const request: ModelRequest = {
    model: input.model,
    system: coordinatorSystemPrompt(input.language),
    messages: [{ role: 'user', parts: [{ kind: 'text', text }, ...input.files.flatMap(fileParts)] }],
    tools: [DECIDE_TOOL],
    toolChoice: 'required',
    maxOutputTokens: REQUEST_LIMITS.maxOutputTokens,
    ...(input.effort === undefined ? {} : { effort: input.effort }),
  };
  return { request, snapshot };
}

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function fileParts({ name, mediaType, data }: TurnFile): readonly UserPart[] {
  const kind = IMAGES.has(mediaType) ? 'image' : mediaType === 'application/pdf' ? 'pdf' : undefined;
  if (kind === undefined) return [];
  const label = `Attachment, untrusted: ${oneLine(name, 255)}`;
  return [
    { kind: 'text', text: label },
    { kind, mediaType, data },
  ];
}

/** The one repair of a turn: what was answered, what is wrong with it, and the wish to decide again. */
export function repairRequest(
  first: ModelRequest,
  response: ModelResponse,
  complaints: readonly Problem[],
): ModelRequest {
  const text = repairPrompt(sayComplaints(complaints));
  const calls = response.parts.filter((part) => part.kind === 'tool_call');
  const answer: ModelMessage =
    calls.length === 0
      ? { role: 'user', parts: [{ kind: 'text', text }] }
      : { role: 'tool', results: calls.map(({ id, name }) => ({ callId: id, name, text, isError: true })) };
  return { ...first, messages: [...first.messages, ...said(response.parts), answer] };
}

/** An empty answer is no message: providers refuse those. */
const said = (parts: readonly AssistantPart[]): readonly ModelMessage[] =>
  parts.some((part) => part.kind !== 'text' || part.text !== '') ? [{ role: 'assistant', parts }] : [];
