import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goalOf } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { agent, commission, complete, coordinator, create, decide, submit, write } from '../support/scripted-agent.ts';
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

describe('a goal is carried to a proven finish by a Coordinator and agents', () => {
  it.each(['openai', 'anthropic'])('with two parallel Actions, over the %s protocol', async (protocol) => {
    model = await startScriptedModel({
      name: 'two files',
      steps: [
        coordinator(
          decide({
            title: 'Two files',
            decisions: [create(commission('a', { for: ['c1'] }), commission('b', { for: ['c2'] }))],
          }),
          decide({ decisions: [complete()] }),
        ),
        agent(/Make a true/, write('a.txt', 'a\n'), submit('Wrote a.txt.')),
        agent(/Make b true/, write('b.txt', 'b\n'), submit('Wrote b.txt.')),
      ],
    });
    const env = {
      WORKCENTER_SCRIPTED_URL: protocol === 'openai' ? model.openaiUrl : model.anthropicUrl,
      WORKCENTER_SCRIPTED_PROTOCOL: protocol,
    };
    const world = await rig.world({ env });
    const item = await submitGoal(world, rig.repo, {
      goal: 'Write a.txt and b.txt',
      criteria: [checkedBy('c1', 'test -f a.txt'), checkedBy('c2', 'test -f b.txt')],
    });
    const engine = openEngine(world);
    await engine.start();
    const state = await engine.untilSettled(item.id);
    await engine.stop();
    expect(model.unmatched).toEqual([]);
    expect(state.lifecycle, JSON.stringify([state.hold, state.requests, state.actions.map((a) => a.lastRun)])).toBe(
      'done',
    );
    expect(goalOf(state).allProven).toBe(true);
    expect(state.contract.title).toBe('Two files');
    expect(state.usage.requests).toBe(6);
    expect(state.usage.costMicros).toBeGreaterThan(0);
    expect(await rig.git('ls-tree', '--name-only', `workcenter/${item.id}`)).toContain('a.txt');
  });
});
