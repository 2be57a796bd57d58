import { attemptCap, grantSeconds, nearlySpent, type Room, spentRoom, wallClock } from '../../core/derive/budget.ts';
import { type CriterionGoal, goalOf } from '../../core/derive/goal.ts';
import { isSatisfied } from '../../core/derive/graph.ts';
import { sentenceOf } from '../../core/derive/sentence.ts';
import type { ActionState } from '../../core/model/action.ts';
import type { ItemState, Parked } from '../../core/model/item.ts';
import type { Receipt } from '../../core/model/outcome.ts';
import type { RunRow } from '../../store/rows.ts';
import { type RefusedClaim, refusedClaims, spanOf, weakestEnforcement } from '../report.ts';
import { NO_TALK, type Talk } from '../talk.ts';
import { conversationLines, decisionLines } from './conversation.ts';
import { shareMoney } from './cost.ts';
import { count, money } from './money.ts';
import type { Paint } from './paint.ts';
import { glyph, markOf, PROOF_LEGEND, proofBar, proofWord } from './proof.ts';
import { requestLines } from './requests.ts';
import { columnWidths, table } from './table.ts';
import { tailLines } from './tail.ts';
import { clean, indent, oneLine, pad, shorten, widthOf, wrapText } from './text.ts';
import type { View } from './view.ts';
import { ago, duration } from './when.ts';
import { flagWords, plural, shortCommit, statusGlyph, verdictWord } from './words.ts';

export type { View } from './view.ts';

/** Lines of a criterion's text; `evidence` shows all of it. */
const MOST_TEXT_LINES = 4;

function headLines(state: ItemState, view: View): readonly string[] {
  const { columns, paint } = view;
  const id = state.id;
  const title = shorten(oneLine(state.contract.title), columns - widthOf(id) - 2);
  const first = `${paint.bold(pad(title, columns - widthOf(id)))}${paint.dim(id)}`;
  return [first, ...wrapText(sentenceOf(state), columns)];
}

/** The first question of the page: what needs me? */
function needsYou(state: ItemState, view: View, diffs: Talk['diffs']): readonly string[] {
  const { paint } = view;
  const held = state.hold ? [...heldLines(state.hold.details, view), `      ${paint.blue(holdHint(state))}`] : [];
  const draft = state.lifecycle === 'draft' ? [`      ${paint.blue(`workcenter start ${state.id}`)}`] : [];
  const asked = state.requests.flatMap((request) => requestLines(state, request, view, diffs.get(request.id)));
  const parked = state.parked && state.parked.until > view.now ? [parkedLine(state.parked, view)] : [];
  const lines = [...asked, ...held, ...parked, ...draft];
  return lines.length === 0 ? [] : ['', paint.bold('Needs you'), ...indent(lines)];
}

function heldLines(details: string, { columns, paint }: View): readonly string[] {
  const [first = '', ...more] = wrapText(`Held: ${oneLine(details)}`, columns - 4);
  return [`${paint.amber('?')} ${first}`, ...indent(more)];
}

const EXTENSION: Readonly<Record<Room['what'], string>> = { requests: '50req', tokens: '500k', costMicros: '5usd' };

function holdHint(state: ItemState): string {
  if (wallClock(state).exhausted) return `workcenter extend ${state.id} --wall-clock 1h --resume`;
  const spent = spentRoom(state);
  return spent
    ? `workcenter extend ${state.id} --budget ${EXTENSION[spent.what]} --resume`
    : `workcenter resume ${state.id}`;
}

/** Nobody has to do anything: it goes on by itself. */
const parkedLine = ({ until, details }: Parked, { paint }: View): string =>
  paint.dim(`Parked until ${new Date(until).toISOString()}: ${oneLine(details)}`);

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
      if (live?.idle) return isAsked(action, state) ? 'waits for your leave' : 'waits for a free slot';
      if (live?.dispatched === false) return 'preparing its workspace';
      return `running ${duration(now - (live?.startedAt ?? now))}`;
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

/** Whether a person still has to say if its call may be made (D16). */
const isAsked = ({ id }: ActionState, { requests }: ItemState): boolean =>
  requests.some(({ subject }) => subject.kind === 'tool_approval' && subject.actionId === id);

/** As `statusGlyph` has it; who idles until a person has spoken is shown as waiting. */
export function actionGlyph({ status, runId }: ActionState, { runs }: ItemState, paint: Paint): string {
  return statusGlyph(runs.some(({ id, idle }) => id === runId && idle) ? 'waiting' : status, paint);
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

/** Who carries it out, and with which model: what the last Run really used, else what is assigned. */
function whoLines({ id, spec }: ActionState, runs: readonly RunRow[], { paint, columns }: View): readonly string[] {
  const { executor } = spec;
  if (executor.kind !== 'agent') return [];
  const used = runs.filter((run) => run.actionId === id).reduce<RunRow | undefined>(newer, undefined)?.agent;
  const model = used?.model ?? executor.model;
  return [paint.dim(shorten(`${used?.vp ?? executor.vp}${model === undefined ? '' : ` with ${model}`}`, columns - 9))];
}

const newer = (known: RunRow | undefined, run: RunRow): RunRow =>
  known && known.startedSeq > run.startedSeq ? known : run;

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
      ...whoLines(action, runs, view),
      ...conflictLines(action, paint),
      ...error,
      ...refusalLines(refusedClaims(action, state, runs), view),
    ];
    return [`  ${actionGlyph(action, state, paint)} ${lines[index] ?? ''}`, ...indent(notes, '         ')];
  });
  return body.length === 0 ? [] : ['', paint.bold('Actions'), ...body];
}

function resultLines(state: ItemState, { columns }: View): readonly string[] {
  // A plan's summary only counts what stands above; an answer is the result itself.
  const isTold = state.plan.kind === 'coordinated' && state.contract.delivery.target !== 'response';
  const words = !isTold ? [] : wrapText(clean(state.finalResult?.summary ?? '').trim(), columns - 2);
  return [...words.filter((line) => line !== ''), ...whereLines(state), ...riskLines(state)];
}

/** What the Coordinator says may still go wrong. */
const riskLines = ({ finalResult, completion }: ItemState): readonly string[] =>
  (finalResult?.residualRisks ?? completion?.residualRisks ?? []).map((risk) => `may still go wrong: ${oneLine(risk)}`);

function whereLines(state: ItemState): readonly string[] {
  const { landing, contract, finalResult } = state;
  if (contract.delivery.target === 'response') return finalResult ? clean(finalResult.summary).split('\n') : [];
  if (state.base.kind !== 'git')
    return finalResult ? [`${plural(finalResult.outputs.length, 'file')} in ${contract.directory}`] : [];
  const lines: string[] = [];
  if (landing.kind === 'landed') lines.push(`landed on ${landing.branch} at ${shortCommit(landing.commit)}`);
  if (landing.kind === 'reserved') lines.push(`being landed on ${landing.branch}`);
  if (state.pull) lines.push(`pull request ${state.pull.url} at ${shortCommit(state.pull.commit)}`);
  if (state.published) lines.push(`branch ${state.published.ref} at ${shortCommit(state.published.commit)}`);
  if (lines.length === 0) return [];
  const take =
    state.lifecycle === 'done' && landing.kind === 'none' && state.published && !state.pull
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

const upTo = (limit: number | null, say: (value: number) => string): string =>
  limit === null ? '' : ` of ${say(limit)}`;

/** Requests, tokens and money with their limits; what nobody measured is said (D27). */
function modelCost({ usage, limits, uncertain, plan }: ItemState): string {
  const { requests, tokens, metered } = usage;
  const asksModels = plan.kind === 'coordinated' && metered;
  if (requests === 0) return asksModels ? '' : ' · requests, tokens and money unmetered';
  const cost = `${shareMoney(usage)}${upTo(limits.costMicros, money)}`;
  const asked = `${requests}${upTo(limits.requests, count)} requests`;
  const unsure = uncertain.length === 0 ? '' : `, ${uncertain.length} of them at an estimate`;
  const rest = metered ? '' : ' · commands unmetered';
  return ` · ${cost} · ${asked}, ${count(tokens)}${upTo(limits.tokens, count)} tokens${unsure}${rest}`;
}

/** The fourth question: what did it cost? */
function costLines(state: ItemState, runs: readonly RunRow[], view: View): readonly string[] {
  const { paint, columns } = view;
  const clock = wallClock(state);
  const limit = clock.limitSec === null ? '' : ` of ${duration(clock.limitSec * 1000)}`;
  const used = `${duration(state.usage.wallMs)}${limit} of Runs`;
  const model = modelCost(state);
  const warning = [
    ...(clock.warning ? [paint.amber('four fifths of the wall-clock budget are used')] : []),
    ...nearlySpent(state).map(({ what }) =>
      paint.amber(`four fifths of the ${what === 'costMicros' ? 'money' : what} are used`),
    ),
  ];
  const lines = [...wrapText(`${used}${model}`, columns - 2), ...warning, ...sandboxLine(runs, paint)];
  return ['', paint.bold('Cost'), ...indent(lines)];
}

/** The whole page of one item, in the order in which its questions are asked. */
export function itemText(state: ItemState, runs: readonly RunRow[], view: View, talk: Talk = NO_TALK): string {
  const result = resultLines(state, view);
  return [
    ...headLines(state, view),
    ...needsYou(state, view, talk.diffs),
    ...proofLines(state, runs, view),
    ...actionLines(state, runs, view),
    ...(result.length === 0 ? [] : ['', view.paint.bold('Result'), ...indent(result)]),
    ...decisionLines(talk.decisions, view),
    ...conversationLines(talk.entries, view),
    ...costLines(state, runs, view),
  ].join('\n');
}
