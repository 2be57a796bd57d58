import { describe, expect, it } from 'vitest';
import type { Span, TimelineAction } from '../../src/client/index.ts';
import { pictureOf } from '../../web/src/item/timeline/layout.ts';
import { placeOf, shownNow, ticksOf } from '../../web/src/item/timeline/scale.ts';

const run = (id: string, actionId: string, startedAt: number, more: Partial<Span> = {}): Span => ({
  ...{ kind: 'run', id, actionId, ordinal: 1, startedAt, endedAt: startedAt + 10, status: 'completed', code: null },
  ...more,
});
const turn = (id: string, startedAt: number, more: Partial<Span> = {}): Span =>
  run(id, '', startedAt, { kind: 'turn', actionId: null, status: 'responded', ...more });

const action = (id: string, more: Partial<TimelineAction> = {}): TimelineAction => ({
  ...{ id, name: id, kind: 'agent', dependsOn: [], workspace: 'isolated-write', merge: 'merged' },
  ...more,
});
const verify = (id: string): TimelineAction =>
  action(id, { name: 'Verify', kind: 'verify', workspace: 'read', merge: 'none' });

const ACTIONS: readonly TimelineAction[] = [
  action('fix', { name: 'Fix it', workspace: 'shared' }),
  action('review', { name: 'Review it', dependsOn: ['fix'], workspace: 'read', merge: 'none' }),
  verify('verify-1'),
  verify('verify-2'),
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
    expect(rows.map(({ place, name, bars }) => [place, name, bars.length])).toEqual([
      ['coordinator', '', 1],
      ['shared', 'Fix it', 1],
      ['read', 'Review it', 1],
      ['engine', '', 2],
    ]);
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

  it('goes on by the second while it is short, and by what can be seen of it when it is long', () => {
    const day = 86_400_000;
    expect([0, 1_000, 1_999, 59_500].map((passed) => shownNow(day, day + passed))).toEqual(
      [0, 1_000, 1_000, 59_000].map((passed) => day + passed),
    );
    const shown = new Set(Array.from({ length: 100 }, (_, second) => shownNow(0, day + second * 1_000)));
    expect(shown.size).toBeLessThanOrEqual(2);
    expect(Math.max(...shown)).toBeLessThanOrEqual(day + 100_000);
  });
});

describe('lanes of what ran when', () => {
  it('puts together what shares a workspace, by the first Run in it, with the checks last', () => {
    const actions = [
      action('a', { workspace: 'shared' }),
      action('b'),
      action('c', { workspace: 'shared' }),
      action('d', { workspace: 'integrate', dependsOn: ['b'] }),
      action('e', { workspace: 'read', merge: 'none' }),
      verify('v'),
    ];
    const order = ['e', 'b', 'd', 'a', 'v', 'c'];
    const { lanes, rows } = pictureOf(
      order.map((id, index) => run(id, id, index * 20)),
      actions,
      1_000,
    );
    expect(lanes.map(({ place, rows: each }) => [place, each.map(({ name }) => name)])).toEqual([
      ['read', ['e']],
      ['isolated-write', ['b']],
      ['integrate', ['d']],
      ['shared', ['a', 'c']],
      ['engine', ['']],
    ]);
    expect(rows.map(({ above }) => [above.rows, above.labels])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
      [5, 4],
    ]);
  });
});

/** What began with what: `a, b > c` waited for both, `a + b > c` brought their work together. */
function begun(spans: readonly Span[], actions: readonly TimelineAction[]): readonly string[] {
  const { rows, arrivals } = pictureOf(spans, actions, 10_000);
  return rows.flatMap((row) =>
    row.bars.flatMap(({ id }) => {
      const arrival = arrivals.get(id);
      if (!arrival) return [];
      const from = arrival.from.map(({ key }) => key.replace('action ', ''));
      return [`${from.join(arrival.isJoin ? ' + ' : ', ')} > ${id}`];
    }),
  );
}

describe('where lines of what ran when come together', () => {
  it('draws what was waited for from its end to the beginning of what waited', () => {
    const actions = [action('a'), action('b', { dependsOn: ['a'], workspace: 'read', merge: 'none' })];
    const { links } = pictureOf([run('b1', 'b', 50), run('a1', 'a', 0)], actions, 1_000);
    expect(links).toEqual([
      { from: 'action a', to: 'action b', bar: 'b1', leaves: 10, arrives: 50, brings: true, onward: false },
    ]);
    expect(begun([run('b1', 'b', 50), run('a1', 'a', 0)], actions)).toEqual(['a > b1']);
  });

  it('joins the work of several workspaces where an Action or a check builds on it, and not what one clone holds', () => {
    const actions = [
      action('a'),
      action('b'),
      action('c', { dependsOn: ['a', 'b'] }),
      action('d', { workspace: 'shared' }),
      action('e', { workspace: 'shared', dependsOn: ['d'] }),
      verify('v'),
    ];
    const spans = ['a', 'b', 'c', 'd', 'e', 'v'].map((id, index) => run(`${id}1`, id, index * 20));
    expect(begun(spans, actions)).toEqual(['a + b > c1', 'd > e1', 'c + e > v1']);
    const shared = actions.filter(({ workspace, kind }) => workspace === 'shared' || kind === 'verify');
    expect(begun(spans.slice(3), shared)).toEqual(['d > e1', 'e > v1']);
  });

  it('takes an Action that integrates as a join of what it depends on and of what the branch held by then', () => {
    const actions = [action('a'), action('b'), action('i', { workspace: 'integrate', dependsOn: ['b'] }), verify('v')];
    const spans = ['a', 'b', 'i', 'v'].map((id, index) => run(`${id}1`, id, index * 20));
    expect(begun(spans, actions)).toEqual(['b + a > i1', 'i > v1']);
    const { arrivals } = pictureOf(spans.slice(1), actions, 1_000);
    expect(arrivals.get('i1')?.isJoin).toBe(true);
  });

  it('gives a check what was merged since the one before it, and nothing that was not', () => {
    const actions = [action('a'), action('b'), action('c', { merge: 'conflict' }), verify('v'), verify('w')];
    const spans = ['a', 'v', 'b', 'c', 'w'].map((id, index) => run(`${id}1`, id, index * 20));
    expect(begun(spans, actions)).toEqual(['a > v1', 'b > w1']);
    expect(begun([...spans, run('w2', 'w', 200)], actions)).toEqual(['a > v1', 'b > w1']);
  });

  it('takes the Run that the first one of a dependant could have built on, and draws nothing that is not known', () => {
    const actions = [action('a'), action('b', { dependsOn: ['a', 'gone'] })];
    const links = (spans: readonly Span[]) =>
      pictureOf(spans, actions, 1_000).links.map(({ leaves, bar }) => [leaves, bar]);
    expect(links([run('a1', 'a', 0), run('b1', 'b', 20), run('a2', 'a', 40), run('b2', 'b', 60)])).toEqual([
      [10, 'b1'],
    ]);
    expect(links([run('b1', 'b', 20), run('a2', 'a', 40), run('b2', 'b', 60)])).toEqual([[50, 'b2']]);
    expect(links([run('b1', 'b', 20), run('a2', 'a', 40, { endedAt: null })])).toEqual([]);
    expect(links([run('b1', 'b', 20)])).toEqual([]);
  });
});
