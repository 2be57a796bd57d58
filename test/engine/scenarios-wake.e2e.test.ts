import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandBody, ItemState } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { complaints, openRig, type Rig, until } from '../support/rig.ts';
import { note } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

/** The poll would mend a wake that was lost; here it comes too late for that. */
const NEVER_MS = 24 * 3_600_000;

/** Parks with a question once the test lets it; works after the answer. */
const asking = (rig: Rig): string => `
goal: ask once
criteria: [a says hello]
actions:
  - id: work
    run: |
      if grep -q "the blue one" "$WORKCENTER_BRIEF"; then echo hello > a.txt; exit 0; fi
      ${note(rig, 'asking')}
      until [ -e ${rig.ledger}/go ]; do sleep 0.02; done
      echo '{"outcome":"waiting","question":"Which one?"}' > "$WORKCENTER_OUTCOME"
    for: [c1]
`;

interface Moment {
  /** Wakes the item as a person would; answers `taken` or the code of the refusal. */
  wake(state: ItemState | undefined): Promise<string>;
  letItPark(): Promise<void>;
  /** The state that parked, told inside of the very commit. */
  readonly parked: Promise<ItemState>;
  /** Nothing is under way in the engine. */
  idle(): Promise<unknown>;
}

const wakeBody = (state: ItemState | undefined): CommandBody => {
  const requestId = state?.requests[0]?.id ?? 'request-1';
  return { type: 'AnswerRequest', requestId, choice: 'text', text: 'the blue one' };
};

/** What became of wakes that came at a moment: their answers, and how the Runs of the item ended, oldest first. */
async function wokenAt(moment: (at: Moment) => Promise<readonly string[]>) {
  const rig = await openRig();
  const world = await rig.world({ pollMs: NEVER_MS });
  const { id: itemId } = await submitPlan(world, asking(rig), rig.repo);
  let stopListening = (): void => {};
  const parked = new Promise<ItemState>((resolve) => {
    stopListening = world.store.onCommit((state) => {
      if (state.requests.length > 0) resolve(state);
    });
  });
  const engine = openEngine(world);
  await engine.start();
  await until('the command is at work', async () => (await rig.noted()).includes('asking'));
  const answers = await moment({
    wake: async (state) => {
      const command = { itemId, principal: { kind: 'user', name: 'test' }, body: wakeBody(state) } as const;
      const answer = await world.store.execute(command);
      return 'code' in answer ? answer.code : 'taken';
    },
    letItPark: () => writeFile(join(rig.ledger, 'go'), ''),
    parked,
    idle: () => engine.untilIdle(),
  });
  const state = await engine.untilSettled(itemId);
  await engine.stop();
  stopListening();
  const runs = (await world.store.runs(itemId)).toReversed().map(({ status }) => status);
  expect(await complaints(world.store)).toEqual([]);
  expect(await rig.close()).toBe(0);
  return { answers: answers.toSorted(), runs, lifecycle: state.lifecycle };
}

const ONE_RESUME = { runs: ['waiting', 'completed'], lifecycle: 'done' };

test('a wake that arrives just before an item parks is refused and lost on nobody: the item asks, and resumes once', async () => {
  const woken = await wokenAt(async ({ wake, letItPark, parked }) => {
    const early = await wake(undefined);
    await letItPark();
    return [early, await wake(await parked)];
  });
  expect(woken).toEqual({ ...ONE_RESUME, answers: ['request_not_found', 'taken'] });
});

test('wakes that arrive while an item parks, in the commit that parks it, lead to exactly one resume', async () => {
  const woken = await wokenAt(async ({ wake, letItPark, parked }) => {
    await letItPark();
    const state = await parked;
    return Promise.all([wake(state), wake(state), wake(state)]);
  });
  expect(woken).toEqual({ ...ONE_RESUME, answers: ['request_not_found', 'request_not_found', 'taken'] });
});

test('wakes that arrive just after an item parked, when the engine is idle, lead to exactly one resume', async () => {
  const woken = await wokenAt(async ({ wake, letItPark, parked, idle }) => {
    await letItPark();
    const state = await parked;
    await idle();
    return Promise.all([wake(state), wake(state)]);
  });
  expect(woken).toEqual({ ...ONE_RESUME, answers: ['request_not_found', 'taken'] });
});
