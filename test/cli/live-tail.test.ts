import { expect, it } from 'vitest';
import { openLiveTail } from '../../src/cli/server/live-tail.ts';
import type { FollowOptions, LiveFrame, WorkCenterClient } from '../../src/client/index.ts';

type Follow = (id: string, options?: FollowOptions) => AsyncGenerator<never, void, undefined>;

const text = (kind: 'text' | 'output', words: string): LiveFrame => ({
  event: 'live',
  data: { kind, runId: 'r1', offset: 0, text: words, ...(kind === 'text' ? { callId: 'c1' } : {}) },
});

/** A client whose stream says these frames and then nothing until it is told to stop. */
function saying(...frames: readonly LiveFrame[]): WorkCenterClient {
  const followItem: Follow = async function* (_id, { live, signal } = {}) {
    for (const frame of frames) live?.(frame);
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    yield* [];
  };
  return { followItem } as WorkCenterClient;
}

it('tells what a Run is writing, and what it prints only where its log is out of reach', async () => {
  const client = saying(text('text', 'I look '), text('text', 'at it.'), text('output', '3 passed\n'));
  for (const [withOutput, expected] of [
    [false, 'I look at it.'],
    [true, 'I look at it.\n3 passed\n'],
  ] as const) {
    const tail = openLiveTail(client, 'k3v9', { after: 0, withOutput });
    expect([tail.textOf('r1'), tail.textOf('r2')]).toEqual([expected, '']);
    await tail.close();
  }
});

it('forgets text that is over, and keeps no more of it than a screen shows', async () => {
  const end: LiveFrame = { event: 'live-end', data: { kind: 'text', runId: 'r1', callId: 'c1' } };
  const over = openLiveTail(saying(text('text', 'I look'), end), 'k3v9', { after: 0, withOutput: true });
  expect(over.textOf('r1')).toBe('');
  const long = openLiveTail(saying(text('text', `${'x'.repeat(9_000)}end`)), 'k3v9', { after: 0, withOutput: true });
  expect(long.textOf('r1')).toHaveLength(4_096);
  expect(long.textOf('r1')).toMatch(/end$/);
  await Promise.all([over.close(), long.close()]);
});

it('is of no consequence where the stream cannot be had', async () => {
  const followItem: Follow = async function* () {
    yield* [];
    throw new Error('no stream');
  };
  const tail = openLiveTail({ followItem } as WorkCenterClient, 'k3v9', { after: 0, withOutput: true });
  expect(tail.textOf('r1')).toBe('');
  await tail.close();
});
