import type { CriterionGoal } from '../../core/derive/goal.ts';
import type { Receipt } from '../../core/model/outcome.ts';
import type { RunRow } from '../../store/rows.ts';
import { runName } from './item.ts';
import { glyph, markOf, proofWord } from './proof.ts';
import { tailLines } from './tail.ts';
import { clean, indent, oneLine, shorten, wrapText } from './text.ts';
import type { View } from './view.ts';
import { ago, bytes, duration, iso } from './when.ts';
import { flagWords, verdictWord } from './words.ts';

const row = (name: string, value: string): string => `${name.padEnd(9)} ${value}`;

const exitWord = (exitCode: number | null): string => (exitCode === null ? 'no exit code' : `exit ${exitCode}`);

/** Everything a receipt says, a fact a line, so that anyone can repeat it. */
export function receiptText(receipt: Receipt, view: View): readonly string[] {
  const { paint, columns } = view;
  const { base, log, changed } = receipt;
  const flags = flagWords(receipt.flags, paint);
  const verdict = verdictWord(receipt.verdict);
  return [
    row('command', oneLine(receipt.command)),
    row('result', `${verdict}, ${exitWord(receipt.exitCode)}, in ${duration(receipt.durationMs)}`),
    ...(base ? [row('before', `${verdictWord(base.verdict)}, ${exitWord(base.exitCode)}`)] : []),
    ...(flags === '' ? [] : [row('flags', flags)]),
    ...(changed.length === 0 ? [] : [row('changed', shorten(changed.map(oneLine).join(', '), columns - 12))]),
    row('at', receipt.at),
    row('log', `${bytes(log.bytes)}, ${log.hash}`),
    row('engine', receipt.engine),
  ];
}

/** One criterion with its decisive claim. `log` is its whole log, where it was asked for. */
export function criterionText(
  goal: CriterionGoal,
  runs: readonly RunRow[],
  view: View,
  log: string | undefined,
): string {
  const { paint, columns, now } = view;
  const { criterion, claim } = goal;
  const head = `${glyph(markOf(goal), paint)} ${paint.bold(criterion.id)}  ${proofWord(goal)}`;
  const words = indent(wrapText(criterion.text, columns - 2));
  if (!claim) {
    const how = criterion.check
      ? `would be proven by: ${oneLine(criterion.check.run)}`
      : 'nobody has said anything that counts';
    return [head, ...words, ...indent([paint.dim(how)])].join('\n');
  }
  const by = row('by', `${runName(claim.runId, runs)}, ${ago(claim.at, now)} (${iso(claim.at)})`);
  const { receipt } = claim;
  const facts = receipt ? [by, ...receiptText(receipt, view)] : [by, row('said', oneLine(claim.evidence))];
  const tail =
    receipt === undefined
      ? []
      : log === undefined
        ? tailLines(receipt.log.tail, columns - 2).map(paint.dim)
        : ['', ...clean(log).trimEnd().split('\n')];
  return [head, ...words, ...indent(facts), ...indent(tail)].join('\n');
}
