import { describe, expect, it } from 'vitest';
import { isUndecided, mayGoLater, openDelivery, pauseMs, unsaid } from '../../web/src/item/conversation/delivery.ts';

describe('messages on their way', () => {
  it('go one after the other, and none overtakes one that nobody has answered', async () => {
    const waiting = ['first', 'second', 'third'];
    const tried: string[] = [];
    const pauses: number[] = [];
    let lost = 2;
    const carry = openDelivery<string>({
      next: () => waiting[0],
      deliver: async (message) => {
        tried.push(message);
        if (message === 'second' && lost-- > 0) return false;
        waiting.shift();
        return true;
      },
      pause: async (failures) => void pauses.push(failures),
    });
    await Promise.all([carry('w1'), carry('w1')]);
    expect(tried).toEqual(['first', 'second', 'second', 'second', 'third']);
    expect(pauses).toEqual([1, 2]);
    waiting.push('fourth');
    await carry('w1');
    expect(tried.at(-1)).toBe('fourth');
  });

  it('are tried again after ever longer, and at least twice a minute', () => {
    expect([1, 2, 3, 9].map(pauseMs)).toEqual([1_000, 2_000, 4_000, 30_000]);
  });

  it('are told apart by their answers: none yet, one that may change, one that stays', () => {
    const told = (status: number, code = 'x') => [isUndecided({ code, status }), mayGoLater({ code, status })];
    expect(told(0, 'connection_lost')[0]).toBe(true);
    expect(told(503, 'store_busy')[0]).toBe(true);
    expect(told(409, 'wrong_state')).toEqual([false, true]);
    expect(told(500, 'store_full')).toEqual([false, true]);
    expect(told(409, 'generation_stale')).toEqual([false, false]);
    expect(told(422, 'invalid_field')).toEqual([false, false]);
    expect(told(404, 'item_not_found')).toEqual([false, false]);
  });

  it('are hidden once each as soon as they are read back, and never when they were refused', () => {
    const said = (seq: number, text: string, author: 'person' | 'coordinator' = 'person') => ({ seq, text, author });
    const okay = { text: 'Okay', seen: 3 };
    expect(unsaid([okay], [said(3, 'Okay'), said(4, 'Okay', 'coordinator')])).toEqual([okay]);
    expect(unsaid([okay], [said(3, 'Okay'), said(5, 'Okay')])).toEqual([]);
    const second = { text: 'Okay', seen: 3, id: 2 };
    expect(unsaid([okay, second], [said(5, 'Okay')])).toEqual([second]);
    const refused = { ...okay, problem: 'It is over.' };
    expect(unsaid([refused], [said(5, 'Okay')])).toEqual([refused]);
    expect(unsaid([{ text: 'Okay' }], [said(5, 'Okay')])).toHaveLength(1);
  });
});
