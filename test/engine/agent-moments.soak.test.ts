import { expect, test } from 'vitest';
import { dieAndFinish, dieAtAll } from '../support/agent-moments.ts';
import type { Moment } from '../support/moments.ts';

/** Folders come and go in `crash-effects.soak.test.ts`; here are commits, requests, processes and moves of files. */
const SKIPPED: ReadonlySet<string> = new Set(['mkdir', 'rm', 'writeFile', 'unlink']);
/** Lives differ a little in length: what came last in one need not come in the next. */
const SHARE_THAT_DIES = 0.9;

const momentsOf = (seen: readonly (readonly [string, number])[]): readonly Moment[] =>
  seen
    .filter(([what]) => !SKIPPED.has(what))
    .flatMap(([what, times]) => Array.from({ length: times }, (_, index) => ({ what, nth: index + 1 })))
    .flatMap(({ what, nth }): Moment[] => [
      { phase: 'before', what, nth },
      { phase: 'after', what, nth },
    ]);

test('an engine that dies before or after any commit, request, move or process of a goal repeats nothing that may have happened, and the goal is reached (rule 5, D11)', async () => {
  const { lives, wrong } = await dieAndFinish([undefined]);
  expect(wrong).toEqual([]);
  const moments = momentsOf(lives[0]?.seen ?? []);
  expect(moments.length).toBeGreaterThan(100);
  const all = await dieAtAll(moments.map((moment) => [moment]));
  console.log(`${moments.length} moments, ${all.died} deaths, ${all.wrong.length} lines of what went wrong`);
  expect(all.wrong).toEqual([]);
  expect(all.died).toBeGreaterThan(moments.length * SHARE_THAT_DIES);
}, 7_200_000);

test('and so do two deaths in a row, the second one of whoever took over', async () => {
  const first = ['PrepareCall', 'DispatchCall', 'SettleCall', 'BeginOperation', 'Dispatch', 'OpenTurn'];
  const second = ['AdoptTurn', 'FailTurn', 'MarkCallUnknown', 'ExpireRun', 'Claim', 'PrepareCall', 'DispatchCall'];
  const cases = first.flatMap((what) =>
    second.map((then): Moment[] => [
      { phase: 'after', what, nth: 1 },
      { phase: 'after', what: then, nth: 1 },
    ]),
  );
  const { died, wrong } = await dieAtAll(cases);
  console.log(`${cases.length} pairs, ${died} deaths`);
  expect(wrong).toEqual([]);
  expect(died).toBeGreaterThan(cases.length);
}, 7_200_000);
