import { afterEach, describe, expect, test } from 'vitest';
import type { CommandBody } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import type { ScriptedStep } from '../../src/testing.ts';
import { AGENT, finish, openStage, outside, type Stage } from '../support/agent-scenario.ts';
import { ledgerFlaws } from '../support/call-ledger.ts';
import { startEngine } from '../support/engine-child.ts';
import { aliveOf, complaints, type Rig, until } from '../support/rig.ts';
import { submit, turnsOf, write } from '../support/scripted-agent.ts';

let stage: Stage;

afterEach(async () => {
  expect(await stage.close()).toBe(0);
});

const say = (body: CommandBody) =>
  stage.world.store.execute({ itemId: stage.item.id, principal: { kind: 'user', name: 'ada' }, body });

/** A fresh engine that goes as far as it can without a person. */
async function goAsFarAsPossible(): Promise<void> {
  const engine = openEngine(await stage.rig.world(stage.options));
  await engine.start();
  await engine.untilSettled(stage.item.id);
  await engine.stop();
}

async function timesOf(type: string): Promise<number> {
  const events = await stage.world.store.events(stage.item.id, { limit: 10_000 });
  return events.filter(({ body }) => body.type === type).length;
}

async function expectOnceAndInOrder(): Promise<void> {
  expect((await stage.state()).lifecycle).toBe('done');
  expect(await stage.rig.noted()).toEqual(['outside']);
  expect(await ledgerFlaws(stage)).toEqual([]);
  expect(await complaints(stage.world.store)).toEqual([]);
  expect(await aliveOf(stage.world.store)).toBe(0);
}

const killedWhen = async (isTime: () => Promise<boolean>): Promise<void> => {
  const engine = startEngine({ root: stage.rig.root, options: stage.options, untilIdle: false });
  await until('it is time to die', isTime);
  await engine.kill();
};

/** Does it outside, unless it sees that it was done; then it is done itself. */
const careful = (rig: Rig, more: string): ScriptedStep => ({
  name: AGENT,
  when: { tools: ['submit_outcome'] },
  reply: async ({ messages }) => {
    if (turnsOf(messages) === 0) return write('a.txt', 'hello\n');
    return (await rig.noted()).length > 0 ? submit('It was done.') : outside(rig, more);
  },
});

test('a call that acts outside and was cut short is unknown; nothing goes on before a person has said what became of it, and it is not repeated (D11, rule 39)', async () => {
  stage = await openStage({
    rules: [{ tool: 'shell', decide: 'allow' }],
    steps: (rig) => [careful(rig, '; sleep 987654')],
  });
  await killedWhen(async () => (await stage.rig.noted()).length > 0);
  expect((await stage.state()).operations.map(({ effect, tool }) => [effect, tool])).toEqual([['pending', 'shell']]);
  await goAsFarAsPossible();
  const sent = stage.model.requests.length;
  await goAsFarAsPossible();
  const { operations, requests } = await stage.state();
  expect(operations.map(({ effect }) => effect)).toEqual(['unknown']);
  expect(requests.map(({ subject, choices }) => [subject.kind, choices])).toEqual([
    ['operation_unknown', ['applied', 'not_applied', 'stop']],
  ]);
  expect([stage.model.requests.length, await timesOf('RunClaimed')]).toEqual([sent, 1]);
  expect(await aliveOf(stage.world.store)).toBe(0);
  const operationId = operations[0]?.id ?? '';
  await say({ type: 'ResolveOperation', operationId, effect: 'applied', reason: 'I looked.' });
  await finish(stage);
  expect(await timesOf('OperationBegun')).toBe(1);
  await expectOnceAndInOrder();
});

describe('an approval that was asked for when the engine was killed', () => {
  const askAndDie = async (): Promise<string> => {
    stage = await openStage({ steps: (rig) => [careful(rig, '')] });
    await killedWhen(async () => (await stage.state()).requests.length > 0);
    return (await approval())?.id ?? '';
  };
  const approval = async () => (await stage.state()).requests.find(({ subject }) => subject.kind === 'tool_approval');
  const approve = (requestId: string) => say({ type: 'AnswerRequest', requestId, choice: 'approve', text: '' });
  const expectUsedOnce = async (): Promise<void> => {
    await finish(stage);
    expect([await timesOf('GrantGiven'), await timesOf('GrantUsed'), await timesOf('OperationBegun')]).toEqual([
      1, 1, 1,
    ]);
    await expectOnceAndInOrder();
  };

  test('can be given while no engine lives; the leave is used once (D16)', async () => {
    expect(await approve(await askAndDie())).toMatchObject({ type: 'executed' });
    await expectUsedOnce();
  });

  test('can be given after the restart; the leave is used once (D16)', async () => {
    await askAndDie();
    const engine = openEngine(await stage.rig.world(stage.options));
    await engine.start();
    await until('the dead Run was ended', async () => (await timesOf('RunSettled')) > 0);
    await until('the approval is asked for', async () => (await approval()) !== undefined);
    expect(await stage.rig.noted()).toEqual([]);
    expect(await approve((await approval())?.id ?? '')).toMatchObject({ type: 'executed' });
    await until('the leave was used', async () => (await timesOf('GrantUsed')) > 0);
    await engine.untilSettled(stage.item.id);
    await engine.stop();
    await expectUsedOnce();
  });
});
