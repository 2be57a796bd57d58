import { describe, expect, it } from 'vitest';
import type { Span, TimelineAction } from '../../src/client/index.ts';
import { pictureOf, placeOf, ticksOf } from '../../web/src/item/timeline/layout.ts';

const run = (id: string, actionId: string, startedAt: number, more: Partial<Span> = {}): Span => ({
  ...{ kind: 'run', id, actionId, ordinal: 1, startedAt, endedAt: startedAt + 10, status: 'completed' },
  ...more,
});
const turn = (id: string, startedAt: number, more: Partial<Span> = {}): Span =>
  run(id, '', startedAt, { kind: 'turn', actionId: null, status: 'responded', ...more });

const ACTIONS: readonly TimelineAction[] = [
  { id: 'fix', name: 'Fix it', kind: 'agent', dependsOn: [] },
  { id: 'review', name: 'Review it', kind: 'agent', dependsOn: ['fix'] },
  { id: 'verify-1', name: 'Verify', kind: 'verify', dependsOn: [] },
  { id: 'verify-2', name: 'Verify', kind: 'verify', dependsOn: [] },
];

describe('what ran when', () => {
  it('has a row for the Coordinator, for each Action by its first Run, and one for all checks of the engine', () => {
    const spans = [
      run('4', 'verify-2', 80),
      run('3', 'review', 60),
      run('2', 'verify-1', 40),
      run('1', 'fix', 20),
      turn('t1', 0),
    ];
    const { rows, from, to, isRunning } = pictureOf(spans, ACTIONS, 1_000);
    expect(rows.map(({ kind, name, bars }) => [kind, name, bars.length])).toEqual([
      ['coordinator', '', 1],
      ['action', 'Fix it', 1],
      ['action', 'Review it', 1],
      ['engine', '', 2],
    ]);
    expect(rows[2]?.dependsOn).toEqual(['fix']);
    expect({ from, to, isRunning }).toEqual({ from: 0, to: 90, isRunning: false });
  });

  it('makes one bar of all requests of a turn, though a page may cut them apart', () => {
    const { rows } = pictureOf([turn('t1', 50), turn('t1', 0, { status: 'rejected' })], [], 1_000);
    expect(rows[0]?.bars).toMatchObject([{ id: 't1', startedAt: 0, end: 60, outcome: 'ok' }]);
  });

  it('lets what runs reach to now, and says when it is not known how something ended', () => {
    const spans = [
      run('2', 'fix', 50, { endedAt: null, status: 'running' }),
      run('1', 'gone', 0, { status: 'interrupted' }),
    ];
    const picture = pictureOf(spans, ACTIONS, 1_000);
    expect(picture.rows.map(({ name, bars }) => [name, bars[0]?.outcome, bars[0]?.end])).toEqual([
      ['gone', 'unknown', 10],
      ['Fix it', 'running', 1_000],
    ]);
    expect([picture.isRunning, placeOf(picture, 500)]).toEqual([true, 50]);
  });

  it('is empty where nothing ran, and never divides by nothing', () => {
    expect(pictureOf([], [], 5).rows).toEqual([]);
    const picture = pictureOf([run('1', 'fix', 7, { endedAt: 7 })], ACTIONS, 7);
    expect(placeOf(picture, 7)).toBe(0);
  });

  it('writes a handful of round instants, however long it took', () => {
    for (const length of [800, 15_000, 3_600_000, 90 * 86_400_000]) {
      const ticks = ticksOf({ from: 123, to: 123 + length });
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.every((at) => at >= 123 && at <= 123 + length && at % 1_000 === 0)).toBe(true);
    }
  });
});
