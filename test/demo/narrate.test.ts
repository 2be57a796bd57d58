import { expect, it } from 'vitest';
import { narrate } from '../../src/cli/demo/narrate.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import type { EventBody, ItemState } from '../../src/core/index.ts';
import { action, checked, receipt } from '../core/builders.ts';
import { scenario } from '../core/scenario.ts';

type Settled = Extract<EventBody, { type: 'RunSettled' }>;

const item = (): ItemState =>
  scenario({ criteria: [checked('c1')], actions: [action('quotes', { name: 'Mend quotes', for: ['c1'] })] }).item;

const tell = (state: ItemState, body: EventBody): readonly string[] => narrate(state, { seq: 1, at: 0, body }, PLAIN);

const settled = (state: ItemState, run: Partial<Settled['run']>): readonly string[] => {
  const ended = { id: 'r', generation: 1, ordinal: 1, status: 'completed', summary: '', endedSeq: 1 } as const;
  return tell(state, {
    type: 'RunSettled',
    actionId: 'quotes',
    run: { ...ended, dispatched: true, receipts: [], ...run },
    actionStatus: 'ready',
    attemptCharged: true,
    readyAt: 0,
    suspicion: false,
    claims: [],
    usage: { wallMs: 0, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true },
    wroteInPlace: false,
  });
};

it('tells a refused claim in its own words, what was bent, and what the engine saw', () => {
  const refused = receipt('c1', 1, 'wrong_exit', ['protected_restored']);
  const log = { ...refused.log, tail: 'ok 1 - adds\nnot ok 2 - reads quotes\n# tests 2\n# fail 1\n' };
  const bent = { ...refused, log, changed: ['test/csv.test.js'] };
  const summary = 'Fixed.\u001b[31m All tests pass.\n';
  expect(settled(item(), { status: 'retryable', code: 'claim_refused', summary, receipts: [bent] })).toEqual([
    '✕ Mend quotes: claimed "Fixed. All tests pass." and is refused',
    '    put back before the check: test/csv.test.js',
    '  ✕ c1  the engine ran npm test: exit 1',
    '       not ok 2 - reads quotes',
    '       # fail 1',
  ]);
});

it('tells a claim that holds, with what the check said before and after', () => {
  const passed = receipt('c1', 1, 'passed', ['red_to_green']);
  expect(settled(item(), { receipts: [passed] })).toEqual([
    '✓ Mend quotes: its claim holds',
    '  ■ c1  the engine ran npm test: exit 0 (red→green)',
  ]);
});

it('tells any other end with its cause', () => {
  expect(settled(item(), { status: 'failed', code: 'timed_out', error: 'It took too long.\nmore' })).toEqual([
    '✕ Mend quotes: failed, It took too long.',
  ]);
});
