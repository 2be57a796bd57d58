import type { ClientProblem, Entry } from '../../../../src/client/index.ts';

/** What carries messages: who is next, and how one is taken to the server. */
export interface Carrier<M> {
  /** The first of an item that is on its way. */
  readonly next: (itemId: string) => M | undefined;
  /** False: nobody said whether they have it, so it is tried again. After true it is not next any more. */
  readonly deliver: (message: M) => Promise<boolean>;
  /** Before it is tried again; `failures`: how often it was in vain. */
  readonly pause: (failures: number) => Promise<void>;
}

/**
 * Carries the messages of each item one after the other, for they are to be heard in the order in which they were
 * written: a later one never overtakes one that nobody has answered yet.
 */
export function openDelivery<M>({ next, deliver, pause }: Carrier<M>): (itemId: string) => Promise<void> {
  const going = new Set<string>();
  return async (itemId) => {
    if (going.has(itemId)) return;
    going.add(itemId);
    try {
      let failures = 0;
      for (let message = next(itemId); message; message = next(itemId)) {
        failures = (await deliver(message)) ? 0 : failures + 1;
        if (failures > 0) await pause(failures);
      }
    } finally {
      going.delete(itemId);
    }
  };
}

const LONGEST_PAUSE_MS = 30_000;

/** Twice as long each time, up to half a minute. */
export const pauseMs = (failures: number): number => Math.min(1_000 * 2 ** (failures - 1), LONGEST_PAUSE_MS);

type Answered = Pick<ClientProblem, 'code' | 'status'>;

/** Nobody has decided about it: there was no answer, or the server had no time. */
export const isUndecided = ({ status }: Answered): boolean => status === 0 || status === 429 || status === 503;

/** A refusal that may be another one later; what is wrong with the message itself stays wrong. */
export const mayGoLater = ({ code, status }: Answered): boolean =>
  code !== 'generation_stale' && (status >= 500 || status === 401 || status === 403 || status === 409);

interface OnItsWay {
  readonly text: string;
  /** The last thing that was said when it was written; undefined where that was not known. */
  readonly seen?: number;
  readonly problem?: string;
}

type Said = Pick<Entry, 'author' | 'text' | 'seq'>;

/**
 * What is not among the things that were said. An answer may still be on its way when the message is already read
 * back: each is then one of those that came since it was written. A refused one is among none.
 */
export function unsaid<M extends OnItsWay>(outgoing: readonly M[], entries: readonly Said[]): readonly M[] {
  const own = entries.filter(({ author }) => author === 'person');
  return outgoing.filter(({ text, seen, problem }) => {
    if (problem !== undefined || seen === undefined) return true;
    const at = own.findIndex((entry) => entry.seq > seen && entry.text === text);
    if (at >= 0) own.splice(at, 1);
    return at < 0;
  });
}
