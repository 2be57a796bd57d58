import type { EventOf, EventType } from '../../core/event.ts';

/** Names that later events use: which Run or call belongs to whom. Grows as events are told. */
export interface Telling {
  readonly runs: Map<string, { readonly actionId: string; readonly ordinal: number; readonly startedAt: number }>;
  /** `fix, request 3`, by call id. */
  readonly calls: Map<string, string>;
}

export const newTelling = (): Telling => ({ runs: new Map(), calls: new Map() });

/** `silent`: a step that matters to programs and that people would only read over. */
export type Tone = 'plain' | 'good' | 'bad' | 'ask' | 'quiet' | 'silent';

export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

export const say = (text: string, tone: Tone = 'plain'): Said => ({ tone, text });

export type Saying<T extends EventType> = (body: EventOf<T>, telling: Telling, at: number) => Said;
export type Sayings<T extends EventType> = { readonly [K in T]: Saying<K> };
