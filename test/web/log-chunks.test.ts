import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hitAfter, linesWith } from '../../web/src/item/log/find-lines.ts';
import {
  chunkAfter,
  chunkBefore,
  joined,
  type LogChunk,
  MOST_BYTES,
  MOST_LINE_CHARS,
} from '../../web/src/item/log/log-chunks.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads a log of some bytes from one end to the other, so many at a time. */
function readAll(all: Uint8Array, size: number, where: 'start' | 'end'): readonly string[] {
  let chunks: readonly LogChunk[] = [];
  let at = where === 'end' ? 0 : all.length;
  while (where === 'end' ? at < all.length : at > 0) {
    const from = where === 'end' ? at : Math.max(0, at - size);
    const part = all.subarray(from, where === 'end' ? at + size : at);
    const chunk = where === 'end' ? chunkAfter(part, from, all.length) : chunkBefore(part, from);
    chunks = joined(chunks, chunk, where);
    at = where === 'end' ? chunk.to : chunk.from;
  }
  return chunks.flatMap(({ lines }) => lines);
}

describe('a log that is read in parts', () => {
  it('has the same lines from whichever end, however large the parts, as long as a line fits into one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zä€😀 ]{0,12}$/u), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 60, max: 400 }),
        (lines, size) => {
          const all = bytes(lines.map((line) => `${line}\n`).join(''));
          expect(readAll(all, size, 'end')).toEqual(lines);
          expect(readAll(all, size, 'start')).toEqual(lines);
        },
      ),
    );
  });

  it('breaks a line that is longer than a part, and goes on', () => {
    const all = bytes(`${'x'.repeat(1_000)}\nend`);
    expect(readAll(all, 64, 'end').join('')).toBe(`${'x'.repeat(1_000)}end`);
    expect(readAll(all, 64, 'start').join('')).toBe(`${'x'.repeat(1_000)}end`);
  });

  it('shows no colours of terminals, and no line that nobody could read', () => {
    expect(chunkAfter(bytes('\u001b[32mok\u001b[0m\r\n'), 0, 12).lines).toEqual(['ok']);
    expect(chunkAfter(bytes('x'.repeat(9_000)), 0, 9_000).lines[0]).toHaveLength(MOST_LINE_CHARS + 1);
  });

  it('keeps a bounded part of it, next to where one reads', () => {
    const part = (n: number): LogChunk => ({ from: n * MOST_BYTES, to: (n + 1) * MOST_BYTES, lines: [`${n}`] });
    expect(joined([part(0)], part(1), 'end')).toEqual([part(1)]);
    expect(joined([part(1)], part(0), 'start')).toEqual([part(0)]);
  });

  it('finds lines whatever the case, and goes round about', () => {
    expect(linesWith(['One', 'two', 'ONE more'], 'one')).toEqual([0, 2]);
    expect(linesWith(['One'], ' ')).toEqual([]);
    expect([hitAfter([0, 2], 1, 1), hitAfter([0, 2], 0, -1), hitAfter([], 0, 1)]).toEqual([0, 1, -1]);
  });
});
