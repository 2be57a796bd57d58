import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveOutput } from '../../src/store/live-output.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wc-live-'));
});
afterEach(() => rm(directory, { recursive: true }));

const small = () => liveOutput({ directory: join(directory, 'live'), headBytes: 10, segmentBytes: 5 });
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

test('a follower that goes on at its offset sees every byte once', async () => {
  const live = small();
  const writer = await live.writer('r1');
  await writer.write('hello ');
  const first = await live.read('r1', 0);
  await writer.write('you');
  const second = await live.read('r1', first.next);
  await writer.close();
  expect([text(first.bytes), text(second.bytes)]).toEqual(['hello ', 'you']);
  expect(await live.read('r1', second.next)).toEqual({ bytes: new Uint8Array(0), omitted: 0, next: 9 });
});

test('a long stream keeps its head and its tail and says how much is gone', async () => {
  const live = small();
  const writer = await live.writer('r1');
  await writer.write('0123456789abcdefghijklmnopqrstuvwx');
  await writer.close();
  expect(await live.text('r1')).toBe('0123456789\n[… 15 bytes left out …]\npqrstuvwx');
  const part = await live.read('r1', 10);
  expect([text(part.bytes), part.omitted, part.next]).toEqual(['pqrst', 15, 30]);
});

test('a second writer continues behind the first one', async () => {
  const live = small();
  const one = await live.writer('r1');
  await one.write('0123456789ab');
  await one.close();
  const two = await live.writer('r1');
  await two.write('cdef');
  await two.close();
  expect(await live.text('r1')).toBe('0123456789abcdef');
});

test('chunks that are written without waiting keep their order', async () => {
  const live = liveOutput({ directory: join(directory, 'live') });
  const writer = await live.writer('r1');
  await Promise.all(['a', 'b', 'c', 'd'].map((chunk) => writer.write(chunk)));
  await writer.close();
  expect(await live.text('r1')).toBe('abcd');
});

test('a Run that printed nothing reads as empty, and a name that is a path is refused', async () => {
  const live = small();
  expect((await live.read('r1', 0)).bytes.byteLength).toBe(0);
  expect(() => live.read('../x', 0)).toThrow(RangeError);
});

test('gc removes old Runs whole and keeps the ones it is told to', async () => {
  const live = small();
  for (const id of ['old', 'kept', 'young']) {
    const writer = await live.writer(id);
    await writer.write('0123456789abc');
    await writer.close();
  }
  for (const id of ['old', 'kept']) {
    for (const name of [`${id}.log`, `${id}.10.seg`]) await utimes(join(directory, 'live', name), 1, 1);
  }
  expect(await live.gc({ olderThan: 2_000, keep: new Set(['kept']) })).toBe(1);
  expect(await live.text('old')).toBe('');
  expect(await live.text('kept')).toBe('0123456789abc');
  expect(await live.text('young')).toBe('0123456789abc');
});
