import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig } from '../support/rig.ts';
import {
  agent,
  call,
  commission,
  complete,
  coordinator,
  create,
  decide,
  submit,
  write,
} from '../support/scripted-agent.ts';
import { checkedBy, submitGoal } from '../support/submit-goal.ts';

let rig: Rig;
let model: ScriptedModel | undefined;

beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
});

afterEach(async () => {
  await model?.close();
  expect(await rig.close()).toBe(0);
});

it('an agent that asked a person goes on in the workspace where it stopped (D15, D31)', async () => {
  model = await startScriptedModel({
    name: 'a question in the middle',
    steps: [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
        decide({ decisions: [complete()] }),
      ),
      {
        name: 'after the answer',
        when: { tools: ['submit_outcome'], conversation: /blue/ },
        reply: ({ messages }) => (messages.length === 1 ? write('b.txt', 'blue\n') : submit('Both are there.')),
      },
      agent(/Make a true/, write('a.txt', 'half\n'), call('ask_human', { question: 'Which colour?' })),
    ],
  });
  const world = await rig.world({ env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl } });
  const item = await submitGoal(world, rig.repo, {
    goal: 'Write both files',
    criteria: [checkedBy('c1', 'grep -q half a.txt && test -s b.txt')],
  });
  const engine = openEngine(world);
  await engine.start();
  const asked = await engine.untilSettled(item.id);
  expect(asked.requests.map(({ question }) => question)).toEqual(['Which colour?']);
  const answer = { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'blue' } as const;
  await world.store.execute({ itemId: item.id, principal: { kind: 'user', name: 'ada' }, body: answer });
  const state = await engine.untilSettled(item.id);
  await engine.stop();
  expect(model.unmatched).toEqual([]);
  expect(state.lifecycle, JSON.stringify([state.hold, state.requests, state.actions.map((a) => a.lastRun)])).toBe(
    'done',
  );
});
