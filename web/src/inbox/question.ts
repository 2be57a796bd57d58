import type { Request } from '../../../src/client/index.ts';
import { visible } from '../../../src/text/visible.ts';

/** What is asked, for titles and lists. What comes of a program's own words is read as a machine reads it. */
export const questionOf = ({ subject, question }: Pick<Request, 'subject' | 'question'>): string =>
  subject.kind === 'tool_approval' || subject.kind === 'operation_unknown' ? visible(question) : question;

/** What a person is asked to allow: all of it, or the one line that is known of it. */
export interface AskedCall {
  readonly text: string;
  readonly lines: number;
  readonly isWhole: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function callOf({ whole, call }: Request['subject']): AskedCall {
  const isWhole = typeof whole === 'string';
  const text = visible(isWhole ? whole : textOf(call));
  return { text, lines: text.split('\n').length, isWhole };
}
