import type { EventBody, StoredEvent } from '../../core/event.ts';
import { type Paint, PLAIN } from './paint.ts';
import { oneLine } from './text.ts';
import { clock, duration, iso } from './when.ts';
import { plural, shortCommit, verdictWord } from './words.ts';

/** Names that later events use: which Run belongs to which Action. Grows as events are told. */
export interface Telling {
  readonly runs: Map<string, { readonly actionId: string; readonly ordinal: number; readonly startedAt: number }>;
}

export const newTelling = (): Telling => ({ runs: new Map() });

type Said = { readonly tone: 'plain' | 'good' | 'bad' | 'ask' | 'quiet'; readonly text: string };

const say = (text: string, tone: Said['tone'] = 'plain'): Said => ({ tone, text });

type EventOf<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

function sayClaimed({ run }: EventOf<'RunClaimed'>, at: number, telling: Telling): Said {
  telling.runs.set(run.id, { actionId: run.actionId, ordinal: run.ordinal, startedAt: at });
  const alone = run.alone ? ', alone because it was live when an engine died' : '';
  return say(`${run.actionId}: Run #${run.ordinal} begins${alone}.`);
}

function sayDispatched(body: EventOf<'RunDispatched'>, telling: Telling): Said {
  const run = telling.runs.get(body.runId);
  const { sandbox, reason } = body.enforcement;
  const guarded = sandbox === 'none' ? `, not sandboxed${reason ? ` (${reason})` : ''}` : '';
  return say(`${run?.actionId ?? body.runId}: works from ${shortCommit(body.base)}${guarded}.`, 'quiet');
}

const ENDED: Readonly<Record<EventOf<'RunSettled'>['run']['status'], string>> = {
  completed: 'completed',
  waiting: 'asks a question',
  retryable: 'did not succeed and may be tried again',
  failed: 'failed',
  interrupted: 'was interrupted, no attempt charged',
  cancelled: 'was cancelled',
  superseded: 'was superseded',
  unknown: 'ended, nobody knows how',
};

function sayReceipts(run: EventOf<'RunSettled'>['run']): string {
  const refused = run.receipts.filter((receipt) => receipt.verdict !== 'passed');
  if (run.receipts.length === 0) return '';
  if (refused.length === 0) return ` ${plural(run.receipts.length, 'check')} passed.`;
  const which = refused.map((receipt) => `${receipt.criterionId} ${verdictWord(receipt.verdict)}`);
  return ` Refused by the engine's own check: ${which.join(', ')}.`;
}

function saySettled(body: EventOf<'RunSettled'>, at: number, telling: Telling): Said {
  const { run, actionId } = body;
  const startedAt = telling.runs.get(run.id)?.startedAt;
  const took = startedAt === undefined ? '' : ` after ${duration(at - startedAt)}`;
  const code = run.code ? ` (${run.code})` : '';
  const receipts = sayReceipts(run);
  const words = receipts === '' || run.status === 'failed' ? (run.error ?? run.summary) : '';
  const why = words ? ` ${oneLine(words).slice(0, 200)}` : '';
  const text = `${actionId}: Run #${run.ordinal} ${ENDED[run.status]}${code}${took}.${receipts}${why}`;
  const good = run.status === 'completed' && run.receipts.every((receipt) => receipt.verdict === 'passed');
  if (good) return say(text, 'good');
  return say(text, run.status === 'waiting' ? 'ask' : run.status === 'interrupted' ? 'quiet' : 'bad');
}

const RESET: Readonly<Record<EventOf<'ActionReset'>['cause'], string>> = {
  retry: 'is to run again',
  redirect: 'is redirected',
  reopen: 'is ready again',
  retain: 'is kept under the new contract',
  dependency: 'is to run again, because something it builds on does',
};

function sayReset(body: EventOf<'ActionReset'>): Said {
  const note = body.guidance ? ` Note: ${oneLine(body.guidance).slice(0, 200)}` : '';
  return say(`${body.actionId} ${RESET[body.cause]}.${note}`);
}

function sayLanding(body: EventOf<'LandingSettled'>): Said {
  if (body.landed) return say('Landed.', 'good');
  return say(`Not landed (${body.code}). ${oneLine(body.detail)}`.trimEnd(), 'bad');
}

/** One event in one plain sentence. */
function sentence(body: EventBody, at: number, telling: Telling): Said {
  switch (body.type) {
    case 'ItemCreated':
      return say(
        `Created with ${plural(body.contract.criteria.length, 'criterion', 'criteria')} and ${plural(body.actions.length, 'Action')}.`,
      );
    case 'ItemStarted':
      return say('Started.');
    case 'ContractEdited':
      return say(`The contract was edited: ${body.changed.join(', ')}.`);
    case 'ItemHeld':
      return say(`Held: ${oneLine(body.hold.details)}`, 'ask');
    case 'ItemResumed':
      return say('Resumed.');
    case 'BudgetExtended':
      return say('The budget was extended.');
    case 'StopRequested':
      return say(`Stopping: ${oneLine(body.reason) || 'a person asked'}.`);
    case 'ItemCancelled':
      return say('Cancelled.', 'bad');
    case 'ItemReopened':
      return say('Reopened.');
    case 'ItemCompleted':
      return say(`Done. ${plural(body.result.criteria.length, 'criterion is', 'criteria are')} proven.`, 'good');
    case 'ActionAdded':
      return say(`The engine added ${body.action.id}.`, 'quiet');
    case 'ActionReset':
      return sayReset(body);
    case 'ActionClosed':
      return say(`${body.actionId} was closed: ${oneLine(body.reason)}`);
    case 'ActionRetired':
      return say(`${body.actionId} is ${body.as}.`);
    case 'RunClaimed':
      return sayClaimed(body, at, telling);
    case 'RunDispatched':
      return sayDispatched(body, telling);
    case 'RunSettled':
      return saySettled(body, at, telling);
    case 'ResultMerged':
    case 'MergeConflicted':
    case 'TargetSynced':
    case 'VerificationAsked':
    case 'ResultPublished':
    case 'LandingReserved':
    case 'LandingSettled':
    case 'DeliveryChanged':
    case 'OperationResolved':
    case 'RequestOpened':
    case 'RequestAnswered':
    case 'RequestWithdrawn':
      return delivered(body);
  }
}

type Later = EventOf<
  | 'ResultMerged'
  | 'MergeConflicted'
  | 'TargetSynced'
  | 'VerificationAsked'
  | 'ResultPublished'
  | 'LandingReserved'
  | 'LandingSettled'
  | 'DeliveryChanged'
  | 'OperationResolved'
  | 'RequestOpened'
  | 'RequestAnswered'
  | 'RequestWithdrawn'
>;

/** Branch, delivery and requests. */
function delivered(body: Later): Said {
  switch (body.type) {
    case 'ResultMerged':
      return say(
        `${body.actionId} ${body.wrote ? `is merged, the item branch is at ${shortCommit(body.head)}` : 'changed nothing'}.`,
      );
    case 'MergeConflicted':
      return say(`${body.actionId} conflicts with the item branch in ${body.paths.map(oneLine).join(', ')}.`, 'bad');
    case 'TargetSynced':
      return say(`The target had moved to ${shortCommit(body.targetHead)}; taken in, everything is verified again.`);
    case 'VerificationAsked':
      return say('Verification was asked for again.');
    case 'ResultPublished':
      return say(`Published as ${body.ref} at ${shortCommit(body.commit)}.`, 'good');
    case 'LandingReserved':
      return say(`Landing ${shortCommit(body.commit)} on ${body.branch}.`);
    case 'LandingSettled':
      return sayLanding(body);
    case 'DeliveryChanged':
      return say(`Delivery is ${body.delivery.target} now.`);
    case 'OperationResolved':
      return say(`${body.operationId}: a person said ${body.effect}.`);
    case 'RequestOpened':
      return say(`${body.request.id} asks: ${oneLine(body.request.question)}`, 'ask');
    case 'RequestAnswered':
      return say(`${body.requestId} was answered: ${body.choice}${body.text ? `, ${oneLine(body.text)}` : ''}.`);
    case 'RequestWithdrawn':
      return say(`${body.requestId} was withdrawn: ${oneLine(body.reason)}`, 'quiet');
  }
}

function toned(said: Said, paint: Paint): string {
  switch (said.tone) {
    case 'good':
      return paint.green(said.text);
    case 'bad':
      return paint.red(said.text);
    case 'ask':
      return paint.amber(said.text);
    case 'quiet':
      return paint.dim(said.text);
    case 'plain':
      return said.text;
  }
}

/** `14:03:07  fix: Run #1 begins.` Events must be told in order, with the same telling. */
export function eventLine(event: StoredEvent, telling: Telling, view: { now: number; paint: Paint }): string {
  const said = sentence(event.body, event.at, telling);
  return `${view.paint.dim(clock(event.at, view.now))}  ${toned(said, view.paint)}`;
}

/** The same for programs, with the event itself. */
export const eventJson = (event: StoredEvent, telling: Telling): unknown => ({
  seq: event.seq,
  at: iso(event.at),
  sentence: toned(sentence(event.body, event.at, telling), PLAIN),
  event: event.body,
});
