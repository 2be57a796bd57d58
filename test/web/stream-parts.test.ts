import { describe, expect, it } from 'vitest';
import type { ActionLine, Entry, Span } from '../../src/client/index.ts';
import { refusedClaims, streamParts } from '../../web/src/item/conversation/stream-parts.ts';

const said = (seq: number, at: number): Entry => ({
  ...{ seq, id: `m${seq}`, at, author: 'person', target: { kind: 'coordinator', id: null }, text: 'x' },
  ...{ quote: null, attachments: [], delivery: 'delivered', detail: null },
});

const action = (id: string, kind: ActionLine['executor']['kind'] = 'agent') =>
  ({ id, executor: { kind, who: 'ada', model: null } }) as ActionLine;

const ran = (actionId: string | null, startedAt: number): Pick<Span, 'actionId' | 'startedAt'> => ({
  actionId,
  startedAt,
});

const told = (...args: Parameters<typeof streamParts>): readonly string[] =>
  streamParts(...args).map((part) => (part.kind === 'entry' ? part.entry.id : part.action.id));

describe('the conversation', () => {
  it('holds an Action where its first Run began, and at the end while nobody has begun it', () => {
    const spans = [ran('a1', 30), ran('a1', 15), ran(null, 1)];
    expect(told([said(1, 10), said(2, 20)], [action('a1'), action('a2')], spans, true)).toEqual([
      'm1',
      'a1',
      'm2',
      'a2',
    ]);
  });

  it('has words before the work that they led to, when both happened at once', () => {
    expect(told([said(1, 10)], [action('a1')], [ran('a1', 10)], true)).toEqual(['m1', 'a1']);
  });

  it("leaves out the engine's own checks, and what began before the oldest words in sight", () => {
    const spans = [ran('a1', 5), ran('v1', 12)];
    expect(told([said(4, 10)], [action('a1'), action('v1', 'verify')], spans, false)).toEqual(['m4']);
    expect(told([said(4, 10)], [action('a1'), action('v1', 'verify')], spans, true)).toEqual(['a1', 'm4']);
  });

  it('counts for each Action the claims that the check of the engine refused', () => {
    const failed = (actionId: string | null, code: string | null) => ({ actionId, code });
    const spans = [failed('a1', 'claim_refused'), failed('a1', null), failed('a1', 'crashed'), failed(null, null)];
    expect([refusedClaims(spans, 'a1'), refusedClaims(spans, 'a2')]).toEqual([1, 0]);
  });
});
