import type { AssistantPart, ModelMessage, ToolAnswer, ToolCall, UserPart } from '../../../model/index.ts';

/** Newest messages that are never touched: the model still works with them. */
const RECENT = 6;
const STUB_OVER_CHARS = 400;

export interface Eviction {
  readonly tool: string;
  readonly chars: number;
}

/** Characters of everything in a message that costs tokens; pictures count as a flat number. */
function charsOf(message: ModelMessage): number {
  const parts: readonly (UserPart | AssistantPart | ToolAnswer)[] =
    message.role === 'tool' ? message.results : message.parts;
  return parts.reduce((sum, part) => sum + sizeOf(part), 0);
}

const PICTURE_CHARS = 6_000;

function sizeOf(part: UserPart | AssistantPart | ToolAnswer): number {
  if ('callId' in part) return part.text.length + (part.images?.length ?? 0) * PICTURE_CHARS;
  if ('data' in part) return PICTURE_CHARS;
  return 'text' in part ? part.text.length : JSON.stringify(part.input).length;
}

/** On the safe side for code and for most languages. */
const CHARS_PER_TOKEN = 3;

/**
 * Who makes room, in this order, oldest first: `keep` newest messages are left alone, down to `share` of the limit.
 * A step goes further than it must, so that the beginning of the next requests stays the same, and cached.
 */
const STEPS = [
  { role: 'tool', keep: RECENT, share: 0.75 },
  { role: 'assistant', keep: RECENT, share: 0.75 },
  { role: 'tool', keep: 1, share: 1 },
] as const;

/**
 * The conversation of a Run, kept within what a request may hold (E14). The task and what people write are pinned; the
 * oldest tool results make room first, then what the model wrote into its calls, each replaced by a stub that says
 * what stood there. What was evicted stays so, and is reported.
 */
export class History {
  readonly #messages: ModelMessage[];
  readonly #maxChars: number;
  #chars: number;

  constructor(task: readonly UserPart[], maxTokens: number) {
    this.#messages = [];
    this.#maxChars = maxTokens * CHARS_PER_TOKEN;
    this.#chars = 0;
    this.add({ role: 'user', parts: task });
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  add(...messages: readonly ModelMessage[]): void {
    this.#messages.push(...messages);
    for (const message of messages) this.#chars += charsOf(message);
  }

  /** Makes room for the next request; `fits` is false when even the newest results do not leave enough. */
  makeRoom(): { readonly evicted: readonly Eviction[]; readonly fits: boolean } {
    const evicted: Eviction[] = [];
    for (const { role, keep, share } of STEPS) {
      if (this.#chars <= this.#maxChars) break;
      for (let at = 1; at < this.#messages.length - keep && this.#chars > this.#maxChars * share; at += 1) {
        if (this.#messages[at]?.role === role) evicted.push(...this.#shorten(at));
      }
    }
    return { evicted, fits: this.#chars <= this.#maxChars };
  }

  #shorten(at: number): readonly Eviction[] {
    const message = this.#messages[at];
    if (!message) return [];
    const { shorter, evicted } = shortened(message);
    this.#messages[at] = shorter;
    this.#chars += charsOf(shorter) - charsOf(message);
    return evicted;
  }
}

function shortened(message: ModelMessage): { readonly shorter: ModelMessage; readonly evicted: readonly Eviction[] } {
  const evicted: Eviction[] = [];
  const note = <Part extends ToolAnswer | AssistantPart>(tool: string, part: Part, stub: Part): Part => {
    const chars = sizeOf(part) - sizeOf(stub);
    if (chars <= 0) return part;
    evicted.push({ tool, chars });
    return stub;
  };
  if (message.role === 'tool') {
    const results = message.results.map((result) => note(result.name, result, resultStub(result)));
    return { shorter: { role: 'tool', results }, evicted };
  }
  if (message.role === 'user') return { shorter: message, evicted };
  const parts = message.parts.map((part) =>
    part.kind === 'tool_call' ? note(part.name, part, { ...part, input: inputStub(part.input) }) : part,
  );
  return { shorter: { role: 'assistant', parts }, evicted };
}

const cut = (text: string, chars: number): string => text.slice(0, chars).replace(/\p{Cs}/gu, '');

function resultStub({ callId, name, isError, text, images = [] }: ToolAnswer): ToolAnswer {
  if (text.length <= STUB_OVER_CHARS && images.length === 0) return { callId, name, isError, text };
  const said = `[left out to make room: ${text.length} characters; call ${name} again if you need it]`;
  return { callId, name, isError, text: `${cut(text, 200)}\n${said}` };
}

/** The call stays as it was made, but for its long texts: a file that was written can be read. */
const inputStub = (input: ToolCall['input']): ToolCall['input'] =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [key, valueStub(value)]));

function valueStub(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined || text.length <= STUB_OVER_CHARS) return value;
  return `${cut(text, 100)} [left out to make room: ${text.length} characters]`;
}
