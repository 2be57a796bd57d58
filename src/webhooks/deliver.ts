import type { Store } from '../store/store.ts';
import { postpone, takeOut } from './queue.ts';
import {
  type Attempt,
  changeKept,
  type Delivery,
  deliveriesOf,
  getKept,
  type Kept,
  type Queue,
  type Webhook,
  webhooks,
} from './records.ts';
import { GIVE_UP_AFTER_MS, nextTryAt } from './retry-plan.ts';
import { type Sender, type Tried, trySend } from './send.ts';

export interface Delivering extends Sender {
  readonly store: Store;
  /** 0..1, for the spread of retries. */
  readonly chance: () => number;
}

const ATTEMPTS_KEPT = 20;

export const withAttempt = (attempts: readonly Attempt[], attempt: Attempt): Attempt[] =>
  [...attempts, attempt].slice(-ATTEMPTS_KEPT);

/** Whether anything may be sent to it. */
export const isActive = ({ removed, disabled }: Webhook): boolean => !removed && disabled === null;

function afterAttempt(delivery: Delivery, { attempt, accepted, gone, askedMs }: Tried, chance: number): Delivery {
  const tries = delivery.tries + 1;
  const attempts = withAttempt(delivery.attempts, attempt);
  const at = accepted || gone ? undefined : nextTryAt({ tries, now: attempt.at, askedMs, chance });
  const state = accepted ? 'delivered' : at === undefined ? 'failed' : 'waiting';
  return { ...delivery, tries, attempts, state, nextAt: at ?? null };
}

const iso = (at: number): string => new Date(at).toISOString();

/** What an attempt means for the webhook itself: how long it has been failing, and when that is long enough. */
function health(webhook: Webhook, { attempt: { at }, accepted, gone }: Tried): Webhook {
  if (accepted) return { ...webhook, failingSince: null };
  const failingSince = webhook.failingSince ?? at;
  if (gone) {
    return { ...webhook, failingSince, disabled: { at, code: 'gone', reason: 'The receiver answered 410 Gone.' } };
  }
  if (at - failingSince < GIVE_UP_AFTER_MS) return { ...webhook, failingSince };
  const reason = `No delivery was accepted since ${iso(failingSince)}.`;
  return { ...webhook, failingSince, disabled: { at, code: 'failing', reason } };
}

export async function recordHealth(store: Store, webhookId: string, tried: Tried): Promise<void> {
  await changeKept(store, webhooks, webhookId, ({ value }) => {
    const next = health(value, tried);
    const isSame = next.failingSince === value.failingSince && next.disabled === value.disabled;
    return value.removed || isSame ? undefined : { value: next };
  });
}

async function attemptOnce(deps: Delivering, webhook: Kept<Webhook>, delivery: Kept<Delivery>, signal: AbortSignal) {
  const { id, kind, version, at, value } = delivery;
  const { url, secret } = webhook.value;
  const tried = await trySend(deps, { id, url, secret, body: value.body }, signal);
  // Whoever goes on with it sends it again, under the same id.
  if (signal.aborted && !tried.accepted) return undefined;
  const next = afterAttempt(value, tried, deps.chance());
  // Somebody else wrote in between: a person who wants it again, or the one who took over. Theirs counts.
  if (!(await deps.store.putRecord({ kind, id, at, value: next }, version))) return undefined;
  await recordHealth(deps.store, webhook.id, tried);
  return next;
}

/**
 * Brings the first delivery of a queue one step further: sends it, or finds that it needs none. Writes the delivery
 * first and the queue after it, so that a death between any two of them leads to a repetition and never to a loss.
 */
export async function deliverFirst(
  deps: Delivering,
  webhook: Kept<Webhook>,
  row: Kept<Queue>,
  signal: AbortSignal,
): Promise<void> {
  const { store, now } = deps;
  const [first] = row.value.waiting;
  const delivery = first === undefined ? undefined : await getKept(store, deliveriesOf(webhook.id), first);
  if (delivery?.value.state !== 'waiting') return takeOut(store, row, now());
  const { nextAt } = delivery.value;
  const isEarly = nextAt !== null && nextAt > now();
  const next = isEarly ? delivery.value : await attemptOnce(deps, webhook, delivery, signal);
  if (next?.state === 'waiting') await postpone(store, row, next.nextAt ?? now());
  else if (next) await takeOut(store, row, now());
}
