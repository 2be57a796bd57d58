import { expect, it } from 'vitest';
import { snapshotOf } from '../../src/coordinator/index.ts';
import { type Decision, fold, type ItemState } from '../../src/core/index.ts';
import { completed, criterion } from '../core/builders.ts';
import { ANSWER, coordinated, create, decides, objection, opens, says, work } from '../core/coordinator.ts';
import type { Scenario } from '../core/scenario.ts';
import { requestInput } from './support.ts';

const LONG = 'What was found is long, and every word of it was reported. '.repeat(60);

const CRITERIA = Array.from({ length: 24 }, (_, at) =>
  criterion(`c${at + 1}`, { text: `${at + 1} of 24 holds. `.repeat(150).slice(0, 2_000).trim() }),
);

/** An Action with much to say about itself. */
const wordy = (at: number) =>
  work(`a${at}`, {
    type: 'research',
    workspace: 'read',
    brief: {
      objective: `${at}: ${LONG}`.slice(0, 2_000),
      approach: LONG.slice(0, 2_000),
      expectedOutcome: 'A report.',
    },
  });

const finish = (made: Scenario, from: number, to: number): void => {
  for (let at = from; at <= to; at += 1)
    made.completes(`a${at}`, completed([], { summary: LONG }), { changedPaths: [] });
};

/** Twelve of twenty Actions are done, one question is open. */
function halfway(): Scenario {
  const made = coordinated({ criteria: CRITERIA });
  says(made, 'Take your time.');
  decides(made, [create(...[1, 2, 3, 4, 5, 6, 7, 8].map(wordy))]);
  finish(made, 1, 8);
  decides(made, [create(...[9, 10, 11, 12].map(wordy))]);
  finish(made, 9, 12);
  decides(made, [{ kind: 'request_human', question: 'Which of the two?', options: ['this', 'that'] }]);
  says(made, 'How far is it?');
  opens(made);
  return made;
}

/** What was said so far is more than fits. */
const conversation = Array.from({ length: 60 }, () => ({ from: 'coordinator' as const, text: LONG }));

const told = (state: ItemState) => snapshotOf(requestInput(state, { conversation }));

it('a context that is compacted at Action 12 of 20, and then a reboot: contract, question and decisions are the same, and no Action is repeated', () => {
  const made = halfway();
  const before = told(made.item);
  expect(before.omitted, 'it was compacted').not.toEqual([]);
  expect(before.text).toContain('[cut: ');
  expect(before.bytes).toBeLessThanOrEqual(65_536);
  const rebooted = fold(made.itemId, made.events);
  if (!rebooted) throw new Error('nothing was there');
  expect(told(rebooted)).toEqual(before);
  const shown = JSON.parse(before.text);
  expect(shown.contract.goal).toBe(made.item.contract.goal);
  expect(shown.criteria.map(({ id, text }: { id: string; text: string }) => [id, text])).toEqual(
    CRITERIA.map(({ id, text }) => [id, text]),
  );
  expect(shown.requests).toMatchObject([{ question: 'Which of the two?' }]);
  expect(shown.actions.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    Array.from({ length: 12 }, (_, at) => [`a${12 - at}`, 'completed']),
  );

  made.state = rebooted;
  decides(made, [ANSWER]);
  expect(made.request('coordinator_question').question).toBe('Which of the two?');
  made.answer('coordinator_question', 'text', 'this');
  const again: Decision = create({ ...wordy(3), id: 'again' });
  expect(objection(made, [again])).toContain('expected a new reason for a repeated objective');
  decides(made, [create(...[13, 14, 15, 16, 17, 18, 19, 20].map(wordy))]);
  finish(made, 13, 20);
  expect(made.count('RunClaimed')).toBe(20);
  expect(made.item.actions.every(({ generation }) => generation === 1)).toBe(true);
});
