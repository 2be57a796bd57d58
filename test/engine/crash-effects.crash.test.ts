import { expect, test } from 'vitest';
import type { Doom } from '../support/effects.ts';
import { crashAtAll } from './crash-effects.ts';

const before = (at: number): Doom => ({ at, phase: 'before' });
const after = (at: number): Doom => ({ at, phase: 'after' });

/**
 * Moments spread over the whole life of an item: preparing, running, capturing, checking, merging, verifying,
 * publishing, landing; and lives of which the second was cut short as well. The soak test dies at every single one.
 */
const SAMPLE: readonly (readonly Doom[])[] = [
  [after(8)],
  [before(150)],
  [after(231)],
  [before(320)],
  [after(375)],
  [before(410)],
  [after(225), before(70)],
  [before(240), after(110)],
];

test('an engine that dies at an effect leaves nothing broken, and the next one finishes without repeating a completed command (REC-1)', async () => {
  const { died, wrong } = await crashAtAll(SAMPLE);
  expect(wrong).toEqual([]);
  // Engines that met fewer effects than expected would prove nothing.
  expect(died).toBeGreaterThanOrEqual(SAMPLE.length);
}, 180_000);
