import { expect, test } from 'vitest';
import type { Doom } from '../support/effects.ts';
import { crashAtAll, crashOnce } from './crash-effects.ts';

const BEYOND_ANY = 1_000_000;
const BLOCK = 20;

test('an engine that dies before or after any effect at all leaves an item that the next one finishes (REC-1)', async () => {
  const { effects, wrong } = await crashOnce({ at: BEYOND_ANY, phase: 'before' });
  expect(wrong).toEqual([]);
  expect(effects).toBeGreaterThan(200);
  // Lives differ a little in length: go on until a whole block of lives was not cut short.
  for (let first = 1; ; first += BLOCK) {
    const ats = Array.from({ length: BLOCK }, (_, index) => first + index);
    const dooms = ats.flatMap((at): Doom[] => [
      { at, phase: 'before' },
      { at, phase: 'after' },
    ]);
    const block = await crashAtAll(dooms);
    expect(block.wrong).toEqual([]);
    if (block.died === 0) {
      expect(first).toBeGreaterThan(effects * 0.8);
      return;
    }
  }
}, 7_200_000);
