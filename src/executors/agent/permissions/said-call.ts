import type { ToolCall } from '../../../model/index.ts';
import { visible } from '../../../text/visible.ts';

/** As much as is read before one allows it, and as an event holds well. */
export const MOST_CALL_CHARS = 32_768;
const BRIEF_CHARS = 200;
/** A value that is taken in at a glance. */
const SHORT_CHARS = 80;

/**
 * Everything that a call would do, for a person: what its tool acts on, then whatever else the model said. What a
 * schema filled in by itself is the same for every call and is left out.
 */
export function wholeCall(subject: string, { input: said }: Pick<ToolCall, 'input'>, input: unknown): string {
  const parts = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const others = parts.filter(([name, value]) => Object.hasOwn(said, name) && value !== subject);
  return [subject, ...others.map(([name, value]) => part(name, value))].filter((text) => text !== '').join('\n');
}

function part(name: string, value: unknown): string {
  const line = typeof value === 'string' ? value : JSON.stringify(value);
  const text = typeof value === 'string' || line.length <= SHORT_CHARS ? line : JSON.stringify(value, null, 2);
  return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
}

/** A call in one line, for titles and sentences. What it leaves out is counted: nobody takes it for the whole. */
export function briefCall(whole: string, most = BRIEF_CHARS): string {
  const [first = '', ...more] = visible(whole)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  const line = [...first].slice(0, most).join('');
  const chars = first.length - line.length;
  const left = [
    ...(chars > 0 ? [`${chars} more characters`] : []),
    ...(more.length > 0 ? [`${more.length} more ${more.length === 1 ? 'line' : 'lines'}`] : []),
  ];
  return left.length === 0 ? line : `${line}${chars > 0 ? '…' : ''} (and ${left.join(', ')})`;
}
