import { actionById, type ItemState, isVerify, type Receipt, type StoredEvent } from '../../core/index.ts';
import type { Paint } from '../render/paint.ts';
import { clean, oneLine } from '../render/text.ts';
import { flagWords, verdictWord } from '../render/words.ts';

type Settled = Extract<StoredEvent['body'], { type: 'RunSettled' }>;

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
  return restored ? [`    put back before the check: ${receipt.changed.join(', ')}`, line] : [line];
}

function settledLines(state: ItemState, body: Settled, paint: Paint): readonly string[] {
  const action = actionById(state, body.actionId);
  const name = action?.spec.name ?? body.actionId;
  const { status, code, error, summary, receipts } = body.run;
  const checks = receipts.flatMap((receipt) => checkedLines(receipt, paint));
  if (action && isVerify(action)) return checks.length > 0 ? checks : [`  verification ended ${status}`];
  if (status === 'completed') return [`${paint.green('✓')} ${name}: its claim holds`, ...checks];
  if (code === 'claim_refused') {
    const said = oneLine(summary);
    const claim = said === '' ? 'claimed success' : `claimed "${said}"`;
    return [`${paint.red('✕')} ${name}: ${claim} and is ${paint.bold('refused')}`, ...checks];
  }
  const why = clean(error ?? code ?? '').split('\n')[0] ?? '';
  return [`${paint.red('✕')} ${name}: ${status}${why === '' ? '' : `, ${why}`}`, ...checks];
}

function claimedLine(state: ItemState, actionId: string, attempt: number, paint: Paint): string {
  const action = actionById(state, actionId);
  const mark = paint.blue('▶');
  if (action && isVerify(action)) return `${mark} The engine proves the merged result in a clean checkout`;
  const which = attempt === 1 ? 'starts in a clone of its own' : `tries again, told why (attempt ${attempt})`;
  return `${mark} ${action?.spec.name ?? actionId}: ${which}`;
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
