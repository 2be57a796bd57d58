import { expect, test } from 'vitest';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';
import type { Doom } from '../support/effects.ts';
import { crashAt, crashAtAll } from './crash-effects.ts';

const BEYOND_ANY = 1_000_000;
const BLOCK = 20;

test('an engine that dies before or after any effect at all leaves an item that the next one finishes (REC-1)', async () => {
  const { effects, wrong } = await crashAt([{ at: BEYOND_ANY, phase: 'before' }]);
  expect(wrong).toEqual([]);
  expect(effects).toBeGreaterThan(200);
  // Lives differ a little in length: go on until a whole block of lives was not cut short.
  for (let first = 1; ; first += BLOCK) {
    const ats = Array.from({ length: BLOCK }, (_, index) => first + index);
    const dooms = ats.flatMap((at): Doom[][] => [[{ at, phase: 'before' }], [{ at, phase: 'after' }]]);
    const block = await crashAtAll(dooms);
    expect(block.wrong).toEqual([]);
    if (block.died === 0) {
      expect(first).toBeGreaterThan(effects * 0.8);
      return;
    }
  }
}, 7_200_000);

test('and so do two deaths in a row, in bubblewrap where there is one (REC-1)', async () => {
  const { sandbox } = await probeSandbox();
  const cases: Doom[][] = [];
  for (let first = 20; first < 420; first += 16) {
    for (const second of [30, 90, 160])
      cases.push([
        { at: first, phase: 'after' },
        { at: second, phase: 'before' },
      ]);
  }
  const { died, wrong } = await crashAtAll(cases, sandbox !== 'none');
  expect(wrong).toEqual([]);
  expect(died).toBeGreaterThan(cases.length);
}, 7_200_000);
