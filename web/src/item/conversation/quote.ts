import type { Entry } from '../../../../src/client/index.ts';
import { MESSAGE_LIMITS } from '../../../../src/core/model/conversation.ts';

export type Quote = NonNullable<Entry['quote']>;

const CUT = '…';

/** What somebody said, as a quote that the server takes: with who said it, and as much of it as fits. */
export function quoteOf({ author, text }: Pick<Entry, 'author' | 'text'>): Quote {
  const encoder = new TextEncoder();
  const fits = (bytes: number): number => encoder.encodeInto(text, new Uint8Array(bytes)).read;
  const most = MESSAGE_LIMITS.quoteBytes;
  const isWhole = fits(most) === text.length;
  return { from: author, text: isWhole ? text : text.slice(0, fits(most - encoder.encode(CUT).length)) + CUT };
}
