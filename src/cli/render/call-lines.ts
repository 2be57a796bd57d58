import type { RequestSubject } from '../../core/model/request.ts';
import { visible } from '../../text/visible.ts';
import { clean, widthOf } from './text.ts';

/** Broken where the terminal ends, with nothing left out: this is read before it is allowed. */
function folded(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let part = '';
  let width = 0;
  for (const char of line) {
    const next = widthOf(char);
    if (part !== '' && width + next > columns) {
      lines.push(part);
      part = '';
      width = 0;
    }
    part += char;
    width += next;
  }
  return [...lines, part];
}

/** All of a call that waits for leave; where one line says it all the question has said it. */
export function callLines(subject: RequestSubject, columns: number): readonly string[] {
  if (subject.kind !== 'tool_approval') return [];
  if (subject.whole === undefined) return ['Only this line of it is known; it may go on.'];
  if (subject.whole === subject.call && widthOf(subject.call) < columns) return [];
  return clean(visible(subject.whole))
    .split('\n')
    .flatMap((line) => folded(line, columns - 2))
    .map((line) => `┃ ${line}`);
}
