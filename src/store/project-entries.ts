import type { EventBody, EventOf, EventType, Fact, ItemState, Message, StoredEvent } from '../core/index.ts';
import type { Step } from './states-between.ts';
import { storable } from './storable.ts';
import type { Delivery, EntryRow, TalkChange } from './talk-rows.ts';

type End = Readonly<{ delivery: Delivery; detail: string }>;
const unheard = (delivery: 'blocked' | 'rejected', what: string): End => ({
  delivery,
  detail: `${what} before it was heard.`,
});

/** Why a message of an Action that came to this will not be heard any more (invariant 4). */
const ENDS: Readonly<Record<'completed' | 'failed' | 'closed' | 'superseded' | 'cancelled' | 'reset' | 'done', End>> = {
  completed: unheard('rejected', 'Its Action was completed'),
  failed: unheard('blocked', 'Its Action failed'),
  closed: unheard('rejected', 'Its Action was closed'),
  superseded: unheard('rejected', 'Its Action was taken out of the plan'),
  cancelled: unheard('rejected', 'Its Action was cancelled'),
  reset: unheard('rejected', 'Its Action was started again'),
  done: unheard('blocked', 'The item was finished'),
};

const move = (itemId: string, entryId: string, delivery: Delivery, detail: string | null = null): TalkChange => ({
  kind: 'entry_move',
  row: { itemId, entryId, delivery, detail },
});

const moveAll = (itemId: string, messages: readonly Message[], to: End | Delivery): readonly TalkChange[] =>
  messages.map(({ id }) => (typeof to === 'string' ? move(itemId, id, to) : move(itemId, id, to.delivery, to.detail)));

type Said = Pick<EntryRow, 'entryId' | 'author' | 'targetKind' | 'targetId' | 'text' | 'delivery'> &
  Partial<Pick<EntryRow, 'quote' | 'attachments'>>;

const entry = ({ itemId, event }: Step, said: Said): TalkChange => ({
  kind: 'entry_add',
  row: {
    itemId,
    seq: event.seq,
    at: event.at,
    quote: null,
    attachments: [],
    detail: null,
    ...said,
    text: storable(said.text),
  },
});

/** What the Coordinator has to hear, by the entry that brought it. */
const entryOf = (fact: Fact): string => (fact.kind === 'message' ? fact.message.id : fact.requestId);

function moveInbox({ itemId, before }: Step, to: Delivery): readonly TalkChange[] {
  const state = before();
  const through = state?.coordinator.turn?.openedSeq ?? 0;
  const heard = state?.inbox.filter(({ seq }) => seq <= through) ?? [];
  return heard.map((fact) => move(itemId, entryOf(fact), to));
}

const messagesOf = ({ before }: Step, actionId: string): readonly Message[] =>
  before()?.actions.find(({ id }) => id === actionId)?.messages ?? [];

const dropped = (step: Step, actionId: string, why: keyof typeof ENDS): readonly TalkChange[] =>
  moveAll(step.itemId, messagesOf(step, actionId), ENDS[why]);

/** The messages that a request of a Run carries: the first of its Action's, always (D15). */
function carried(step: Step, callId: string): readonly Message[] {
  const call = step.before()?.calls.find(({ id }) => id === callId);
  return call?.of.kind === 'run' ? messagesOf(step, call.of.actionId).slice(0, call.messages) : [];
}

function settled(step: Step, body: EventOf<'RunSettled'>): readonly TalkChange[] {
  const { actionStatus: status, actionId, run, calls = [] } = body;
  // The answer is lost, and with it what was heard: the next try is told again.
  if (run.status === 'unknown') return moveAll(step.itemId, messagesOf(step, actionId), 'queued');
  if (status === 'completed' || status === 'failed' || status === 'closed') return dropped(step, actionId, status);
  if (status === 'superseded' || status === 'cancelled') return dropped(step, actionId, status);
  return calls.flatMap(({ callId }) => moveAll(step.itemId, carried(step, callId), 'queued'));
}

function prepared(step: Step, { call }: EventOf<'CallPrepared'>): readonly TalkChange[] {
  if (call.of.kind === 'turn' || call.messages === 0) return [];
  return moveAll(step.itemId, messagesOf(step, call.of.actionId).slice(0, call.messages), 'scheduled');
}

/** A command is told once, by its brief; what comes later it cannot hear (D15). */
function dispatched(step: Step, { runId, agent }: EventOf<'RunDispatched'>): readonly TalkChange[] {
  const run = agent ? undefined : step.before()?.runs.find(({ id }) => id === runId);
  return run ? moveAll(step.itemId, messagesOf(step, run.actionId), 'delivered') : [];
}

/** A person's message keeps its place through the restart that it caused; nothing else does. */
function reset(step: Step, { actionId }: EventOf<'ActionReset'>): readonly TalkChange[] {
  const kept = new Set(
    step
      .after()
      ?.actions.find(({ id }) => id === actionId)
      ?.messages.map(({ id }) => id),
  );
  const gone = messagesOf(step, actionId).filter(({ id }) => !kept.has(id));
  return moveAll(step.itemId, gone, ENDS.reset);
}

function decided(step: Step, { turnId, reply }: EventOf<'TurnDecided'>): readonly TalkChange[] {
  const heard = moveInbox(step, 'delivered');
  if (reply.trim() === '') return heard;
  const said = { author: 'coordinator', targetKind: 'person', targetId: null, delivery: 'delivered' } as const;
  return [...heard, entry(step, { entryId: turnId, text: reply, ...said })];
}

/** An answer takes effect at once, unless it is the Coordinator's to hear. */
function answered(step: Step, body: EventOf<'RequestAnswered'>): readonly TalkChange[] {
  const { requestId, text, attachments = [] } = body;
  if (text.trim() === '' && attachments.length === 0) return [];
  const waits = step.after()?.inbox.some(({ seq }) => seq === step.event.seq) ?? false;
  const target = { targetKind: 'request', targetId: requestId } as const;
  const delivery = waits ? 'queued' : 'delivered';
  return [entry(step, { entryId: requestId, author: 'person', ...target, text, attachments, delivery })];
}

const posted = (step: Step, { message, target }: EventOf<'MessagePosted'>): readonly TalkChange[] => [
  entry(step, {
    entryId: message.id,
    author: 'person',
    targetKind: target.kind,
    targetId: target.kind === 'action' ? target.actionId : null,
    text: message.text,
    quote: message.quote ?? null,
    attachments: message.attachments,
    delivery: 'queued',
  }),
];

type Project<T extends EventType> = (step: Step, body: EventOf<T>) => readonly TalkChange[];

const ENTRIES: { readonly [T in EventType]?: Project<T> } = {
  MessagePosted: posted,
  RequestAnswered: answered,
  TurnOpened: (step, { turn }) =>
    (step.before()?.inbox ?? [])
      .filter(({ seq }) => seq <= turn.openedSeq)
      .map((fact) => move(step.itemId, entryOf(fact), 'scheduled')),
  TurnDecided: decided,
  TurnFailed: (step) => moveInbox(step, 'queued'),
  TurnRetired: (step) => moveInbox(step, 'queued'),
  RunDispatched: dispatched,
  CallPrepared: prepared,
  CallSettled: (step, { callId, as }) =>
    moveAll(step.itemId, carried(step, callId), as === 'responded' ? 'delivered' : 'queued'),
  RunSettled: settled,
  ActionReset: reset,
  ActionClosed: (step, { actionId }) => dropped(step, actionId, 'closed'),
  ActionRetired: (step, { actionId, as }) => dropped(step, actionId, as),
  ItemCompleted: (step) =>
    (step.before()?.inbox ?? []).map((fact) => move(step.itemId, entryOf(fact), ENDS.done.delivery, ENDS.done.detail)),
};

const hasEntry = (body: EventBody): boolean => body.type === 'MessagePosted' || body.type === 'RequestAnswered';

/** Whether anybody has said anything; until then no event can move an entry. */
export const isSpokenTo = (before: ItemState | undefined, events: readonly StoredEvent[]): boolean =>
  before !== undefined && (before.messageCount > 0 || before.inbox.length > 0)
    ? true
    : events.some(({ body }) => hasEntry(body) || body.type === 'TurnDecided');

/** The conversation: entries that an event adds, and how far it takes those that are on their way (D14, D15). */
export function projectEntries(step: Step): readonly TalkChange[] {
  const { body } = step.event;
  const project = ENTRIES[body.type] as Project<typeof body.type> | undefined;
  return project?.(step, body) ?? [];
}
