import { useSyncExternalStore } from 'react';
import type { NewMessage } from '../../../../src/client/index.ts';
import { client } from '../../api/client.ts';
import { conversationQuery, queryClient } from '../../api/queries.ts';
import type { SentFile } from '../../attachments/sent-file.ts';
import { isUndecided, mayGoLater, openDelivery, pauseMs } from './delivery.ts';

/**
 * Messages on their way. Each is stored in the browser before it is sent and is gone from there only when the server
 * has said that it has it, so a reload, a closed lid or a dead server loses none; its `clientMessageId` makes sending it
 * again harmless. Each has an entry of its own, so two tabs do not write over each other.
 */
export interface Outgoing extends NewMessage {
  readonly itemId: string;
  /** What its attachments are, for whoever writes it anew. */
  readonly files?: readonly SentFile[];
  /** The name of the Action that it is for. */
  readonly whom?: string;
  /** Why it did not go; it stays until it is sent again or discarded. Without one it is tried until it goes. */
  readonly problem?: string;
  /** It can only be refused again as it is. */
  readonly isFinal?: boolean;
  /** It was sent, and no answer came. */
  readonly isUnanswered?: boolean;
}

interface Stored extends Outgoing {
  /** When it was written, epoch milliseconds: their order. */
  readonly writtenAt: number;
  /** The last thing that was said by then, as far as it was read. */
  readonly seen?: number;
}

const PREFIX = 'workcenter.outbox.';
const listeners = new Set<() => void>();

function load(): readonly Stored[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as Stored)
      .toSorted((a, b) => a.writtenAt - b.writtenAt);
  } catch {
    return [];
  }
}

let outbox = load();

function tell(next: readonly Stored[]): void {
  outbox = next;
  for (const listener of listeners) listener();
}

function keep(message: Stored): void {
  try {
    localStorage.setItem(PREFIX + message.clientMessageId, JSON.stringify(message));
  } catch {
    // Without storage a message lives as long as the page.
  }
  tell([...without(message.clientMessageId), message].toSorted((a, b) => a.writtenAt - b.writtenAt));
}

const without = (id: string): readonly Stored[] => outbox.filter(({ clientMessageId }) => clientMessageId !== id);

export function discard(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // It was never stored.
  }
  tell(without(id));
}

/** What the server has, for as long as it takes to read it back. */
const arrived = new Set<string>();

/** A request that hangs says nothing; sending it again is harmless. */
const PATIENCE_MS = 20_000;

async function deliver(message: Stored): Promise<boolean> {
  const { itemId, clientMessageId, text, target, quote, attachments } = message;
  const more = { ...(quote ? { quote } : {}), ...(attachments ? { attachments } : {}) };
  const { problem } = await client.post('/api/v1/work-items/{id}/messages', {
    params: { path: { id: itemId } },
    body: { clientMessageId, text, target, ...more },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!problem) {
    arrived.add(clientMessageId);
    void readBack(message);
    return true;
  }
  const isKept = outbox.some((each) => each.clientMessageId === clientMessageId);
  const isDecided = !isUndecided(problem);
  if (isKept && isDecided) keep({ ...refused(message, problem), isFinal: !mayGoLater(problem) });
  else if (isKept && !message.isUnanswered) keep({ ...message, isUnanswered: true });
  return isDecided;
}

const refused = (message: Stored, { detail, next }: { readonly detail: string; readonly next?: string }): Stored => ({
  ...message,
  problem: [detail, next].filter(Boolean).join(' '),
});

async function readBack({ itemId, clientMessageId }: Stored): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['item', itemId, 'conversation'] });
  discard(clientMessageId);
  arrived.delete(clientMessageId);
  await queryClient.invalidateQueries({ queryKey: ['item', itemId] });
}

const isOnItsWay = ({ problem, clientMessageId }: Stored): boolean =>
  problem === undefined && !arrived.has(clientMessageId);

const impatient = new Set<() => void>();

/** Until it is time to try again, or there is a reason to try at once. */
const pause = (failures: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      impatient.delete(done);
      resolve();
    };
    const timer = setTimeout(done, pauseMs(failures));
    impatient.add(done);
  });

const carry = openDelivery<Stored>({
  next: (itemId) => outbox.find((message) => message.itemId === itemId && isOnItsWay(message)),
  ...{ deliver, pause },
});

/** As far as the conversation was read when something is written. */
const lastSeen = (itemId: string): number | undefined => {
  const talk = queryClient.getQueryData(conversationQuery(itemId).queryKey);
  return talk && (talk.pages[0]?.entries.at(-1)?.seq ?? 0);
};

export function send(message: Outgoing): void {
  const seen = lastSeen(message.itemId);
  keep({ ...message, writtenAt: Date.now(), ...(seen === undefined ? {} : { seen }) });
  void carry(message.itemId);
}

/** What was refused goes anew; what waits for an answer does not wait any longer. */
export function sendAgain(id: string): void {
  const found = outbox.find(({ clientMessageId }) => clientMessageId === id);
  if (!found) return;
  const { problem, isFinal: _final, isUnanswered: _unanswered, ...message } = found;
  if (problem === undefined) resumeOutbox();
  else send(message);
}

/** Sends what is on its way and stands refused by nobody; called whenever there is a server again. */
export function resumeOutbox(): void {
  for (const hurry of [...impatient]) hurry();
  for (const itemId of new Set(outbox.filter(isOnItsWay).map((message) => message.itemId))) void carry(itemId);
}

/** A tab that has sent nothing in this time may be gone: then another one sends what it wrote. */
const ADOPTED_MS = 30_000;

// What another tab wrote, sent or discarded.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== null && !key.startsWith(PREFIX)) return;
  tell(load());
  if (newValue !== null) setTimeout(resumeOutbox, ADOPTED_MS);
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useOutbox(itemId: string): readonly Stored[] {
  const all = useSyncExternalStore(subscribe, () => outbox);
  return all.filter((message) => message.itemId === itemId);
}

/** How many wait for a server, of all items. */
export const useOutboxSize = (): number =>
  useSyncExternalStore(subscribe, () => outbox.filter(({ problem }) => problem === undefined).length);
