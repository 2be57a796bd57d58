import { expect, test } from 'vitest';
import { dieAtAll } from '../support/agent-moments.ts';
import type { Moment } from '../support/moments.ts';

const justBefore = (what: string, nth = 1): Moment => ({ phase: 'before', what, nth });
const justAfter = (what: string, nth = 1): Moment => ({ phase: 'after', what, nth });

/** Requests 1 and 5 are those of the Coordinator, 2 to 4 those of the agent; the soak test dies at every moment. */
const SAMPLE: readonly (readonly Moment[])[] = [
  [justAfter('DispatchCall'), justBefore('FailTurn')],
  [justBefore('model request', 3)],
  [justAfter('UseGrant', 2)],
  [justBefore('Settle')],
];

test('an engine that dies at a moment of a turn, of a request or of a tool call repeats nothing that may have happened, and the goal is reached (rule 5, D11)', async () => {
  const { died, wrong } = await dieAtAll(SAMPLE);
  expect(wrong).toEqual([]);
  expect(died).toBe(SAMPLE.flat().length);
}, 300_000);
