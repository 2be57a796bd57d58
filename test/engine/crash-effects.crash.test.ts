import { expect, test } from 'vitest';
import type { Doom } from '../support/effects.ts';
import { crashAtAll } from './crash-effects.ts';

/**
 * Moments spread over the whole life of an item: preparing, running, capturing, checking, merging, verifying,
 * publishing, landing. The soak test dies at every single one.
 */
const SAMPLE: readonly Doom[] = [
  { at: 8, phase: 'after' },
  { at: 150, phase: 'before' },
  { at: 215, phase: 'after' },
  { at: 262, phase: 'before' },
  { at: 320, phase: 'after' },
  { at: 375, phase: 'before' },
  { at: 395, phase: 'after' },
  { at: 412, phase: 'before' },
];

test('an engine that dies at an effect leaves nothing broken, and the next one finishes without repeating a completed command (REC-1)', async () => {
  const { died, wrong } = await crashAtAll(SAMPLE);
  expect(wrong).toEqual([]);
  // An engine that met fewer effects than expected would prove nothing.
  expect(died).toBeGreaterThanOrEqual(SAMPLE.length - 1);
}, 180_000);
