import {
  type Command,
  canonical,
  type Decided,
  decide,
  type ItemState,
  isRejection,
  NO_FACTS,
  type Policy,
  type Rejection,
  type Resources,
  reject,
  resources,
  type StoredEvent,
} from '../core/index.ts';
import { decodeEvent, encodeEvent, numberEvents } from './event-codec.ts';
import { ask, type StoreProgram, type WriteBatch } from './ops.ts';
import { project } from './projection.ts';
import { readState, SNAPSHOT_EVERY, SNAPSHOT_FORMAT } from './read-state.ts';
import type { SubmissionRow } from './rows.ts';

/** What a command led to. `replayed`: it had been executed before under the same idempotency key. */
export interface Executed {
  readonly type: 'executed';
  readonly state: ItemState;
  /** The events of this command, or of the first execution when replayed. */
  readonly events: readonly StoredEvent[];
  readonly replayed: boolean;
}

/** What holds unless something else is asked for. */
export const DEFAULT_POLICY: Policy = Object.freeze({ concurrency: 4, dailyTokens: null, dailyCostMicros: null });

/** What the door needs beside the store: pure functions and remembered state. */
export interface DoorEnv {
  readonly hash: (text: string) => string;
  readonly policy: Policy;
  /** Folded state of this process, of any version; never trusted beyond the version it carries. */
  readonly cached: (itemId: string) => ItemState | undefined;
}

/** The door's answer, with what the cache wants to know: characters of JSON read and written. */
export interface DoorResult {
  readonly answer: Executed | Rejection;
  readonly chars: number;
}

/**
 * Equal submissions, equal hash. The id of an item that is being created and the base observed at that moment are
 * the submitter's finding, not its wish: fifty callers with one key mean one item.
 */
export function commandHash(command: Command, hash: (text: string) => string): string {
  const { body, principal } = command;
  if (body.type !== 'CreateItem') return hash(canonical({ body, principal, itemId: command.itemId }));
  const { base: _observed, ...wish } = body;
  return hash(canonical({ body: wish, principal }));
}

const quarantined = (itemId: string, reason: string): Rejection =>
  reject('item_quarantined', `Item ${itemId} cannot be read: ${reason}.`, {
    expected: 'a stream of events that this version can fold',
    found: reason,
    next: 'Run workcenter doctor; other items are not affected.',
  });

/** The first result again, for a submission that was seen before (chapter 4 §11). */
function* replay(command: Command, earlier: SubmissionRow, env: DoorEnv): StoreProgram<DoorResult> {
  if (earlier.commandHash !== commandHash(command, env.hash)) {
    const refusal = reject('idempotency_mismatch', 'This idempotency key was used for another command.', {
      expected: 'the same command again',
      found: `another ${command.body.type}`,
      next: 'Send the new command under a new key.',
    });
    return { answer: refusal, chars: 0 };
  }
  const { itemId, firstSeq, lastSeq } = earlier;
  const head = yield* ask({ op: 'head', itemId });
  const read = yield* readState(itemId, head.version, env.cached(itemId));
  if (read.type === 'quarantined') return { answer: quarantined(itemId, read.reason), chars: 0 };
  const rows = yield* ask({ op: 'events', itemId, after: firstSeq - 1, through: lastSeq });
  const events = rows.map(decodeEvent).flatMap((row) => (row.type === 'decoded' ? [row.event] : []));
  const { state, chars } = read;
  if (!state) return { answer: quarantined(itemId, 'its events are gone'), chars };
  return { answer: { type: 'executed', state, events, replayed: true }, chars };
}

const wantsFacts = (wanted: Resources): boolean =>
  wanted.concurrency === true || wanted.day === true || wanted.lease !== undefined || wanted.holdKey !== undefined;

/** Whose process the Run would share. */
function ownerOf({ body }: Command): string {
  if (body.type === 'Claim') return body.owner;
  return body.type === 'WakeRun' ? body.fence.owner : '';
}

/** A snapshot whenever the stream passes a multiple of the interval. */
const snapshotIsDue = (from: number, to: number): boolean =>
  Math.floor(to / SNAPSHOT_EVERY) > Math.floor(from / SNAPSHOT_EVERY);

/** Nothing but a place in a queue may outlive a refusal (TX-5). */
const leaveBehind = (itemId: string, refusal: Rejection): WriteBatch => ({
  itemId,
  events: [],
  changes: [],
  side: refusal.writes ?? [],
});

function submissionOf(
  command: Command,
  key: string,
  from: number,
  events: readonly StoredEvent[],
  at: number,
  env: DoorEnv,
): SubmissionRow {
  const commandHashed = commandHash(command, env.hash);
  const lastSeq = from + events.length;
  return { key, commandHash: commandHashed, itemId: command.itemId, firstSeq: from + 1, lastSeq, at };
}

function batchOf(
  command: Command,
  before: ItemState | undefined,
  decided: Decided,
  events: readonly StoredEvent[],
  now: number,
  env: DoorEnv,
): WriteBatch {
  const { state } = decided;
  const from = before?.version ?? 0;
  const key = command.idempotencyKey;
  return {
    itemId: command.itemId,
    events: events.map(encodeEvent),
    changes: events.length === 0 ? [] : project(before, state, events),
    side: decided.writes,
    ...(snapshotIsDue(from, state.version)
      ? { snapshot: { version: state.version, format: SNAPSHOT_FORMAT, data: JSON.stringify(state) } }
      : {}),
    ...(key === undefined ? {} : { submission: submissionOf(command, key, from, events, now, env) }),
  };
}

const charsOf = (batch: WriteBatch): number => batch.events.reduce((sum, event) => sum + event.data.length, 0);

/**
 * The write door: the one place where an item changes. In one transaction of the store it
 * 1. looks for an earlier result under the idempotency key,
 * 2. locks the head of the stream,
 * 3. reads the state (cached, or snapshot and tail),
 * 4. reads the cross-item rows the command needs,
 * 5. decides, and 6. writes everything, or nothing but what a refusal leaves behind.
 *
 * Time never runs backwards inside a stream: `now` is at least the instant of its last event.
 */
export function* door(command: Command, env: DoorEnv): StoreProgram<DoorResult> {
  const { itemId, idempotencyKey } = command;
  if (idempotencyKey !== undefined) {
    const earlier = yield* ask({ op: 'submission', key: idempotencyKey });
    if (earlier) return yield* replay(command, earlier, env);
  }
  const head = yield* ask({ op: 'head', itemId });
  const read = yield* readState(itemId, head.version, env.cached(itemId));
  if (read.type === 'quarantined') return { answer: quarantined(itemId, read.reason), chars: 0 };
  const before = read.state;
  const now = Math.max(head.now, before?.updatedAt ?? 0);
  const wanted = resources(command, before);
  const owner = ownerOf(command);
  const facts = wantsFacts(wanted) ? yield* ask({ op: 'facts', resources: wanted, owner, at: now }) : NO_FACTS;
  const decided = decide(before, command, { now, hash: env.hash, facts, policy: env.policy });
  if (isRejection(decided)) {
    if (decided.writes && decided.writes.length > 0) {
      yield* ask({ op: 'write', batch: leaveBehind(itemId, decided) });
    }
    return { answer: decided, chars: read.chars };
  }
  const events = numberEvents(decided.events, before?.version ?? 0, now);
  const batch = batchOf(command, before, decided, events, now, env);
  yield* ask({ op: 'write', batch });
  const answer: Executed = { type: 'executed', state: decided.state, events, replayed: false };
  return { answer, chars: read.chars + charsOf(batch) };
}

/** Reads an item outside a command: the state, nothing, or the refusal that names its damage. */
export function* loadItem(
  itemId: string,
  cached: ItemState | undefined,
): StoreProgram<{ readonly answer: ItemState | undefined | Rejection; readonly chars: number }> {
  const head = yield* ask({ op: 'head', itemId });
  const read = yield* readState(itemId, head.version, cached);
  if (read.type === 'quarantined') return { answer: quarantined(itemId, read.reason), chars: 0 };
  return { answer: read.state, chars: read.chars };
}
