import { expect, it } from 'vitest';
import { quoteOf } from '../../web/src/item/conversation/quote.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

it('rule 4.9-24: a quote names who said it and holds the words, cut between characters where the server takes no more', () => {
  expect(quoteOf({ author: 'coordinator', text: 'It is on its way.' })).toEqual({
    ...{ from: 'coordinator', text: 'It is on its way.' },
  });
  const whole = 'ä'.repeat(4_096);
  expect(quoteOf({ author: 'person', text: whole })).toEqual({ from: 'person', text: whole });
  for (const text of [`${whole}!`, '🚀'.repeat(3_000), `a${'🚀'.repeat(3_000)}`, '深'.repeat(8_000)]) {
    const quote = quoteOf({ author: 'person', text });
    expect(bytes(quote.text)).toBeLessThanOrEqual(8_192);
    expect(bytes(quote.text)).toBeGreaterThan(8_192 - 7);
    expect(quote.text.endsWith('…')).toBe(true);
    expect(text.startsWith(quote.text.slice(0, -1))).toBe(true);
    expect(Buffer.from(quote.text).toString()).toBe(quote.text);
  }
});
