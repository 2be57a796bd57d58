import type { DeliveryView, WebhookView } from '../../webhooks/index.ts';
import { type Cell, type Column, table } from './table.ts';
import { oneLine } from './text.ts';
import type { View } from './view.ts';
import { ago, clock } from './when.ts';

const COLUMNS: readonly Column[] = [
  { title: 'id' },
  { title: 'url', grow: true, min: 16 },
  { title: 'told of', max: 40 },
  { title: 'state' },
];

function stateText({ disabled, failingSince }: WebhookView, now: number): string {
  if (disabled) return `disabled: ${disabled.code}`;
  return failingSince === null ? 'active' : `failing, since ${ago(Date.parse(failingSince), now)}`;
}

const bare = (event: string): string => event.replace('item.', '');

export const webhookList = (webhooks: readonly WebhookView[], { now, columns, paint }: View): readonly string[] => [
  ...table(
    COLUMNS,
    webhooks.map((webhook): readonly Cell[] =>
      [webhook.id, webhook.url, webhook.events.map(bare).join(','), stateText(webhook, now)].map((text) => ({ text })),
    ),
    columns,
    paint.dim,
  ),
  ...webhooks.flatMap(({ id, disabled }) =>
    disabled ? [`${id}: ${disabled.reason} Go on: workcenter webhook enable ${id}`] : [],
  ),
];

/** What came of one attempt: `answered 500 in 12 ms: not yet`. */
function attemptText({ status, error, durationMs, answer }: DeliveryView['attempts'][number]): string {
  if (status === null) return `no answer: ${error ?? 'unknown'}`;
  const said = answer.trim() === '' ? '' : `: ${oneLine(answer)}`;
  return `answered ${status} in ${durationMs} ms${said}`;
}

/** A delivery with its attempts, the oldest first. */
export function deliveryLines(delivery: DeliveryView, { now, paint }: View): readonly string[] {
  const { id, type, itemId, state, nextAt, createdAt, attempts } = delivery;
  const colour = { delivered: paint.green, waiting: paint.amber, failed: paint.red }[state];
  const next = nextAt === null ? '' : `, next ${clock(Date.parse(nextAt), now)}`;
  const head = `${clock(Date.parse(createdAt), now)}  ${type}  ${itemId ?? ''}`.trimEnd();
  return [
    `${head}  ${colour(state)}${next}  ${paint.dim(id)}`,
    ...attempts.map((attempt) => `  ${clock(Date.parse(attempt.at), now)}  ${attemptText(attempt)}`),
  ];
}
