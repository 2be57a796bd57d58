import type { Problem, Rejection } from '../../core/index.ts';

export type { Problem };

export const COMPLAINT_LIMITS = Object.freeze({ chars: 2_000, fieldChars: 240 });

/** A part of a complaint: one line, and not longer than it helps. */
const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= COMPLAINT_LIMITS.fieldChars ? line : `${line.slice(0, COMPLAINT_LIMITS.fieldChars - 1)}…`;
};

const sayOne = ({ path, expected, found }: Problem): string =>
  `- ${short(path) || 'the answer'}: expected ${short(expected)}; found ${short(found) || 'nothing'}`;

/** Complaints for the model, one a line, within 2,000 characters; what does not fit is counted. */
export function sayComplaints(complaints: readonly Problem[]): string {
  const lines = [...new Set(complaints.map(sayOne))];
  const kept: string[] = [];
  let room = COMPLAINT_LIMITS.chars - '\n- and 9999 more'.length;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

/** A refusal by the core's `decide`, which sees facts that came after the decision was compiled; one for each mistake. */
export const complaintsOf = ({ message }: Pick<Rejection, 'message'>): readonly Problem[] =>
  message.split('; ').map((found) => ({ path: '', expected: 'what the item accepts now', found }));
