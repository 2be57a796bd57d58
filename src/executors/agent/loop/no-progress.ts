import { canonical } from '../../../core/identity.ts';
import type { ToolCall } from '../../../model/index.ts';

/** When an agent goes round in circles (quality.md, "Loops"). Counted in tool calls. */
export const PATIENCE = Object.freeze({
  /** The same call with the same answer. */
  remindAtSame: 3,
  stopAtSame: 6,
  /** Calls in a row by which nothing new was written and nothing new was learnt. */
  remindAtStale: 40,
  stopAtStale: 80,
});

export type Progress =
  | Readonly<{ kind: 'fine' }>
  | Readonly<{ kind: 'remind'; words: string }>
  | Readonly<{ kind: 'stop'; reason: string }>;

const FINE: Progress = Object.freeze({ kind: 'fine' });

/**
 * Watches the calls of one Run. An answer that was not seen before is progress, and so is a write that was not made
 * before: the same shell line, or the same file written again, changes as little as the same question.
 */
export class ProgressWatch {
  readonly #seen = new Map<string, number>();
  readonly #writes = new Set<string>();
  readonly #answers = new Set<string>();
  #stale = 0;

  /** `wrote`: the call changed the workspace, or may have. `answer`: what it said. */
  note(call: Pick<ToolCall, 'name' | 'input'>, answer: string, wrote: boolean): Progress {
    const same = canonical([call.name, call.input, answer]);
    const said = canonical([call.name, answer]);
    const isNewWrite = wrote && !this.#writes.has(same);
    if (isNewWrite) this.#seen.clear();
    if (wrote) this.#writes.add(same);
    this.#stale = isNewWrite || !this.#answers.has(said) ? 0 : this.#stale + 1;
    this.#answers.add(said);
    const times = (this.#seen.get(same) ?? 0) + 1;
    this.#seen.set(same, times);
    return judge(call.name, times, this.#stale);
  }
}

function judge(tool: string, times: number, stale: number): Progress {
  if (times >= PATIENCE.stopAtSame)
    return { kind: 'stop', reason: `It called ${tool} ${times} times with the same arguments and the same answer.` };
  if (stale >= PATIENCE.stopAtStale)
    return { kind: 'stop', reason: `${stale} tool calls in a row wrote nothing and brought nothing new.` };
  if (times === PATIENCE.remindAtSame)
    return { kind: 'remind', words: `You have made this very call ${times} times; its answer will not change.` };
  if (stale === PATIENCE.remindAtStale)
    return { kind: 'remind', words: `${stale} calls in a row brought nothing new. Act, ask, or end.` };
  return FINE;
}
