import { expect, test } from 'vitest';
import { seedOr } from '../model/draw.ts';
import { newTally, sayTally } from '../model/tally.ts';
import { withOracle } from '../model/twins.ts';
import { walk } from '../model/walk.ts';

/** Elsewhere than the walks that compare stores. */
const FIRST_SEED = 1_001;
const WALKS = 10;
const STEPS = 1_500;
/** Walks added while something was never tried. */
const MORE_WALKS = 60;

test('whatever comes in whatever order: no rule breaks, every sum is right, every item can be brought to its end, and everything that can happen did (1-8)', async () => {
  const tally = newTally();
  const first = seedOr(FIRST_SEED);
  for (let at = 0; at < WALKS || (tally.missing().length > 0 && at < WALKS + MORE_WALKS); at += 1) {
    await walk(first + at, STEPS, tally, withOracle);
  }
  if (process.env.WC_VERBOSE) console.log(sayTally(tally));
  expect(tally.missing()).toEqual([]);
}, 600_000);
