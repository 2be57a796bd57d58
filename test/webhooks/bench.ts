import { fileURLToPath } from 'node:url';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { emptyTables } from '../../src/store/memory/tables.ts';
import type { Store } from '../../src/store/store.ts';
import {
  type Answered,
  addWebhook,
  type Delivery,
  type Dispatcher,
  isRefusal,
  type Kept,
  type NewWebhook,
  type Outgoing,
  readLog,
  startDispatcher,
  type Webhook,
} from '../../src/webhooks/index.ts';

export const DOCUMENT = fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url));

/** What a receiver says to its nth request, from 0: a status, or an error that stands for no answer. */
export type Says = (request: Outgoing, n: number) => number | Error | Answered;

/** Processes on one set of tables, with a clock that the test moves and a receiver that never was on a network. */
export interface Bench {
  readonly store: Store;
  readonly requests: Outgoing[];
  readonly logs: string[];
  now(): number;
  advance(ms: number): void;
  says(answer: Says): void;
  /** A process of its own, with its own view of the store. */
  dispatcher(owner?: string, wrap?: (store: Store) => Store): Dispatcher;
  add(wish?: Partial<NewWebhook>): Promise<Kept<Webhook>>;
  log(webhookId: string): Promise<readonly Kept<Delivery>[]>;
  close(): Promise<void>;
}

export const ANSWERED: Answered = { status: 200, retryAfter: null, text: 'thanks' };

export function openBench(): Bench {
  const tables = emptyTables();
  let at = Date.now();
  const now = () => at;
  const open = () => openMemoryStore({ tables, now, policy: () => ({ concurrency: 100 }) });
  const store = open();
  const [requests, logs, dispatchers]: [Outgoing[], string[], Dispatcher[]] = [[], [], []];
  let says: Says = () => 200;
  const send = async (request: Outgoing): Promise<Answered> => {
    const said = says(request, requests.push(request) - 1);
    if (said instanceof Error) throw said;
    return typeof said === 'number' ? { ...ANSWERED, status: said } : said;
  };
  return {
    ...{ store, requests, logs, now },
    advance: (ms) => {
      at += ms;
    },
    says: (answer) => {
      says = answer;
    },
    dispatcher: (owner = 'one', wrap = (plain) => plain) => {
      const log = (message: string, facts: unknown) => void logs.push(`${message} ${JSON.stringify(facts)}`);
      // The test says when to look: between its words nothing happens by itself.
      const quiet = { pollMs: 3_600_000, chance: () => 0.5, version: 'test', log };
      const dispatcher = startDispatcher({ store: wrap(open()), owner, now, send, ...quiet });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    add: async (wish = {}) => {
      const added = await addWebhook(store, { url: 'https://example.org/hook', events: [], ...wish }, at);
      if (isRefusal(added)) throw new Error(added.message);
      return added;
    },
    log: async (webhookId) => (await readLog(store, webhookId, { limit: 1_000 })).deliveries,
    close: async () => {
      for (const dispatcher of dispatchers) await dispatcher.stop();
      await store.close();
    },
  };
}

export async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = openBench();
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

export const idOf = ({ headers }: Outgoing): string => headers['webhook-id'] ?? '';

/** `type seq` of a request. */
export function toldIn({ body }: Outgoing): string {
  const { type, data } = JSON.parse(body) as { type: string; data: { itemId: string; seq: number } };
  return `${data.itemId} ${type} ${data.seq}`;
}
