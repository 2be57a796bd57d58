import type { Broken, ErrorReply, Reply, ReplyFunction } from './scenario.ts';
import type { Protocol } from './scripted-request.ts';

/** A scenario that was found to be right, its patterns compiled. */
export interface CompiledScenario {
  readonly name: string;
  readonly model: string | undefined;
  readonly steps: readonly CompiledStep[];
}

export interface CompiledStep {
  /** Its own, or `steps[2]`. */
  readonly name: string;
  readonly when: CompiledWhen;
  readonly reply: Reply | ReplyFunction | undefined;
  readonly error: ErrorReply | undefined;
  readonly broken: Broken | undefined;
}

export interface CompiledWhen {
  readonly asks: readonly RegExp[];
  readonly says: readonly RegExp[];
  readonly conversation: readonly RegExp[];
  readonly model: readonly RegExp[];
  readonly tools: readonly string[];
  readonly lacksTools: readonly string[];
  readonly turn: number | undefined;
  readonly times: number;
  readonly protocol: Protocol | undefined;
}
