import { attemptCap, grantSeconds, wallClock } from '../../core/derive/budget.ts';
import { type CriterionGoal, goalOf } from '../../core/derive/goal.ts';
import { isSatisfied } from '../../core/derive/graph.ts';
import { sentenceOf } from '../../core/derive/sentence.ts';
import type { ActionState } from '../../core/model/action.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { Receipt } from '../../core/model/outcome.ts';
import type { HumanRequest } from '../../core/model/request.ts';
import type { RunRow } from '../../store/rows.ts';
import { choiceWords } from '../choice-words.ts';
import { type RefusedClaim, refusedClaims, spanOf, weakestEnforcement } from '../report.ts';
import type { Paint } from './paint.ts';
import { glyph, markOf, PROOF_LEGEND, proofBar, proofWord } from './proof.ts';
import { columnWidths, table } from './table.ts';
import { clean, indent, oneLine, pad, shorten, widthOf, wrapText } from './text.ts';
import { ago, duration } from './when.ts';
import { flagWords, plural, shortCommit, statusGlyph, verdictWord } from './words.ts';

/** What an item's page needs besides the state. */
export interface View {
  readonly now: number;
  readonly columns: number;
  readonly paint: Paint;
}

const TAIL_LINES = 6;
/** Lines of a criterion's text; `evidence` shows all of it. */
const MOST_TEXT_LINES = 4;

/** The last lines of a log, marked as somebody else's words. */
export function tailLines(tail: string, columns: number, most = TAIL_LINES): readonly string[] {
  const lines = clean(tail)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return lines.slice(-most).map((line) => `│ ${shorten(line, columns - 2)}`);
}

function headLines(state: ItemState, view: View): readonly string[] {
  const { columns, paint } = view;
  const id = state.id;
  const title = shorten(oneLine(state.contract.title), columns - widthOf(id) - 2);
  const first = `${paint.bold(pad(title, columns - widthOf(id)))}${paint.dim(id)}`;
  return [first, ...wrapText(sentenceOf(state), columns)];
}

function answerHint(state: ItemState, request: HumanRequest): string {
  const choices = request.choices.map((choice) => (choice === 'text' ? '"your words"' : choice)).join(' | ');
  return `workcenter answer ${state.id} ${request.id} ${choices}`;
}

function requestLines(state: ItemState, request: HumanRequest, view: View): readonly string[] {
  const { paint, columns, now } = view;
  const [first = '', ...more] = wrapText(request.question, columns - 16);
  const head = `${paint.amber('?')} ${paint.bold(request.id)}  ${pad(first, columns - 18)} ${ago(request.openedAt, now)}`;
  const details = request.details.flatMap((detail) => tailLines(detail, columns - 6));
  return [
    head.trimEnd(),
    ...indent(more, '      '),
    ...indent(details, '      ').map(paint.dim),
    `      ${paint.blue(answerHint(state, request))}`,
    ...wrapText(choiceWords(request), columns - 8).map((line) => `      ${paint.dim(line)}`),
  ];
}

/** The first question of the page: what needs me? */
function needsYou(state: ItemState, view: View): readonly string[] {
  const { paint } = view;
  const held = state.hold
    ? [`${paint.amber('?')} Held: ${oneLine(state.hold.details)}`, `      ${paint.blue(holdHint(state))}`]
    : [];
  const draft = state.lifecycle === 'draft' ? [`      ${paint.blue(`workcenter start ${state.id}`)}`] : [];
  const asked = state.requests.flatMap((request) => requestLines(state, request, view));
  const lines = [...asked, ...held, ...draft];
  return lines.length === 0 ? [] : ['', paint.bold('Needs you'), ...indent(lines)];
}

function holdHint(state: ItemState): string {
  return wallClock(state).exhausted
    ? `workcenter extend ${state.id} --wall-clock 1h --resume`
    : `workcenter resume ${state.id}`;
}

/** Action and ordinal of a Run, which say more than its id. */
export const runName = (runId: string, runs: readonly RunRow[]): string => {
  const run = runs.find((candidate) => candidate.runId === runId);
  return run ? `${run.actionId} #${run.ordinal}` : runId;
};

function receiptLine(receipt: Receipt, paint: Paint): string {
  const exit = receipt.exitCode === null ? verdictWord(receipt.verdict) : `exit ${receipt.exitCode}`;
  const facts = `${oneLine(receipt.command)} → ${exit}, ${duration(receipt.durationMs)}, at ${shortCommit(receipt.at)}`;
  const flags = flagWords(receipt.flags, paint);
  return `${facts}${flags === '' ? '' : ` · ${flags}`}`;
}

const whoWrote = (actionId: string): string =>
  actionId === '@target' ? 'commits on the target branch came in' : `${actionId} wrote`;

function underCriterion(goal: CriterionGoal, runs: readonly RunRow[], view: View): readonly string[] {
  const { paint, columns } = view;
  const { claim, criterion, standing, staledBy } = goal;
  const lines: string[] = [];
  if (claim?.receipt) {
    lines.push(shorten(paint.dim(receiptLine(claim.receipt, paint)), columns - 9));
    if (standing === 'failed') lines.push(...tailLines(claim.receipt.log.tail, columns - 8).map(paint.dim));
  } else if (claim)
    lines.push(paint.dim(shorten(`said by ${runName(claim.runId, runs)}: ${oneLine(claim.evidence)}`, columns - 8)));
  if (staledBy) lines.push(paint.amber(`stale: ${whoWrote(staledBy.actionId)} after it`));
  if (standing === 'unmet') {
    lines.push(
      paint.dim(
        criterion.check
          ? `would be proven by: ${oneLine(criterion.check.run)}`
          : 'would be proven by an Action that is for it',
      ),
    );
  }
  return indent(lines, '         ');
}

/** The second question: what is proven? */
function proofLines(state: ItemState, runs: readonly RunRow[], view: View): readonly string[] {
  const { paint, columns, now } = view;
  const goal = goalOf(state);
  const rows = goal.criteria.map((each) => [
    { text: each.criterion.id },
    { text: oneLine(each.criterion.text) },
    { text: proofWord(each) },
    { text: each.claim ? ago(each.claim.at, now) : '' },
    { text: each.claim ? runName(each.claim.runId, runs) : '' },
  ]);
  const sizes = [
    { title: '', min: 3 },
    { title: '', grow: true, min: 16 },
    { title: '' },
    { title: '' },
    { title: '' },
  ];
  const room = columnWidths(sizes, rows, columns - 4);
  const wrapped = goal.criteria.map(({ criterion }) => wrapText(oneLine(criterion.text), room[1] ?? 16));
  const shown = rows.map((row, index) =>
    row.map((cell, at) => (at === 1 ? { text: wrapped[index]?.[0] ?? '' } : cell)),
  );
  const padded = shown.map((row) => row.map((cell, at) => ({ text: pad(cell.text, room[at] ?? 0) })));
  const lines = table(sizes, padded, columns - 4);
  const under = ' '.repeat(4 + (room[0] ?? 3) + 2);
  const body = goal.criteria.flatMap((each, index) => [
    `  ${glyph(markOf(each), paint)} ${lines[index] ?? ''}`,
    ...indent((wrapped[index] ?? []).slice(1, MOST_TEXT_LINES), under),
    ...underCriterion(each, runs, view),
  ]);
  return ['', `${paint.bold('Proof')}  ${proofBar(goal, paint)}  ${paint.dim(PROOF_LEGEND)}`, ...body];
}

function refusalLines(claims: readonly RefusedClaim[], view: View): readonly string[] {
  const { paint, columns } = view;
  const last = claims.at(-1);
  if (!last) return [];
  const exit = last.exitCode === null ? last.verdict : `exit ${last.exitCode}`;
  const times = claims.length > 1 ? `, ${claims.length} refusals in all` : '';
  const head = `Run #${last.ordinal} claimed ${last.criterionId}; the engine's own check said ${exit}${times}`;
  return [paint.amber(head), ...tailLines(last.tail, columns - 8, 3).map(paint.dim)];
}

function conflictLines(action: ActionState, paint: Paint): readonly string[] {
  const { merge } = action;
  if (action.status !== 'completed' || merge.kind !== 'conflict') return [];
  const shown = merge.paths.slice(0, 5).map(oneLine).join(', ');
  const more = merge.paths.length > 5 ? ` and ${merge.paths.length - 5} more` : '';
  return [paint.red(`conflicts with the item branch in ${shown}${more}`)];
}

/** What an Action waits for or how it ended, in a few words. */
export function actionState(action: ActionState, state: ItemState, runs: readonly RunRow[], now: number): string {
  const { start, end } = spanOf(action, runs);
  const live = state.runs.find((run) => run.id === action.runId);
  const took = start !== null && end !== null ? ` in ${duration(end - start)}` : '';
  switch (action.status) {
    case 'running':
      return live?.dispatched === false
        ? 'preparing its workspace'
        : `running ${duration(now - (live?.startedAt ?? now))}`;
    case 'ready':
      return readyState(action, state, now);
    case 'failed':
      return `failed${action.failureCode ? `: ${action.failureCode}` : ''}`;
    case 'closed':
      return `closed: ${oneLine(action.closeReason ?? '')}`;
    case 'completed':
      return `completed${took}`;
    case 'waiting':
    case 'superseded':
    case 'cancelled':
      return action.status;
  }
}

function readyState(action: ActionState, state: ItemState, now: number): string {
  const open = action.spec.dependsOn.filter((id) => !isSatisfied(state, id, action));
  if (open.length > 0) return `waits for ${open.join(', ')}`;
  const { lastRun } = action;
  if (state.lifecycle === 'open' && grantSeconds(state, action.spec.timeoutSec) === undefined)
    return 'waits for room in budget.wallClock';
  if (lastRun?.status !== 'retryable') return 'ready';
  const wait = action.readyAt - now;
  return `${lastRun.code ?? 'retryable'}; tries again${wait >= 1_000 ? ` in ${duration(wait)}` : ''}`;
}

function attemptsWord(action: ActionState, state: ItemState): string {
  return action.attempts === 0 ? '' : `${action.attempts}/${attemptCap(state, action)} attempts`;
}

/** The third question: what is being done about the rest? */
function actionLines(state: ItemState, runs: readonly RunRow[], view: View): readonly string[] {
  const { paint, columns, now } = view;
  const rows = state.actions.map((action) => [
    { text: action.id },
    { text: action.spec.name === action.id ? '' : oneLine(action.spec.name) },
    { text: actionState(action, state, runs, now) },
    { text: attemptsWord(action, state), paint: paint.dim },
  ]);
  const sizes = [{ title: '', max: 24 }, { title: '', grow: true, min: 12 }, { title: '', max: 40 }, { title: '' }];
  const lines = table(sizes, rows, columns - 4);
  const body = state.actions.flatMap((action, index) => {
    const error =
      action.status === 'failed' ? tailLines(action.lastRun?.error ?? '', columns - 8, 3).map(paint.dim) : [];
    const notes = [
      ...conflictLines(action, paint),
      ...error,
      ...refusalLines(refusedClaims(action, state, runs), view),
    ];
    return [`  ${statusGlyph(action.status, paint)} ${lines[index] ?? ''}`, ...indent(notes, '         ')];
  });
  return body.length === 0 ? [] : ['', paint.bold('Actions'), ...body];
}

function resultLines(state: ItemState): readonly string[] {
  const { landing, contract, finalResult } = state;
  if (contract.delivery.target === 'response') return finalResult ? clean(finalResult.summary).split('\n') : [];
  if (state.base.kind !== 'git')
    return finalResult ? [`${plural(finalResult.outputs.length, 'file')} in ${contract.directory}`] : [];
  const lines: string[] = [];
  if (landing.kind === 'landed') lines.push(`landed on ${landing.branch} at ${shortCommit(landing.commit)}`);
  if (landing.kind === 'reserved') lines.push(`being landed on ${landing.branch}`);
  if (state.published) lines.push(`branch ${state.published.ref} at ${shortCommit(state.published.commit)}`);
  if (lines.length === 0) return [];
  const take =
    state.lifecycle === 'done' && landing.kind === 'none' && state.published
      ? [`take it: git merge ${state.published.ref}`]
      : [];
  return [...lines, `repository ${state.base.topLevel}`, ...take];
}

function sandboxLine(runs: readonly RunRow[], paint: Paint): readonly string[] {
  const weakest = weakestEnforcement(runs);
  if (!weakest) return [];
  if (weakest.sandbox === 'bubblewrap' && weakest.reason === undefined)
    return ['sandbox: bubblewrap, all of it enforced'];
  const label = weakest.sandbox === 'none' ? 'not sandboxed' : 'sandboxed in part';
  return [paint.amber(`${label}: ${weakest.reason ?? 'nothing was enforced while a Run worked'}`)];
}

/** The fourth question: what did it cost? */
function costLines(state: ItemState, runs: readonly RunRow[], view: View): readonly string[] {
  const { paint } = view;
  const { wallMs, requests, tokens, metered } = state.usage;
  const clock = wallClock(state);
  const limit = clock.limitSec === null ? '' : ` of ${duration(clock.limitSec * 1000)}`;
  const used = `${duration(wallMs)}${limit} of Runs`;
  const model =
    metered && requests > 0 ? ` · ${requests} requests, ${tokens} tokens` : ' · requests, tokens and money unmetered';
  const warning = clock.warning ? [paint.amber('four fifths of the wall-clock budget are used')] : [];
  const lines = [`${used}${model}`, ...warning, ...sandboxLine(runs, paint)];
  return ['', paint.bold('Cost'), ...indent(lines)];
}

/** The whole page of one item, in the order in which its questions are asked. */
export function itemText(state: ItemState, runs: readonly RunRow[], view: View): string {
  const result = resultLines(state);
  return [
    ...headLines(state, view),
    ...needsYou(state, view),
    ...proofLines(state, runs, view),
    ...actionLines(state, runs, view),
    ...(result.length === 0 ? [] : ['', view.paint.bold('Result'), ...indent(result)]),
    ...costLines(state, runs, view),
  ].join('\n');
}
