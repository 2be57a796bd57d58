import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CancelledNotificationSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';

/** The requests of one connection that have no answer yet. */
export interface Unanswered {
  has(id: RequestId): boolean;
  /** Resolves once every request that came was answered or given up. */
  none(): Promise<void>;
  /** Gives a request up for a client that cannot do so itself any more. */
  giveUp(id: RequestId): void;
}

/**
 * Watches a transport, from before a server is connected to it: a server that closes at once drops the answers that it
 * still owes.
 */
export function watchUnanswered(transport: Transport): Unanswered {
  const open = new Set<unknown>();
  const waiting = new Set<() => void>();
  const settle = (id: unknown): void => {
    open.delete(id);
    if (open.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  // The protocol calls what was set before it, first.
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id);
    const cancelled = CancelledNotificationSchema.safeParse(message);
    if (cancelled.success) settle(cancelled.data.params.requestId);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options).finally(() => {
      if (!('method' in message)) settle(message.id);
    });
  };
  return {
    has: (id) => open.has(id),
    none: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
    giveUp: (requestId) =>
      transport.onmessage?.({
        ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
        params: { requestId, reason: 'The client has gone.' },
      }),
  };
}
