import { describe, expect, it, vi } from 'vitest';
import { activeTime } from '../../src/executors/agent/active-time.ts';
import { PATIENCE } from '../../src/executors/agent/loop/no-progress.ts';
import { calls, play, submitted, tool, userTexts } from './agent-support.ts';

const same = tool('same', 'reads', () => ({ text: 'unchanged' }));
const STOPPED = { outcome: { kind: 'failed', code: 'no_progress' } };

describe('an agent that goes round in circles', () => {
  it('is told at the third call that is the same with the same answer, and stopped at the sixth (E7)', async () => {
    const { requests, end } = await play({ tools: [same], says: [calls(['same', { path: 'a' }])] });
    expect(requests).toHaveLength(PATIENCE.stopAtSame);
    expect(userTexts(requests[PATIENCE.remindAtSame] ?? { messages: [] }).at(-1)).toContain('3 times');
    expect(end).toMatchObject(STOPPED);
    expect(JSON.stringify(end)).toContain('6 times with the same arguments');
  });

  it('is stopped for a refused call just as for one that works', async () => {
    const { end } = await play({ says: [calls(['nothing', {}])] });
    expect(end).toMatchObject(STOPPED);
  });

  it('is stopped for the same shell line with the same output: it changes nothing either', async () => {
    const shell = tool('shell', 'writes', () => ({ text: '1 failed' }));
    const { end, requests } = await play({ tools: [shell], says: [calls(['shell', { command: 'npm test' }])] });
    expect(requests).toHaveLength(PATIENCE.stopAtSame);
    expect(end).toMatchObject(STOPPED);
  });

  it('is stopped for writing one file the same again and again', async () => {
    const write = tool('write', 'writes', () => ({ text: 'Wrote a.', wrote: ['a'] }));
    const { end } = await play({ tools: [write], says: [calls(['write', { path: 'a', content: 'x' }])] });
    expect(end).toMatchObject(STOPPED);
  });

  it('is stopped for two calls in turn as well', async () => {
    const shell = tool('shell', 'writes', ({ command }) => ({ text: `did ${command}` }));
    const { end } = await play({
      tools: [shell],
      says: Array.from({ length: 40 }, (_, n) => calls(['shell', { command: n % 2 ? 'a' : 'b' }])),
    });
    expect(end).toMatchObject(STOPPED);
  });

  it('goes on while each try differs: an edit between two equal test results is progress', async () => {
    const test = tool('test', 'reads', () => ({ text: '1 failed' }));
    const edit = tool('edit', 'writes', () => ({ text: 'edited', wrote: ['a'] }));
    const says = Array.from({ length: 20 }, (_, n) => (n % 2 ? calls(['test', {}]) : calls(['edit', { n }])));
    const { end } = await play({ tools: [test, edit], says: [...says, submitted()] });
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('goes on while answers change: waiting for something to happen is not a circle', async () => {
    let n = 0;
    const poll = tool('poll', 'reads', () => {
      n += 1;
      return { text: `${n} %` };
    });
    const says = Array.from({ length: 30 }, () => calls(['poll', {}]));
    const { end } = await play({ tools: [poll], says: [...says, submitted()] });
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('is told after 40 calls that bring nothing new, though none is repeated, and stopped after 80', async () => {
    const { requests, end } = await play({ tools: [same], says: [(n) => calls(['same', { path: `p${n}` }])] });
    expect(requests).toHaveLength(PATIENCE.stopAtStale + 1);
    expect(userTexts(requests[PATIENCE.remindAtStale + 1] ?? { messages: [] }).at(-1)).toContain('nothing new');
    expect(end).toMatchObject(STOPPED);
  });
});

describe('the time limit of a Run', () => {
  it('counts working time: it stands still while a person is waited for (D16)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let nowMs = 0;
    const pass = (ms: number): void => {
      nowMs += ms;
      vi.advanceTimersByTime(ms);
    };
    try {
      const time = activeTime(1_000, () => nowMs);
      pass(600);
      let answer: (words: string) => void = () => undefined;
      const waiting = time.without(() => new Promise<string>((resolve) => (answer = resolve)));
      pass(3_600_000);
      expect(time.signal.aborted).toBe(false);
      expect(time.usedMs()).toBe(600);
      answer('yes');
      expect(await waiting).toBe('yes');
      pass(399);
      expect(time.signal.aborted).toBe(false);
      pass(1);
      expect(time.signal.aborted).toBe(true);
      time.stop();
      expect(time.usedMs()).toBe(1_000);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes on when the waiting failed, and a limit beyond what a timer can hold is no limit at once', async () => {
    const time = activeTime(30 * 86_400_000, () => 0);
    await expect(time.without(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(time.signal.aborted).toBe(false);
    time.stop();
  });
});
