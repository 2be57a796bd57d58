import { describe, expect, it } from 'vitest';
import type { ActionLine, Entry, Span } from '../../src/client/index.ts';
import { storyOf } from '../../web/src/item/conversation/contract-story.ts';
import { decisionsOf } from '../../web/src/item/conversation/decisions.ts';
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
  streamParts(...args).map((part) => {
    if (part.kind === 'entry') return part.entry.id;
    if (part.kind === 'decision') return `decision ${part.decision.request.id} ${part.entry?.id ?? 'wordless'}`;
    return part.kind === 'action' ? part.action.id : `change ${part.change.seq}`;
  });

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

  it('tells an answer once, with what was asked and the words that came with it; what was withdrawn is no answer', () => {
    const event = (seq: number, type: string, more: object) => ({ seq, at: seq, body: { type, ...more } });
    const opened = (seq: number, id: string) =>
      event(seq, 'RequestOpened', { request: { id, kind: 'approval', question: `${id}?`, subject: { kind: 'idle' } } });
    const decisions = decisionsOf([
      ...[opened(1, 'r1'), opened(2, 'r2'), opened(3, 'r3')],
      event(4, 'RequestAnswered', { requestId: 'r1', choice: 'approve', text: '' }),
      event(5, 'RequestWithdrawn', { requestId: 'r3', reason: 'moved on' }),
      event(6, 'RequestAnswered', { requestId: 'r2', choice: 'text', text: 'No.' }),
    ]);
    expect(decisions.map(({ request, choice, text }) => [request.question, choice, text])).toEqual([
      ['r1?', 'approve', ''],
      ['r3?', null, ''],
      ['r2?', 'text', 'No.'],
    ]);
    const words: Entry = { ...said(6, 6), id: 'r2', target: { kind: 'request', id: 'r2' } };
    expect(told([said(1, 3), words, said(9, 9)], [], [], true, [], decisions)).toEqual([
      'm1',
      'decision r1 wordless',
      'decision r2 r2',
      'm9',
    ]);
  });

  it("leaves out the engine's own checks, and what began before the oldest words in sight", () => {
    const spans = [ran('a1', 5), ran('v1', 12)];
    expect(told([said(4, 10)], [action('a1'), action('v1', 'verify')], spans, false)).toEqual(['m4']);
    expect(told([said(4, 10)], [action('a1'), action('v1', 'verify')], spans, true)).toEqual(['a1', 'm4']);
  });

  it('begins with the goal as it was when the work began, and has changes of the contract where they were made', () => {
    const event = (seq: number, type: string, body = {}) => ({ seq, at: seq * 10, body: { type, ...body } });
    const edited = (seq: number, goal: string, ...changed: string[]) =>
      event(seq, 'ContractEdited', { contract: { goal }, changed });
    const created = event(1, 'ItemCreated', { contract: { goal: 'Grow a tree' } });
    const whole = storyOf([
      ...[created, edited(2, 'Grow an oak', 'goal'), event(3, 'ItemStarted'), edited(4, 'Grow an oak', 'criterion:c1')],
      ...[edited(6, 'Grow a wood', 'goal', 'title'), event(7, 'DeliveryChanged', { delivery: { target: 'response' } })],
    ]);
    expect(whole).toMatchObject({ goal: 'Grow an oak', at: 20 });
    expect(whole.changes).toEqual([
      { seq: 4, at: 40, changed: ['criterion:c1'] },
      { seq: 6, at: 60, changed: ['goal', 'title'], goal: 'Grow a wood' },
      { seq: 7, at: 70, changed: ['delivery'] },
    ]);
    expect(told([said(5, 50)], [], [], true, whole.changes)).toEqual(['change 4', 'm5', 'change 6', 'change 7']);
    expect(told([said(5, 50)], [], [], false, whole.changes)).toEqual(['m5', 'change 6', 'change 7']);
    const draft = storyOf([created, edited(2, 'Grow an oak', 'goal')]);
    expect(draft).toEqual({ goal: 'Grow an oak', at: 20, changes: [] });
  });

  it('counts for each Action the claims that the check of the engine refused', () => {
    const failed = (actionId: string | null, code: string | null) => ({ actionId, code });
    const spans = [failed('a1', 'claim_refused'), failed('a1', null), failed('a1', 'crashed'), failed(null, null)];
    expect([refusedClaims(spans, 'a1'), refusedClaims(spans, 'a2')]).toEqual([1, 0]);
  });
});
