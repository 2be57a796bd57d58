import { type Cuts, capOf } from '../cuts.ts';
import { addText, counted, type Draft, leaveOut, newDraft } from '../draft.ts';
import type { MainlineInput, ResultView } from '../mainline-input.ts';
import { oneLine } from '../untrusted.ts';

const SUMMARY_BYTES = 1_024;
const LINE_BYTES = 160;
const IN_WORKSPACE = 'what was made is in the workspace; see `git_read` for its history';

/** What this Action builds on: in order of time, each as far as the cuts leave it. */
export function resultsSection({ results }: MainlineInput, cuts: Cuts): Draft {
  const draft = newDraft('Results this builds on');
  const ranks = cutOrder(results);
  for (const result of results) addResult(draft, result, ranks.indexOf(result), cuts);
  leaveOut(
    draft,
    Math.min(cuts.results, results.length),
    (n) => `claims and outputs of ${counted(n, 'result')}`,
    IN_WORKSPACE,
  );
  leaveOut(
    draft,
    Math.min(cuts.resultLines, results.length),
    (n) => `most of ${n === 1 ? 'a summary' : `${n} summaries`}`,
    IN_WORKSPACE,
  );
  return draft;
}

/** What is reduced first: sources, which are context only, then what it depends on; the older before the newer. */
const cutOrder = (results: readonly ResultView[]): readonly ResultView[] => [
  ...results.filter(({ relation }) => relation === 'source'),
  ...results.filter(({ relation }) => relation === 'dependsOn'),
];

function addResult(draft: Draft, result: ResultView, rank: number, cuts: Cuts): void {
  const { actionId, type, relation, status, summary, review } = result;
  const verdict = review === undefined ? '' : `, ${review}`;
  const heading = `## ${actionId} (${oneLine(type, LINE_BYTES)}, ${status}${verdict}; ${relation === 'source' ? 'context' : 'depended on'})`;
  const text = rank < cuts.results ? boundedSummary(summary, rank, cuts) : [summary, ...details(result)].join('\n');
  draft.parts.push(heading);
  addText(draft, '', { tag: 'untrusted', source: `result of ${actionId}`, text });
}

function boundedSummary(summary: string, rank: number, cuts: Cuts): string {
  if (rank < cuts.resultLines) return oneLine(summary, LINE_BYTES >> cuts.squeeze);
  return oneLine(summary, Math.min(capOf(cuts, 'results', SUMMARY_BYTES), SUMMARY_BYTES));
}

function details({ claims, outputs }: ResultView): string[] {
  return [
    ...claims.map(({ criterionId, status, evidence }) => `- ${criterionId} ${status}: ${oneLine(evidence, 4_000)}`),
    ...outputs.map(({ kind, ref }) => `- ${kind}: ${oneLine(ref, 1_000)}`),
  ];
}
