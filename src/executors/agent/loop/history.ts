import type { AssistantPart, ModelMessage, ToolAnswer, UserPart } from '../../../model/index.ts';

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

/** Three characters to a token: on the safe side for code and for most languages. */
const tokensOf = (messages: readonly ModelMessage[]): number =>
  Math.ceil(messages.reduce((sum, message) => sum + charsOf(message), 0) / 3);

/**
 * The conversation of a Run, kept within what a request may hold (E14). The task is pinned; the oldest tool results
 * make room first, each replaced by a stub that says what stood there. What was evicted stays so, and is reported.
 */
export class History {
  readonly #messages: ModelMessage[];
  readonly #maxTokens: number;

  constructor(task: readonly UserPart[], maxTokens: number) {
    this.#messages = [{ role: 'user', parts: task }];
    this.#maxTokens = maxTokens;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  add(message: ModelMessage): void {
    this.#messages.push(message);
  }

  /** Makes room for the next request; `fits` is false when even the newest results do not leave enough. */
  makeRoom(): { readonly evicted: readonly Eviction[]; readonly fits: boolean } {
    const evicted: Eviction[] = [];
    for (const keep of [RECENT, 1]) {
      for (let at = 1; at < this.#messages.length - keep; at += 1) {
        if (tokensOf(this.#messages) <= this.#maxTokens) return { evicted, fits: true };
        evicted.push(...this.#evict(at));
      }
    }
    return { evicted, fits: tokensOf(this.#messages) <= this.#maxTokens };
  }

  #evict(at: number): readonly Eviction[] {
    const message = this.#messages[at];
    if (message?.role !== 'tool') return [];
    const evicted: Eviction[] = [];
    const results = message.results.map((result) => {
      const chars = sizeOf(result);
      if (chars <= STUB_OVER_CHARS) return result;
      evicted.push({ tool: result.name, chars });
      return stub(result, chars);
    });
    this.#messages[at] = { role: 'tool', results };
    return evicted;
  }
}

const stub = ({ callId, name, isError, text }: ToolAnswer, chars: number): ToolAnswer => ({
  callId,
  name,
  isError,
  text: `${text.slice(0, 200)}\n[left out to make room: ${chars} characters; call ${name} again if you need it]`,
});
