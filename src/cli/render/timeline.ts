import { partsInWords } from '../../core/derive/sentence.ts';
import type { EventBody, EventOf, EventType, StoredEvent } from '../../core/event.ts';
import type { Shell } from '../shell.ts';
import { type Paint, PLAIN } from './paint.ts';
import { type Said, type Saying, type Sayings, say, type Telling } from './said.ts';
import { RESET_BY_WORD, TALK_SAYINGS, words } from './talk-sayings.ts';
import { oneLine, wrapText } from './text.ts';
import { clock, duration, iso } from './when.ts';
import { plural, shortCommit, verdictWord } from './words.ts';

export { newTelling, type Telling } from './said.ts';

function sayClaimed({ run }: EventOf<'RunClaimed'>, telling: Telling, at: number): Said {
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

function saySettled(body: EventOf<'RunSettled'>, telling: Telling, at: number): Said {
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
  ...RESET_BY_WORD,
};

function sayReset(body: EventOf<'ActionReset'>): Said {
  const note = body.guidance ? ` Note: ${oneLine(body.guidance).slice(0, 200)}` : '';
  return say(`${body.actionId} ${RESET[body.cause]}.${note}`);
}

function sayLanding(body: EventOf<'LandingSettled'>): Said {
  if (body.landed) return say('Landed.', 'good');
  return say(`Not landed (${body.code}). ${oneLine(body.detail)}`.trimEnd(), 'bad');
}

function sayCreated({ contract, actions, plan }: EventOf<'ItemCreated'>): Said {
  const criteria = plural(contract.criteria.length, 'criterion', 'criteria');
  if (plan.kind === 'coordinated') return say(`Created with ${criteria}; the Coordinator plans.`);
  return say(`Created with ${criteria} and ${plural(actions.length, 'Action')}.`);
}

/** With time and id three lines of 80 columns. */
const CALL_CHARS = 180;

/** A call may be long, and stands in full where it is answered; a question is told as it was put. */
const asked = ({ subject, question }: EventOf<'RequestOpened'>['request']): string =>
  subject.kind === 'tool_approval' ? words(question, CALL_CHARS) : oneLine(question);

function sayAdded({ action }: EventOf<'ActionAdded'>): Said {
  const { commission, name, executor } = action.spec;
  if (!commission) return say(`The engine added ${action.id}.`, 'quiet');
  const who = executor.kind === 'agent' ? ` for ${executor.vp}` : '';
  return say(
    `The Coordinator commissioned ${action.id}${who}: ${oneLine(name)}. ${oneLine(commission.rationale).slice(0, 200)}`,
  );
}

/** Each event in one plain sentence. */
const SAYINGS: Sayings<EventType> = {
  ...TALK_SAYINGS,
  ItemCreated: sayCreated,
  ItemStarted: () => say('Started.'),
  ContractEdited: ({ changed }) => say(`The contract was edited: ${partsInWords(changed)}.`),
  ItemHeld: ({ hold }) => say(`Held: ${oneLine(hold.details)}`, 'ask'),
  ItemResumed: () => say('Resumed.'),
  BudgetExtended: () => say('The budget was extended.'),
  StopRequested: ({ reason }) => say(`Stopping: ${oneLine(reason) || 'a person asked'}.`),
  ItemCancelled: () => say('Cancelled.', 'bad'),
  ItemReopened: () => say('Reopened.'),
  ItemCompleted: ({ result }) =>
    say(`Done. ${plural(result.criteria.length, 'criterion is', 'criteria are')} proven.`, 'good'),
  ActionAdded: sayAdded,
  ActionReset: sayReset,
  ActionClosed: ({ actionId, reason }) => say(`${actionId} was closed: ${oneLine(reason)}`),
  ActionRetired: (body) => say(`${body.actionId} is ${body.as}.`),
  RunClaimed: sayClaimed,
  RunDispatched: sayDispatched,
  RunSettled: saySettled,
  LateResultRecorded: ({ actionId, summary }) =>
    say(`${actionId}: a Run that had been taken from its owner ended late. ${oneLine(summary).slice(0, 200)}`, 'quiet'),
  ResultMerged: ({ actionId, wrote, head }) =>
    say(`${actionId} ${wrote ? `is merged, the item branch is at ${shortCommit(head)}` : 'changed nothing'}.`),
  MergeConflicted: ({ actionId, paths }) =>
    say(`${actionId} conflicts with the item branch in ${paths.map(oneLine).join(', ')}.`, 'bad'),
  TargetSynced: ({ targetHead }) =>
    say(`The target had moved to ${shortCommit(targetHead)}; taken in, everything is verified again.`),
  VerificationAsked: () => say('Verification was asked for again.'),
  ResultPublished: ({ ref, commit }) => say(`Published as ${ref} at ${shortCommit(commit)}.`, 'good'),
  LandingReserved: ({ commit, branch }) => say(`Landing ${shortCommit(commit)} on ${branch}.`),
  LandingSettled: sayLanding,
  DeliveryChanged: ({ delivery }) => say(`Delivery is ${delivery.target} now.`),
  RequestOpened: ({ request }) => say(`${request.id} asks: ${asked(request)}`, 'ask'),
  RequestAnswered: ({ requestId, choice, text }) =>
    say(`${requestId} was answered: ${choice}${text ? `, ${oneLine(text)}` : ''}.`),
  RequestWithdrawn: ({ requestId, reason }) => say(`${requestId} was withdrawn: ${oneLine(reason)}`, 'quiet'),
};

function sentence(body: EventBody, at: number, telling: Telling): Said {
  const saying = SAYINGS[body.type] as Saying<EventType>;
  return saying(body, telling, at);
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
    case 'silent':
      return paint.dim(said.text);
    case 'plain':
      return said.text;
  }
}

interface TimelineView {
  readonly now: number;
  readonly paint: Paint;
  /** Where lines are broken; absent: nowhere, so that other programs find one event on one line. */
  readonly columns?: number;
}

/** For a terminal, of which `taken` columns are used by what stands before the line. */
export const timelineView = (
  { now, paint, live, columns }: Pick<Shell, 'now' | 'paint' | 'live' | 'columns'>,
  taken = 0,
): TimelineView => ({ now: now(), paint, ...(live ? { columns: columns - taken } : {}) });

/**
 * `14:03:07  fix: Run #1 begins.` Undefined for steps that only programs care about. Events must be told in order, with
 * the same telling.
 */
export function eventLine(
  event: StoredEvent,
  telling: Telling,
  { now, paint, columns }: TimelineView,
): string | undefined {
  const said = sentence(event.body, event.at, telling);
  if (said.tone === 'silent') return undefined;
  const time = clock(event.at, now);
  const beneath = time.length + 2;
  const texts = columns === undefined ? [said.text] : wrapText(said.text, columns - beneath);
  const lines = texts.map((text) => toned({ ...said, text }, paint));
  return `${paint.dim(time)}  ${lines.join(`\n${' '.repeat(beneath)}`)}`;
}

/** The same for programs, with the event itself. */
export const eventJson = (event: StoredEvent, telling: Telling): unknown => ({
  seq: event.seq,
  at: iso(event.at),
  sentence: toned(sentence(event.body, event.at, telling), PLAIN),
  event: event.body,
});
