import {
  type ActionState,
  actionById,
  type ItemState,
  isVerify,
  type Receipt,
  type StoredEvent,
} from '../../core/index.ts';
import type { Paint } from '../render/paint.ts';
import { clean, oneLine, wrapText } from '../render/text.ts';
import { flagWords, verdictWord } from '../render/words.ts';

type Settled = Extract<StoredEvent['body'], { type: 'RunSettled' }>;

const TAIL_LINES = 3;
const WORDS_COLUMNS = 92;

/** What a check said when it did not pass: the lines that speak of a failure, else the last ones. */
function tailLines({ verdict, log }: Receipt, paint: Paint): readonly string[] {
  if (verdict === 'passed') return [];
  const lines = clean(log.tail)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /^\s*not ok|\bfail(ed|ures?)?\b/i.test(line));
  return (telling.length > 0 ? telling.slice(0, TAIL_LINES) : lines.slice(-TAIL_LINES)).map((line) =>
    paint.dim(`       ${line.trim()}`),
  );
}

/** The engine's own run of a check; and what had been bent before it, if anything. */
function checkedLines(receipt: Receipt, paint: Paint): readonly string[] {
  const mark = receipt.verdict === 'passed' ? paint.green('■') : paint.red('✕');
  const ended = receipt.exitCode === null ? verdictWord(receipt.verdict) : `exit ${receipt.exitCode}`;
  const restored = receipt.flags.includes('protected_restored');
  const flags = flagWords(
    receipt.flags.filter((flag) => flag !== 'protected_restored'),
    paint,
  );
  const line = `  ${mark} ${receipt.criterionId}  the engine ran ${receipt.command}: ${ended}${flags === '' ? '' : ` (${flags})`}`;
  const lines = [line, ...tailLines(receipt, paint)];
  return restored ? [`    put back before the check: ${receipt.changed.join(', ')}`, ...lines] : lines;
}

/** A result that no check had to confirm at once: what a review decided, or that a claim holds. */
function completedLines(name: string, { result, run }: Settled, paint: Paint): readonly string[] {
  const review = result?.outcome.review;
  if (review === undefined) return [`${paint.green('✓')} ${name}: its claim holds`];
  const mark = review === 'approved' ? paint.green('✓') : paint.red('✕');
  return [
    `${mark} ${name}: ${paint.bold(review.replaceAll('_', ' '))}`,
    ...wrapText(`"${oneLine(run.summary)}"`, WORDS_COLUMNS).map((line) => `    ${line}`),
  ];
}

function settledLines(state: ItemState, body: Settled, paint: Paint): readonly string[] {
  const action = actionById(state, body.actionId);
  const name = action?.spec.name ?? body.actionId;
  const { status, code, error, summary, receipts } = body.run;
  const checks = receipts.flatMap((receipt) => checkedLines(receipt, paint));
  if (action && isVerify(action)) return checks.length > 0 ? checks : [`  verification ended ${status}`];
  if (status === 'completed') return [...completedLines(name, body, paint), ...checks];
  if (code === 'claim_refused') {
    const said = oneLine(summary);
    const claim = said === '' ? 'claimed success' : `claimed "${said}"`;
    return [`${paint.red('✕')} ${name}: ${claim} and is ${paint.bold('refused')}`, ...checks];
  }
  const why = clean(error ?? code ?? '').split('\n')[0] ?? '';
  return [`${paint.red('✕')} ${name}: ${status}${why === '' ? '' : `, ${why}`}`, ...checks];
}

/** Who carries an Action out, where it is an agent. */
const byWhom = ({ spec }: ActionState): string => (spec.executor.kind === 'agent' ? ` (${spec.executor.vp})` : '');

function howItStarts(action: ActionState | undefined, attempt: number): string {
  if (attempt > 1) return `tries again, told why (attempt ${attempt})`;
  return action?.spec.workspace === 'read' ? 'starts, and may only read' : 'starts in a clone of its own';
}

function claimedLine(state: ItemState, actionId: string, attempt: number, paint: Paint): string {
  const action = actionById(state, actionId);
  const mark = paint.blue('▶');
  if (action && isVerify(action)) return `${mark} The engine proves the merged result in a clean checkout`;
  const who = action ? `${action.spec.name}${byWhom(action)}` : actionId;
  return `${mark} ${who}: ${howItStarts(action, attempt)}`;
}

/** What one event means to somebody who watches; nothing for most. Detail lines are indented. Pure. */
export function narrate(state: ItemState, event: StoredEvent, paint: Paint): readonly string[] {
  const { body } = event;
  switch (body.type) {
    case 'RunClaimed':
      return [claimedLine(state, body.run.actionId, body.run.ordinal, paint)];
    case 'RunSettled':
      return settledLines(state, body, paint);
    case 'ResultMerged':
      return body.wrote ? [`${paint.violet('⇢')} ${body.actionId} merged into the item branch`] : [];
    case 'MergeConflicted':
      return [`${paint.red('✕')} ${body.actionId} conflicts in ${body.paths.join(', ')}`];
    case 'ResultPublished':
      return [`${paint.violet('⇢')} published as branch ${body.ref}; your checkout is untouched`];
    case 'RequestOpened':
      return [`${paint.amber('?')} ${clean(body.request.question)}`];
    case 'ItemHeld':
      return [`${paint.amber('‖')} held: ${clean(body.hold.details)}`];
    case 'ItemCompleted':
      return [`${paint.green('✓')} ${paint.bold('done')}: every criterion is proven`];
    default:
      return [];
  }
}
