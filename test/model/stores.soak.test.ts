import { expect, test } from 'vitest';
import { seedOr } from './draw.ts';
import { newTally, sayTally } from './tally.ts';
import { walk } from './walk.ts';

const WALKS = 40;
const STEPS = 5_000;

test('200,000 random commands, elsewhere each time: SQLite answers as the oracle does, no invariant breaks, every item can end', async () => {
  const tally = newTally();
  const first = seedOr(Date.now() % 1_000_000_000);
  for (let at = 0; at < WALKS; at += 1) await walk(first + at * 1_000, STEPS, tally);
  console.log(`first seed ${first}\n${sayTally(tally)}`);
  expect(tally.missing()).toEqual([]);
}, 3_600_000);
