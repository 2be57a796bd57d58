import type { Answer } from './answer.ts';
import type { Calls, Transport } from './call.ts';
import { followItem } from './follow.ts';
import { mayPass, pause } from './patience.ts';
import { ProblemError } from './problem-error.ts';
import type { Item } from './schema.ts';

export interface WaitOptions {
  /** Also comes back where the item waits for a person. */
  readonly orNeedsYou?: boolean;
  readonly signal?: AbortSignal;
  /** Hears how the item stands whenever it has changed. Must not throw. */
  readonly changed?: (item: Item) => void;
}

const isOver = ({ lane }: Item, orNeedsYou: boolean): boolean =>
  lane === 'done' || (orNeedsYou && lane === 'needs_you');

type Read = () => Promise<Answer<Item>>;

/** Reads again until there is an answer, or a refusal that stands. */
async function patiently(read: Read, signal: AbortSignal | undefined): Promise<Answer<Item>> {
  for (;;) {
    const answer = await read();
    if (!answer.problem || !mayPass(answer.problem) || signal?.aborted) return answer;
    await pause((answer.problem.retryAfterSec ?? 1) * 1_000, signal);
  }
}

/** Follows an item until it is over; its head as it is then, or as it was last when the signal aborts. */
export async function waitForEnd(
  calls: Pick<Calls, 'get'>,
  transport: Transport,
  id: string,
  { orNeedsYou = false, signal, changed }: WaitOptions,
): Promise<Answer<Item>> {
  const read: Read = () => calls.get('/api/v1/work-items/{id}', { params: { path: { id } } });
  let last = await read();
  if (last.problem || isOver(last.data, orNeedsYou)) return last;
  const options = { after: last.data.version, ...(signal ? { signal } : {}) };
  try {
    for await (const { seq } of followItem(transport, id, options)) {
      // One reading tells of all that came with it.
      if (seq <= last.data.version) continue;
      const now = await patiently(read, signal);
      if (now.problem) return signal?.aborted ? last : now;
      last = now;
      changed?.(now.data);
      if (isOver(now.data, orNeedsYou)) break;
    }
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error.problem };
    throw error;
  }
  return last;
}
