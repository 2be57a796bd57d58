import { expect, test } from 'vitest';
import type { Timers } from '../../../src/workspace/process/timers.ts';
import { startWatchdog } from '../../../src/workspace/process/watchdog.ts';
import { manualTimers } from './manual-timers.ts';

function watch(timers: Timers, limits: { timeoutMs?: number; silenceMs?: number }) {
  const expired: string[] = [];
  const watchdog = startWatchdog({ ...limits, timers, onExpired: (cause) => expired.push(cause) });
  return { watchdog, expired };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('the first limit that runs out is named, once, and no timer is left', async () => {
  const timers = manualTimers();
  const { expired } = watch(timers, { timeoutMs: 10, silenceMs: 5 });
  timers.fire(5);
  timers.fire(10);
  await turns();
  expect(expired).toEqual(['silent']);
  expect(timers.pendingDelaysMs()).toEqual([]);
});

test('output that waited while the engine was frozen counts before the silence does', async () => {
  const timers = manualTimers();
  const { watchdog, expired } = watch(timers, { silenceMs: 5 });
  timers.fire(5);
  watchdog.heard();
  watchdog.listen();
  await turns();
  expect(expired).toEqual([]);
  expect(timers.pendingDelaysMs()).toEqual([5]);
  watchdog.stop();
});

test('an end that waited while the engine was frozen counts before the time-out does', async () => {
  const timers = manualTimers();
  const { watchdog, expired } = watch(timers, { timeoutMs: 10 });
  timers.fire(10);
  watchdog.stop();
  await turns();
  expect(expired).toEqual([]);
});

test('time in which output is held back is not silence', () => {
  const timers = manualTimers();
  const { watchdog } = watch(timers, { silenceMs: 5 });
  watchdog.heard();
  expect(timers.pendingDelaysMs()).toEqual([]);
  watchdog.listen();
  expect(timers.pendingDelaysMs()).toEqual([5]);
  watchdog.stop();
  watchdog.listen();
  expect(timers.pendingDelaysMs()).toEqual([]);
});
