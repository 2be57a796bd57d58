import { afterEach, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { finish, openStage, type Stage } from '../support/agent-scenario.ts';
import { ledgerFlaws } from '../support/call-ledger.ts';
import { startEngine } from '../support/engine-child.ts';
import { complaints, until } from '../support/rig.ts';

let stage: Stage;
afterEach(async () => {
  expect(await stage.close()).toBe(0);
});
test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a Run that waits for leave settles waiting at a restart after %s (D16)',
  async (signal) => {
    stage = await openStage();
    const engine = startEngine({ root: stage.rig.root, options: stage.options, untilIdle: false });
    await until('asked', async () => (await stage.state()).requests.length > 0);
    engine.signal(signal);
    await engine.ended;
    const next = openEngine(await stage.rig.world(stage.options));
    await next.start();
    const sent = stage.model.requests.length;
    await next.untilSettled(stage.item.id);
    await next.stop();
    const { requests, actions } = await stage.state();
    expect([
      requests.map(({ id, subject }) => [id, subject.kind]),
      actions.map(({ status, lastRun }) => [status, lastRun?.status]),
      stage.model.requests.length,
    ]).toEqual([[['r1', 'tool_approval']], [['waiting', 'waiting']], sent]);
    expect((await finish(stage)).lifecycle).toBe('done');
    expect(await stage.rig.noted()).toEqual(['outside']);
    expect(await ledgerFlaws(stage)).toEqual([]);
    expect(await complaints(stage.world.store)).toEqual([]);
  },
);
