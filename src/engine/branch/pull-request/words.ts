import { goalOf, type ItemState } from '../../../core/index.ts';

type CriterionGoal = ReturnType<typeof goalOf>['criteria'][number];

/** What a server takes is 65,536 characters; more than this nobody reads. */
const BODY_CHARS = 60_000;
const TITLE_CHARS = 200;

/**
 * Title and text of a pull request, in Markdown: what was asked, what proves it, what may still go wrong. `notOurs`:
 * pull requests that executors named and that are not this delivery.
 */
export function pullWords(
  state: ItemState,
  notOurs: readonly string[],
  redact: (text: string) => string,
): { readonly title: string; readonly body: string } {
  const { title, goal } = state.contract;
  const parts = [
    `## Goal\n\n${goal}`,
    `## Proof\n\n${goalOf(state).criteria.map(criterionLine).join('\n')}`,
    section('Summary', state.completion ? calm(state.completion.summary) : ''),
    section('What may still go wrong', listed(state.completion?.residualRisks ?? [])),
    section('Named by an executor, not this delivery', listed(notOurs)),
    `---\nProven at ${state.branch.head} and pushed by Work Center (item ${state.id}).`,
  ];
  const body = redact(parts.filter((part) => part !== '').join('\n\n'));
  const wanted = redact(oneLine(title || goal));
  return { title: cut(wanted, TITLE_CHARS), body: cut(body, BODY_CHARS) };
}

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${calm(oneLine(line))}`).join('\n');

const section = (heading: string, text: string): string => (text === '' ? '' : `## ${heading}\n\n${text}`);

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

const cut = (text: string, chars: number): string => (text.length <= chars ? text : `${text.slice(0, chars - 1)}…`);

/** Words of a model call nobody and close nothing: a mention or a reference in them is text. */
const calm = (text: string): string => text.replace(/@(?=\w)|#(?=\d)/g, (mark) => `${mark}<!-- -->`);

/** Text in a code span, whatever backticks it has. */
function code(text: string): string {
  const line = oneLine(text);
  const ticks = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return line.includes('`') ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

const said = (flags: readonly string[]): string =>
  flags.length === 0 ? '' : ` (${flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')})`;

function criterionLine({ criterion, proof, flags, claim }: CriterionGoal): string {
  const line = `- **${criterion.id}** ${oneLine(criterion.text)}: ${proof ?? 'unproven'}${said(flags)}`;
  const receipt = claim?.receipt;
  if (!receipt) return line;
  const before = receipt.base ? `; before the work ${receipt.base.verdict.replaceAll('_', ' ')}` : '';
  return `${line}\n  - ${code(receipt.command)} exited ${receipt.exitCode ?? 'without a code'} at ${receipt.at}${before}`;
}
