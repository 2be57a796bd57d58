import { expect, test } from 'vitest';
import type { Payload } from '../../src/webhooks/payload.ts';
import { withBench } from './bench.ts';
import { failed, heldOnce, made } from './items.ts';

/** What is sent of one event of an item whose words say too much. */
async function sentOf(words: string): Promise<Payload> {
  let sent: Payload | undefined;
  await withBench(async (bench) => {
    await bench.add();
    await made(bench.store, 'i1', { contract: { title: words.slice(0, 200), directory: '/home/ada/secret-project' } });
    await heldOnce(bench.store, 'i1', words);
    await bench.dispatcher().settle();
    sent = JSON.parse(bench.requests[0]?.body ?? '') as Payload;
  });
  if (!sent) throw new Error('nothing was sent');
  return sent;
}

test('no secret leaves the machine, and no path of it', async () => {
  const secret = 'ghp_0123456789abcdefghij0123456789abcdef';
  const { data } = await sentOf(`Push with ${secret} from /home/ada/secret-project/src/a.ts to /srv/other/deep/b.ts`);
  expect(JSON.stringify(data)).not.toMatch(/ghp_|\/home|\/srv|secret-project/);
  expect(data.hold?.details).toContain('src/a.ts');
  expect(data.hold?.details).toContain('b.ts');
});

test('a payload is small, whatever was said', async () => {
  const sent = await sentOf('word '.repeat(50_000));
  expect(JSON.stringify(sent).length).toBeLessThan(4_000);
  expect(sent.data.hold?.details.length).toBe(1_000);
});

test('what is told of a request is its question and its choices, not its details', () =>
  withBench(async (bench) => {
    await bench.add();
    await made(bench.store, 'i1');
    await failed(bench.store, 'i1', 'a long story of what went wrong');
    await bench.dispatcher().settle();
    const { type, data } = JSON.parse(bench.requests[0]?.body ?? '') as Payload;
    expect(type).toBe('item.failed');
    expect(data.requests).toEqual([
      { id: 'r1', kind: 'recovery', question: expect.stringContaining('a1'), choices: ['retry', 'close', 'stop'] },
    ]);
    expect(JSON.stringify(data)).not.toContain('long story');
  }));
