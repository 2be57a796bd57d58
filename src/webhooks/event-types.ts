import type { EventBody, EventOf, EventType, SubjectKind } from '../core/index.ts';

/** What a webhook may ask to be told, in the order in which one of several is chosen: the more telling first. */
export const WEBHOOK_EVENTS = Object.freeze([
  'item.done',
  'item.cancelled',
  'item.held',
  'item.failed',
  'item.needs_you',
] as const);
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent only when somebody tries a webhook out. */
export const TEST_EVENT = 'webhook.test';

type Fitting = readonly WebhookEvent[];
type Rules = { readonly [T in EventType]: (body: EventOf<T>) => Fitting };

const FAILURES: ReadonlySet<SubjectKind> = new Set([
  'action_failed',
  'verification_failed',
  'verification_error',
] as const);
const BROKEN: ReadonlySet<string> = new Set(['engine_trouble', 'coordinator_failures']);

const nothing = (): Fitting => [];

/** Who holds an item knows it. */
function held({ hold: { code } }: EventOf<'ItemHeld'>): Fitting {
  if (code === 'user') return ['item.held'];
  return BROKEN.has(code) ? ['item.held', 'item.failed', 'item.needs_you'] : ['item.held', 'item.needs_you'];
}

const asked = ({ request }: EventOf<'RequestOpened'>): Fitting =>
  FAILURES.has(request.subject.kind) ? ['item.failed', 'item.needs_you'] : ['item.needs_you'];

/** Every event of the core has its line, so that a new one has to be decided. What an engine mends itself is not told. */
const RULES: Rules = {
  ItemCompleted: () => ['item.done'],
  ItemCancelled: () => ['item.cancelled'],
  ItemHeld: held,
  RequestOpened: asked,
  ItemCreated: nothing,
  ItemStarted: nothing,
  ContractEdited: nothing,
  ItemResumed: nothing,
  BudgetExtended: nothing,
  StopRequested: nothing,
  ItemReopened: nothing,
  ActionAdded: nothing,
  ActionReset: nothing,
  ActionClosed: nothing,
  ActionRetired: nothing,
  RunClaimed: nothing,
  RunDispatched: nothing,
  RunIdled: nothing,
  RunSettled: nothing,
  LateResultRecorded: nothing,
  ResultMerged: nothing,
  MergeConflicted: nothing,
  TargetSynced: nothing,
  VerificationAsked: nothing,
  ResultPublished: nothing,
  LandingReserved: nothing,
  LandingSettled: nothing,
  DeliveryChanged: nothing,
  PullRequestOpened: nothing,
  OperationBegun: nothing,
  OperationResolved: nothing,
  RequestAnswered: nothing,
  RequestWithdrawn: nothing,
  GrantGiven: nothing,
  GrantUsed: nothing,
  MessagePosted: nothing,
  TurnOpened: nothing,
  TurnAdopted: nothing,
  TurnDecided: nothing,
  TurnFailed: nothing,
  TurnRetired: nothing,
  CompletionDecided: nothing,
  CompletionVoided: nothing,
  CallPrepared: nothing,
  CallDispatched: nothing,
  CallSettled: nothing,
  CallCorrected: nothing,
  ItemParked: nothing,
};

export const CORE_EVENTS = Object.freeze(Object.keys(RULES)) as readonly EventType[];

/** What an event of the core may be told as; nothing for most. */
export function fittingOf<T extends EventType>(body: EventOf<T> & EventBody): Fitting {
  const rule = RULES[body.type] as (body: EventBody) => Fitting;
  return rule(body);
}

/** One event is told at most once to a webhook: as the first of what fits that it asked for. */
export const toldAs = (body: EventBody, wanted: readonly WebhookEvent[]): WebhookEvent | undefined =>
  fittingOf(body).find((type) => wanted.includes(type));
