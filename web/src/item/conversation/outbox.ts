import { useSyncExternalStore } from 'react';
import type { Entry, NewMessage } from '../../../../src/client/index.ts';
import { client } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { SentFile } from '../../attachments/sent-file.ts';

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
  /** Why it did not go; it stays until it is sent again or discarded. Without one it goes when there is a server. */
  readonly problem?: string;
}

interface Stored extends Outgoing {
  /** When it was written, epoch milliseconds: their order. */
  readonly writtenAt: number;
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

async function deliver(message: Stored): Promise<void> {
  const { itemId, problem: _before, writtenAt: _when, files: _files, whom: _whom, ...body } = message;
  const { problem } = await client.post('/api/v1/work-items/{id}/messages', { params: { path: { id: itemId } }, body });
  if (!problem) {
    await queryClient.invalidateQueries({ queryKey: ['item', itemId, 'conversation'] });
    discard(message.clientMessageId);
    return queryClient.invalidateQueries({ queryKey: ['item', itemId] });
  }
  // Nobody was there to take it: it is sent when the server is back.
  if (problem.status === 0) return;
  keep({ ...message, problem: [problem.detail, problem.next].filter(Boolean).join(' ') });
}

export function send(message: Outgoing): void {
  const stored = { ...message, writtenAt: Date.now() };
  keep(stored);
  void deliver(stored);
}

export function sendAgain(id: string): void {
  const found = outbox.find(({ clientMessageId }) => clientMessageId === id);
  if (!found) return;
  const { problem: _before, ...message } = found;
  send(message);
}

/** Sends what is on its way and stands refused by nobody; called whenever there is a server again. */
export async function resumeOutbox(): Promise<void> {
  // One after the other: they are heard in the order in which they were written.
  for (const message of outbox) if (message.problem === undefined) await deliver(message);
}

// What another tab wrote, sent or discarded.
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) tell(load());
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Clocks of two machines differ by less, mostly. */
const SKEW_MS = 5_000;

/** Whether a message is among what was said, while the answer that says so is still on its way. */
export const isSaid = (message: Stored, entries: readonly Entry[]): boolean =>
  entries.some(
    ({ author, text, at }) => author === 'person' && text === message.text && at >= message.writtenAt - SKEW_MS,
  );

export function useOutbox(itemId: string): readonly Stored[] {
  const all = useSyncExternalStore(subscribe, () => outbox);
  return all.filter((message) => message.itemId === itemId);
}

/** How many wait for a server, of all items. */
export const useOutboxSize = (): number =>
  useSyncExternalStore(subscribe, () => outbox.filter(({ problem }) => problem === undefined).length);
