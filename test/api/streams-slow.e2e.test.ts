import { get, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, it } from 'vitest';
import type { LiveSource } from '../../src/engine/live/live-text.ts';
import { edit, frameReader, makeItem, openLiveApi } from './live-api.ts';

const EVENTS = 10_000;
const CHARS = 2_000;
const RUN: LiveSource = { kind: 'output', runId: 'r1', actionId: 'a1' };
const LINE = `${'y'.repeat(4_095)}\n`;

const ask = (port: number, path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get({ host: '127.0.0.1', port, path }, resolve).once('error', reject));

/** Reads until the last event is there. */
function readAll(response: IncomingMessage, last: string): Promise<readonly EventSourceMessage[]> {
  return new Promise((resolve, reject) => {
    const frames: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (frame) => frames.push(frame) });
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      parser.feed(text);
      if (frames.some(({ id }) => id === last)) resolve(frames);
    });
    response.once('end', () => reject(new Error('the stream ended')));
  });
}

it('a client that does not read holds one page, misses live text, and gets every event in order when it reads', async () => {
  const at = openLiveApi();
  await makeItem(at.store, 'i1');
  const [ready] = await frameReader(await at.ask('/feed')).take(1);
  const { port, sockets } = await at.listen();
  const response = await ask(port, '/api/v1/work-items/i1/stream');
  let queued = 0;
  let held = 0;
  for (let n = 1; n <= EVENTS; n += 1) {
    await edit(at.store, 'i1', n, CHARS);
    if (n % 5 === 0) at.liveText.write('i1', RUN, LINE);
    if (n % 50 > 0) continue;
    await turn();
    queued = Math.max(queued, ...sockets.map(({ writableLength }) => writableLength));
    held = Math.max(held, at.liveText.held);
  }
  const live = (EVENTS / 5) * LINE.length;
  const sent = Math.max(...sockets.map(({ bytesWritten }) => bytesWritten));
  // What the operating system's own buffers took has left us; all that happened would be more than that.
  expect(sent).toBeLessThan(EVENTS * CHARS);
  expect(queued).toBeGreaterThan(0);
  expect(queued).toBeLessThan(512 * 1024);
  expect(held).toBeLessThanOrEqual(64 * 1024);

  const last = String((await at.store.load('i1'))?.version);
  const frames = await readAll(response, last);
  const durable = frames.flatMap(({ event, id }) => (event === 'event' ? [Number(id)] : []));
  expect(durable).toEqual(Array.from({ length: Number(last) }, (_, index) => index + 1));
  const pieces = frames.filter(({ event }) => event === 'live').map(({ data }) => JSON.parse(data));
  let end = 0;
  for (const { offset, text } of pieces) {
    expect(offset).toBeGreaterThanOrEqual(end);
    end = offset + text.length;
  }
  expect(pieces.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(live);
  response.destroy();

  // Whoever was away for all of that reads the list again.
  await makeItem(at.store, 'i2');
  const [reset] = await frameReader(await at.ask('/feed', { 'last-event-id': ready?.id ?? '' })).take(1);
  expect(reset?.event).toBe('reset');
  expect(at.failures).toEqual([]);
  await at.close();
});
