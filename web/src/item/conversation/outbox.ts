import { useSyncExternalStore } from 'react';
import type { NewMessage } from '../../../../src/client/index.ts';
import { client } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';

/**
 * Messages on their way. Each is stored in the browser before it is sent and is gone from there only when the server
 * has said that it has it, so a reload, a closed lid or a dead server loses none; its `clientMessageId` makes sending it
 * again harmless.
 */
export interface Outgoing extends NewMessage {
  readonly itemId: string;
  /** Why it did not go; it stays until it is sent again or discarded. */
  readonly problem?: string;
}

const KEY = 'workcenter.outbox';
const listeners = new Set<() => void>();

function load(): readonly Outgoing[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? (stored as Outgoing[]) : [];
  } catch {
    return [];
  }
}

let outbox = load();

function become(next: readonly Outgoing[]): void {
  outbox = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage a message lives as long as the page.
  }
  for (const listener of listeners) listener();
}

const without = (id: string): readonly Outgoing[] => outbox.filter(({ clientMessageId }) => clientMessageId !== id);

async function deliver(message: Outgoing): Promise<void> {
  const { itemId, problem: _before, ...body } = message;
  const { problem } = await client.post('/api/v1/work-items/{id}/messages', { params: { path: { id: itemId } }, body });
  if (!problem) {
    await queryClient.invalidateQueries({ queryKey: ['item', itemId] });
    return become(without(message.clientMessageId));
  }
  become(
    outbox.map((each) =>
      each.clientMessageId === message.clientMessageId
        ? { ...each, problem: [problem.detail, problem.next].filter(Boolean).join(' ') }
        : each,
    ),
  );
}

export function send(message: Outgoing): void {
  become([...without(message.clientMessageId), message]);
  void deliver(message);
}

export function sendAgain(id: string): void {
  const found = outbox.find(({ clientMessageId }) => clientMessageId === id);
  if (!found) return;
  const { problem: _before, ...message } = found;
  send(message);
}

export const discard = (id: string): void => become(without(id));

/** What was on its way when the page was closed is sent now; called once, when the page opens. */
export function resumeOutbox(): void {
  for (const message of outbox) if (message.problem === undefined) void deliver(message);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useOutbox(itemId: string): readonly Outgoing[] {
  const all = useSyncExternalStore(subscribe, () => outbox);
  return all.filter((message) => message.itemId === itemId);
}
