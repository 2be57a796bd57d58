import { hidePaths } from '../context/failure-text.ts';
import { type EventBody, goalOf, type ItemState, laneOf, type StoredEvent, sentenceOf } from '../core/index.ts';
import { redact } from '../text/redact.ts';
import type { WebhookEvent } from './event-types.ts';

/** Texts are for a glance; the whole is behind the links. */
const TEXT_CHARS = 1_000;
const MAX_CHOICES = 10;

/** What a receiver gets, as JSON. `timestamp` and `seq` are of what happened; sentence, lane and proof as they were when it was noted. */
export interface Payload {
  readonly type: WebhookEvent;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<{
    itemId: string;
    /** Its place in the item's own events: what is older has a smaller one. */
    seq: number;
    title: string;
    sentence: string;
    lane: string;
    proven: number;
    total: number;
    requests?: readonly { id: string; kind: string; question: string; choices: readonly string[] }[];
    hold?: { code: string; details: string };
    result?: { summary: string; commit: string | null; branch: string | null; pullRequest: string | null };
    /** Beneath the address of the server. */
    links: { item: string; requests: string };
  }>;
}

type Say = (text: string) => string;

/** No secret, no path of this machine: whoever reads it may be anywhere. */
const sayer =
  ({ contract }: ItemState): Say =>
  (text) =>
    hidePaths(redact(text.slice(0, 4 * TEXT_CHARS), []), [contract.directory]).slice(0, TEXT_CHARS);

type Part = Pick<Payload['data'], 'requests' | 'hold' | 'result'>;

function partOf(body: EventBody, say: Say): Part {
  if (body.type === 'ItemHeld') return { hold: { code: body.hold.code, details: say(body.hold.details) } };
  if (body.type === 'RequestOpened') {
    const { id, kind, question, choices } = body.request;
    return { requests: [{ id, kind, question: say(question), choices: choices.slice(0, MAX_CHOICES) }] };
  }
  if (body.type !== 'ItemCompleted') return {};
  const { summary, commit = null, publishedBranch: branch = null, pullRequest = null } = body.result;
  return { result: { summary: say(summary), commit, branch, pullRequest } };
}

/** One event of an item, told as `type`. */
export function payloadOf(state: ItemState, { seq, at, body }: StoredEvent, type: WebhookEvent): Payload {
  const say = sayer(state);
  const { proven, total } = goalOf(state);
  const item = `/api/v1/work-items/${state.id}`;
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      itemId: state.id,
      seq,
      title: say(state.contract.title),
      sentence: say(sentenceOf(state)),
      lane: laneOf(state),
      ...{ proven, total },
      ...partOf(body, say),
      links: { item, requests: `${item}/requests` },
    },
  };
}
