import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SideRecord, Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { WEBHOOK_EVENTS } from './event-types.ts';

const WEBHOOK = z.object({
  url: z.string(),
  /** Needed to sign, so it is kept as it is; empty once the webhook is removed. */
  secret: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  createdAt: z.number(),
  /** Cursor of the store when it was added: what was before is not told. */
  since: z.number(),
  /** When the first of the failures without a success in between was; null after a success. */
  failingSince: z.number().nullable(),
  disabled: z.object({ at: z.number(), code: z.enum(['gone', 'failing']), reason: z.string() }).nullable(),
  /** It is being taken away: nothing is sent, and what is left of it goes with the next dispatcher. */
  removed: z.boolean(),
});
export type Webhook = Readonly<z.infer<typeof WEBHOOK>>;

const ATTEMPT = z.object({
  at: z.number(),
  durationMs: z.number(),
  /** Absent when no answer came. */
  status: z.number().optional(),
  error: z.string().optional(),
  /** The beginning of what was answered. */
  answer: z.string(),
});
export type Attempt = Readonly<z.infer<typeof ATTEMPT>>;

const DELIVERY = z.object({
  webhookId: z.string(),
  /** Null for a test. */
  itemId: z.string().nullable(),
  type: z.string(),
  createdAt: z.number(),
  /** The bytes that are signed, the same at every attempt. */
  body: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  /** Attempts since it was last put into its queue. */
  tries: z.number(),
  nextAt: z.number().nullable(),
  attempts: z.array(ATTEMPT),
});
export type Delivery = Readonly<z.infer<typeof DELIVERY>>;

/** Deliveries of one item that wait for one webhook, oldest first: they are sent in this order. */
const QUEUE = z.object({ waiting: z.array(z.string()) });
export type Queue = Readonly<z.infer<typeof QUEUE>>;

const POSITION = z.object({ cursor: z.number() });

/** One kind of record: what its value is. */
export interface Kind<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

/*
 * | Kind     | Id       | `at`              |
 * | -------- | -------- | ----------------- |
 * | webhook  | its own  | when it was added |
 * | position | webhook  | when it was saved |
 * | delivery | its own  | when it was made  |
 * | queue    | item     | when its first one is due |
 */
export const webhooks: Kind<Webhook> = { name: 'webhook', schema: WEBHOOK };
export const positions: Kind<z.infer<typeof POSITION>> = { name: 'webhook_position', schema: POSITION };
export const deliveriesOf = (id: string): Kind<Delivery> => ({ name: `webhook_delivery:${id}`, schema: DELIVERY });
export const queuesOf = (id: string): Kind<Queue> => ({ name: `webhook_queue:${id}`, schema: QUEUE });

/** A record with its value as its kind has it. */
export type Kept<T> = Omit<SideRecord, 'value'> & { readonly value: T };

/** Throws `StoreError` `store_corrupt` for what is none of the kind. */
export function readAs<T>({ schema }: Kind<T>, row: SideRecord): Kept<T> {
  const parsed = schema.safeParse(row.value);
  if (parsed.success) return { ...row, value: parsed.data };
  throw new StoreError('store_corrupt', `The record ${row.kind} ${row.id} in the store is damaged.`, parsed.error);
}

export async function getKept<T>(store: Store, kind: Kind<T>, id: string): Promise<Kept<T> | undefined> {
  const row = await store.getRecord(kind.name, id);
  return row && readAs(kind, row);
}

/** Values are plain data by their schemas. */
const plain = <T>(value: T): SideRecord['value'] => value as SideRecord['value'];

/** False: there is one already. */
export const addKept = <T>(store: Store, kind: Kind<T>, row: { id: string; at: number; value: T }): Promise<boolean> =>
  store.putRecord({ kind: kind.name, id: row.id, at: row.at, value: plain(row.value) }, 0);

/** What a record is to become, from what it is; undefined leaves it as it is. */
type Change<T> = (row: Kept<T>) => { readonly at?: number; readonly value: T } | undefined;

/**
 * Writes over a record, however often others do so in between; `change` is asked anew each time. Answers what is there
 * then, undefined when there is none.
 */
export async function changeKept<T>(
  store: Store,
  kind: Kind<T>,
  id: string,
  change: Change<T>,
): Promise<Kept<T> | undefined> {
  for (;;) {
    const row = await getKept(store, kind, id);
    const next = row && change(row);
    if (!row || !next) return row;
    const { at = row.at, value } = next;
    if (await store.putRecord({ kind: kind.name, id, at, value: plain(value) }, row.version)) {
      return { ...row, at, value, version: row.version + 1 };
    }
  }
}

/** The same event of the same item for the same webhook always has the same id, so that a repeat is recognisable. */
export const deliveryId = (webhookId: string, itemId: string, seq: number): string =>
  `msg_${createHash('sha256')
    .update(JSON.stringify([webhookId, itemId, seq]))
    .digest('hex')
    .slice(0, 32)}`;
