import { expect, it } from 'vitest';
import { snapshotOf } from '../../src/coordinator/index.ts';
import { completed, criterion } from '../core/builders.ts';
import { coordinated, create, decides, opens, planned, requestInput } from './support.ts';

it('chapter 2 D15: a completed Action shows what it reported: summary, claims, files and other outputs', () => {
  const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
  opens(made);
  decides(made, [create(planned('a', { for: ['c1', 'c2'] }))]);
  const outputs = [{ kind: 'link' as const, ref: 'https://example.org/report' }];
  made.completes('a', completed({ c1: 'passed', c2: 'deferred' }, { summary: 'Half of it.', outputs }));
  opens(made);
  const { actions, criteria } = JSON.parse(snapshotOf(requestInput(made.item)).text);
  expect(actions[0]).toMatchObject({
    id: 'a',
    status: 'completed',
    reported: {
      summary: 'Half of it.',
      claims: ['c1 passed: seen', 'c2 deferred: seen'],
      outputs: ['file a.txt', 'link https://example.org/report'],
    },
  });
  expect(criteria).toMatchObject([
    { id: 'c1', standing: 'passed', shownBy: 'a' },
    { id: 'c2', standing: 'unmet' },
  ]);
});

it('G6: progress is worked out anew for each turn', () => {
  const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
  const progress = () => {
    opens(made);
    return JSON.parse(snapshotOf(requestInput(made.item)).text).progress;
  };
  expect(progress()).toMatchObject({ proven: 0, total: 2, missing: ['c1', 'c2'] });
  decides(made, [create(planned('a', { for: ['c1'] }))]);
  made.completes('a', completed(['c1']));
  expect(progress()).toMatchObject({ proven: 1, total: 2, missing: ['c2'] });
});
