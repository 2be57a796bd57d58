import { expect, test } from 'vitest';
import { seedOr } from './draw.ts';
import { newTally, sayTally } from './tally.ts';
import { walk } from './walk.ts';

/** Fixed, so that the default run is the same everywhere; the soak walks elsewhere. */
const FIRST_SEED = 1;
const WALKS = 8;
const STEPS = 2_500;
/** Walks added while a kind of command was never accepted or never refused, or a kind of event never written. */
const MORE_WALKS = 4;

const KINDS = /^(\w+ (accepted|refused)|event \w+)$/;

test('20,000 random commands of every kind: SQLite answers as the oracle does, no invariant breaks, every item can end (1-3, 6-9)', async () => {
  const tally = newTally();
  const first = seedOr(FIRST_SEED);
  const missing = (): readonly string[] => tally.missing().filter((name) => KINDS.test(name));
  for (let at = 0; at < WALKS || (missing().length > 0 && at < WALKS + MORE_WALKS); at += 1) {
    await walk(first + at, STEPS, tally);
  }
  if (process.env.WC_VERBOSE) console.log(sayTally(tally));
  expect(missing()).toEqual([]);
}, 600_000);
