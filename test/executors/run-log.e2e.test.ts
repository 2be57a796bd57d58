import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRunLog } from '../../src/executors/run-log.ts';
import { matchOutput } from '../../src/executors/verify/match-output.ts';
import { place } from '../workspace/fixture.ts';
import { recorder } from './support.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('the log of a process', () => {
  it('puts characters together that arrive in pieces, on each stream by itself', async () => {
    const io = recorder();
    const log = await openRunLog({ path: join(await place(), 'log'), secrets: [], io });
    const [first, second] = [bytes('ü').subarray(0, 1), bytes('ü').subarray(1)];
    await log.take({ stream: 'stdout', bytes: first });
    await log.take({ stream: 'stderr', bytes: bytes('err\n') });
    await log.take({ stream: 'stdout', bytes: second });
    const { hash, tail } = await log.store();
    expect(io.contents.get(hash)).toBe('err\nü');
    expect(tail).toBe('err\nü');
  });

  it('keeps the beginning and the end of too much, and names what is missing between', async () => {
    const io = recorder();
    const log = await openRunLog({ path: join(await place(), 'log'), secrets: [], io, maxBytes: 100 });
    const lines = Array.from({ length: 40_000 }, (_, index) => `zeile ${index} ü\n`);
    for (const line of lines) await log.take({ stream: 'stdout', bytes: bytes(line) });
    const { hash, bytes: size } = await log.store();
    const kept = io.contents.get(hash) ?? '';
    const whole = lines.join('');
    const [head = '', tail = ''] = kept.split(/\n\[… \d+ bytes are not kept …\]\n/);
    expect(whole.startsWith(head) && head.length > 50).toBe(true);
    expect(whole.endsWith(tail) && tail.length > 60_000).toBe(true);
    const missing = Number(/\[… (\d+) bytes/.exec(kept)?.[1]);
    expect(Buffer.byteLength(head) + missing + Buffer.byteLength(tail)).toBe(Buffer.byteLength(whole));
    expect(size).toBe(Buffer.byteLength(kept));
  });

  it('repeats nothing when only a little is too much', async () => {
    const io = recorder();
    const log = await openRunLog({ path: join(await place(), 'log'), secrets: [], io, maxBytes: 8 });
    for (const line of ['üüü\n', 'äää\n', 'ööö\n']) await log.take({ stream: 'stdout', bytes: bytes(line) });
    expect(io.contents.get((await log.store()).hash)).toBe('üüü\näää\nööö\n');
  });
});

describe('the output that a check expects', () => {
  it.each([
    ['^ok$', 'x\r\nok\r\ny', 'matched'],
    ['^ok$', 'not ok', 'not_matched'],
    ['(', 'ok', 'invalid'],
    ['^(a+)+$', `${'a'.repeat(60)}b`, 'too_slow'],
  ])('is looked for with %s in %j: %s', async (pattern, text, expected) => {
    const path = join(await place(), 'log');
    await writeFile(path, text);
    // Patience enough for a thread to start, except where it is known to run out.
    const patienceMs = expected === 'too_slow' ? 300 : 30_000;
    expect(await matchOutput(path, pattern, patienceMs)).toBe(expected);
  });
});
