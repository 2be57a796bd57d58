import { describe, expect, it } from 'vitest';
import type { LiveText } from '../../src/client/index.ts';
import { MOST_CHARS, MOST_TEXTS, NOTHING_WRITTEN, without, withPiece } from '../../web/src/item/live/live-texts.ts';

const piece = (text: string, offset: number, callId = 'c1'): LiveText => ({
  kind: 'text',
  runId: 'r1',
  callId,
  offset,
  text,
});

describe('text that is being written', () => {
  it('joins pieces, and takes none twice after a connection was lost', () => {
    const first = withPiece(NOTHING_WRITTEN, piece('Hello ', 0));
    const second = withPiece(first, piece('Hello world', 0));
    expect(second.get('c1')).toMatchObject({ text: 'Hello world', end: 11, isCut: false, runId: 'r1' });
    expect(withPiece(second, piece('Hello', 0)).get('c1')?.text).toBe('Hello world');
  });

  it('marks a hole, and a beginning that was not seen', () => {
    const late = withPiece(NOTHING_WRITTEN, piece('end', 100));
    expect(late.get('c1')).toMatchObject({ text: 'end', isCut: true });
    expect(withPiece(late, piece('more', 200)).get('c1')?.text).toBe('end\n[…]\nmore');
  });

  it('holds a bounded part of a text, and a bounded number of them', () => {
    const long = withPiece(NOTHING_WRITTEN, piece('x'.repeat(MOST_CHARS + 10), 0));
    expect(long.get('c1')).toMatchObject({ isCut: true, end: MOST_CHARS + 10 });
    expect(long.get('c1')?.text).toHaveLength(MOST_CHARS);
    let many = NOTHING_WRITTEN;
    for (let n = 0; n <= MOST_TEXTS; n += 1) many = withPiece(many, piece('x', 0, `c${n}`));
    expect(many.size).toBe(MOST_TEXTS);
    expect(many.has('c0')).toBe(false);
  });

  it('forgets a text that is over, and is the same where there was none', () => {
    const some = withPiece(NOTHING_WRITTEN, piece('x', 0));
    expect(without(some, 'c1').size).toBe(0);
    expect(without(some, 'c2')).toBe(some);
  });
});
