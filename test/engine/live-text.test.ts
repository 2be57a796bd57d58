import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveAnswer } from '../../src/engine/live/live-sources.ts';
import { type LivePiece, type LiveSource, openLiveText } from '../../src/engine/live/live-text.ts';

const RUN: LiveSource = { kind: 'output', runId: 'r1', actionId: 'a1' };
const CALL: LiveSource = { kind: 'text', runId: 'r1', callId: 'k1' };
const ignore = (): void => undefined;

const told = (pieces: readonly LivePiece[]) =>
  pieces.map((piece) => (piece.kind === 'end' ? 'end' : [piece.offset, piece.text]));

describe('live text', () => {
  it('comes to whoever reads the item, each source by itself, and wakes nobody else', () => {
    const live = openLiveText();
    let wakes = 0;
    let others = 0;
    const reader = live.subscribe('w1', () => (wakes += 1));
    const other = live.subscribe('w2', () => (others += 1));
    live.write('w1', RUN, 'one\n');
    live.write('w1', CALL, 'Hello');
    expect(reader.take()).toEqual([
      { kind: 'text', source: RUN, offset: 0, text: 'one\n' },
      { kind: 'text', source: CALL, offset: 0, text: 'Hello' },
    ]);
    live.write('w1', RUN, 'two\n');
    expect(told(reader.take())).toEqual([[4, 'two\n']]);
    expect(reader.take()).toEqual([]);
    expect([wakes, others, other.take()]).toEqual([3, 0, []]);
  });

  it('begins for a late reader with what is still there, and shows by its offset what a slow one missed', () => {
    const live = openLiveText({ tailChars: 10 });
    const slow = live.subscribe('w1', ignore);
    live.write('w1', RUN, '01234');
    expect(told(slow.take())).toEqual([[0, '01234']]);
    live.write('w1', RUN, '56789abcdefghijklmno');
    expect(told(slow.take())).toEqual([[15, 'fghijklmno']]);
    expect(told(live.subscribe('w1', ignore).take())).toEqual([[15, 'fghijklmno']]);
    expect(live.held).toBe(10);
  });

  it('ends once for each reader, after its last text, and is not there for those who come later', () => {
    const live = openLiveText();
    const reader = live.subscribe('w1', ignore);
    live.write('w1', CALL, 'all');
    live.end('w1', CALL);
    live.end('w1', CALL);
    expect(told(live.subscribe('w1', ignore).take())).toEqual([]);
    expect(told(reader.take())).toEqual([[0, 'all'], 'end']);
    expect(reader.take()).toEqual([]);
  });

  it('is told as ended to a reader who was too slow to see the rest of it', () => {
    const live = openLiveText({ ended: 1 });
    const slow = live.subscribe('w1', ignore);
    live.write('w1', RUN, 'some');
    expect(told(slow.take())).toEqual([[0, 'some']]);
    live.write('w1', RUN, ' more');
    live.end('w1', RUN);
    live.write('w1', CALL, 'x');
    live.end('w1', CALL);
    expect(told(slow.take())).toEqual([[0, 'x'], 'end', 'end']);
  });

  it('is kept of what is being written only, when nobody reads, and not at all when it has ended', () => {
    const live = openLiveText();
    live.write('w1', RUN, 'text');
    expect(live.held).toBe(4);
    live.end('w1', RUN);
    expect(live.held).toBe(0);
    const reader = live.subscribe('w1', ignore);
    live.write('w1', RUN, 'text');
    live.end('w1', RUN);
    expect(live.held).toBe(4);
    reader.close();
    expect(live.held).toBe(0);
  });

  it('stays within its bound, whatever is written and however it is read, and what was read stands where it says', () => {
    const step = fc.oneof(
      fc.record({ write: fc.string({ maxLength: 60 }) }),
      fc.record({ write: fc.string({ minLength: 3_000, maxLength: 4_000 }) }),
      fc.constant('take' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const live = openLiveText({ tailChars: 5_000 });
        const reader = live.subscribe('w1', ignore);
        let all = '';
        let read = 0;
        for (const what of [...steps, 'take' as const]) {
          if (what !== 'take') {
            all += what.write;
            live.write('w1', RUN, what.write);
            expect(live.held).toBe(Math.min(all.length, 5_000));
            continue;
          }
          for (const piece of reader.take()) {
            if (piece.kind === 'end') throw new Error('nothing has ended');
            expect(piece.offset).toBe(Math.max(read, all.length - 5_000));
            expect(piece.text).toBe(all.slice(piece.offset, piece.offset + piece.text.length));
            read = piece.offset + piece.text.length;
          }
        }
        expect(read).toBe(all.length);
      }),
    );
  });
});

describe('what a model says, live (D38)', () => {
  const shown = (deltas: readonly string[]): string => {
    const liveText = openLiveText();
    const reader = liveText.subscribe('w1', ignore);
    const call = { itemId: 'w1', callId: 'k1', fence: { kind: 'turn', turnId: 't1', epoch: 1, owner: 'o' } } as const;
    const writer = liveAnswer({ liveText }, call, ['hunter2-secret']);
    const seen: string[] = [];
    const look = () => seen.push(...reader.take().map((piece) => (piece.kind === 'text' ? piece.text : '<end>')));
    for (const delta of deltas) {
      writer?.write(delta);
      look();
    }
    writer?.end();
    look();
    return seen.join('');
  };

  it('holds no secret, wherever the pieces of it are cut', () => {
    const text = 'It is hunter2-secret.\nOr sk-abcdefghijklmnopqrstuv,\nand goes on';
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(shown([text.slice(0, cut), text.slice(cut)])).toBe('It is [redacted].\nOr [redacted],\nand goes on<end>');
    }
    expect(shown([...text])).toBe('It is [redacted].\nOr [redacted],\nand goes on<end>');
  });

  it('holds no line of a private key', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASC\n-----END PRIVATE KEY-----\n';
    expect(shown([...`Here:\n${key}Done.\n`])).not.toMatch(/MIIE|AQEF/);
    expect(shown([...`Here:\n${key}Done.\n`])).toMatch(/^Here:\n.*Done\.\n<end>$/s);
  });
});
