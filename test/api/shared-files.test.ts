import { expect, test } from 'vitest';
import { sharesFilesWith } from '../../src/api/views/shared-files.ts';
import { action, completed } from '../core/builders.ts';
import { scenario } from '../core/scenario.ts';

test('Actions that changed the same file know of each other, unless one builds on the other', () => {
  const story = scenario({
    actions: [
      action('a', { for: ['c1'] }),
      action('b'),
      action('c', { dependsOn: ['a'] }),
      action('d', { dependsOn: ['c'] }),
      action('e'),
    ],
  });
  story.completes('a', completed(['c1']), { changedPaths: ['src/csv.js', 'src/money.js'] });
  story.completes('b', completed(), { changedPaths: ['src/money.js', 'README.md'] });
  story.completes('c', completed(), { changedPaths: ['src/csv.js'] });
  story.completes('d', completed(), { changedPaths: ['src/csv.js', 'README.md'] });
  const shared = (): Record<string, readonly string[]> =>
    Object.fromEntries(story.item.actions.map((each) => [each.id, sharesFilesWith(story.item, each)]));
  expect(shared()).toMatchObject({ a: ['b'], b: ['a', 'd'], c: [], d: ['b'], e: [] });

  story.completes('e', completed(), { changedPaths: ['README.md'] });
  expect(shared()).toMatchObject({ b: ['a', 'd', 'e'], d: ['b', 'e'], e: ['b', 'd'] });
});
