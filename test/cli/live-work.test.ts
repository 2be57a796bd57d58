import { expect, test } from 'vitest';
import { runningAction } from '../../src/cli/live-work.ts';
import type { ItemState } from '../../src/core/index.ts';

const withActions = (...actions: readonly (readonly [id: string, status: string])[]): ItemState =>
  ({ actions: actions.map(([id, status]) => ({ id, status })) }) as unknown as ItemState;

test('the workspace that is looked at is that of the Action that was named, or of the only one that runs', () => {
  const one = withActions(['a', 'completed'], ['b', 'running'], ['c', 'ready']);
  expect(runningAction(one, undefined)).toBe('b');
  expect(runningAction(one, 'c')).toBe('c');
  const refused = { code: 'invalid_option', exit: 2 };
  expect(runningAction(withActions(['a', 'ready']), undefined)).toMatchObject({ ...refused, found: 'none that runs' });
  const two = withActions(['a', 'running'], ['b', 'running']);
  expect(runningAction(two, undefined)).toMatchObject({ ...refused, expected: '--action ACTION', found: 'a, b' });
});
