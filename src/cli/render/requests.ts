import type { ItemState } from '../../core/model/item.ts';
import type { HumanRequest } from '../../core/model/request.ts';
import { choiceWords } from '../choice-words.ts';
import { callLines } from './call-lines.ts';
import { type DiffLine, diffLines } from './line-diff.ts';
import { tailLines } from './tail.ts';
import { indent, oneLine, pad, shorten, wrapText } from './text.ts';
import type { View } from './view.ts';
import { ago } from './when.ts';

function answerHints({ id }: ItemState, { id: requestId, choices }: HumanRequest): readonly string[] {
  if (choices.includes('confirm'))
    return [`workcenter approve ${id} ${requestId} | workcenter reject ${id} ${requestId}`];
  const words = choices.map((choice) => (choice === 'text' ? '"your words"' : choice)).join(' | ');
  return [`workcenter answer ${id} ${requestId} ${words}`];
}

const suggestionLines = ({ options = [] }: HumanRequest, columns: number): readonly string[] =>
  options.map((option, index) => shorten(`#${index + 1}  ${oneLine(option)}`, columns));

/** A question with its facts, its answers, and for a proposed contract the lines that would change. */
export function requestLines(
  state: ItemState,
  request: HumanRequest,
  view: View,
  diff: readonly DiffLine[] = [],
): readonly string[] {
  const { paint, columns, now } = view;
  const [first = '', ...more] = wrapText(request.question, columns - 16);
  const head = `${paint.amber('?')} ${paint.bold(request.id)}  ${pad(first, columns - 18)} ${ago(request.openedAt, now)}`;
  const details = request.details.flatMap((detail) => tailLines(detail, columns - 6));
  const below = [
    ...more,
    ...callLines(request.subject, columns - 6),
    ...details.map(paint.dim),
    ...diffLines(diff, paint).map((line) => shorten(line, columns - 8)),
    ...suggestionLines(request, columns - 8),
    ...answerHints(state, request).map(paint.blue),
    ...wrapText(choiceWords(request), columns - 8).map(paint.dim),
  ];
  return [head.trimEnd(), ...indent(below, '      ')];
}
