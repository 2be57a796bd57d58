import { EVENT_VERSION, type EventBody, type EventType } from '../core/index.ts';
import { type Data, fromVersion1, isRecord } from './events-of-version-1.ts';

/** A stored event brought to the present, or why this program must not guess what it means. */
export type Upcast =
  | { readonly type: 'upcast'; readonly body: EventBody }
  | { readonly type: 'unreadable'; readonly reason: string };

/** Every type this program knows; a new one fails to compile until it is listed. */
export const EVENT_TYPES: Readonly<Record<EventType, true>> = {
  ItemCreated: true,
  ItemStarted: true,
  ContractEdited: true,
  ItemHeld: true,
  ItemResumed: true,
  BudgetExtended: true,
  StopRequested: true,
  ItemCancelled: true,
  ItemReopened: true,
  ItemCompleted: true,
  ActionAdded: true,
  ActionReset: true,
  ActionClosed: true,
  ActionRetired: true,
  RunClaimed: true,
  RunDispatched: true,
  RunIdled: true,
  RunSettled: true,
  LateResultRecorded: true,
  ResultMerged: true,
  MergeConflicted: true,
  TargetSynced: true,
  VerificationAsked: true,
  ResultPublished: true,
  LandingReserved: true,
  LandingSettled: true,
  DeliveryChanged: true,
  PullRequestOpened: true,
  OperationBegun: true,
  OperationResolved: true,
  RequestOpened: true,
  RequestAnswered: true,
  RequestWithdrawn: true,
  GrantGiven: true,
  GrantUsed: true,
  MessagePosted: true,
  TurnOpened: true,
  TurnAdopted: true,
  TurnDecided: true,
  TurnFailed: true,
  TurnRetired: true,
  CompletionDecided: true,
  CompletionVoided: true,
  CallPrepared: true,
  CallDispatched: true,
  CallSettled: true,
  CallCorrected: true,
  ItemParked: true,
};

/** What an old event's data becomes one version later. The key is the version it comes from. */
type Step = (type: string, data: Data) => Data;
const STEPS: ReadonlyMap<number, Step> = new Map([[1, fromVersion1]]);

/** Types are checked by name and version; the data was written by this program under that version. */
const asBody = (type: string, data: Data): EventBody => ({ type, ...data }) as EventBody;

/**
 * Reads one stored event. An unknown type or a newer version is `unreadable`: the item is quarantined, because a
 * skipped event would make every later decision wrong.
 */
export function upcast(type: string, version: number, data: unknown): Upcast {
  if (!Object.hasOwn(EVENT_TYPES, type)) return { type: 'unreadable', reason: `unknown event type ${type}` };
  if (version > EVENT_VERSION || version < 1 || !Number.isInteger(version)) {
    return { type: 'unreadable', reason: `event version ${version} of ${type}; known up to ${EVENT_VERSION}` };
  }
  if (!isRecord(data)) return { type: 'unreadable', reason: `the data of ${type} is no object` };
  let current = data;
  for (let from = version; from < EVENT_VERSION; from++) current = STEPS.get(from)?.(type, current) ?? current;
  return { type: 'upcast', body: asBody(type, current) };
}
