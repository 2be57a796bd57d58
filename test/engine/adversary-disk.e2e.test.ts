import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NO_USAGE, type Outcome } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { isDiskFull } from '../../src/engine/persist.ts';
import type { Executor } from '../../src/executors/executor.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { GitFailure } from '../../src/workspace/git/run-git.ts';
import { complaints, openRig, type Rig } from '../support/rig.ts';
import { submitPlan } from '../support/submit-plan.ts';

const PLAN = JSON.stringify({
  goal: 'write a file',
  criteria: ['it is there'],
  actions: [{ id: 'work', run: 'true', maxAttempts: 1, for: ['c1'] }],
});

const DONE: Outcome = {
  kind: 'completed',
  summary: 'written',
  evidence: [],
  claims: [{ criterionId: 'c1', status: 'passed', evidence: 'written' }],
  outputs: [],
};

/** Writes a file; the first time its log finds no room on the disk. */
function onFullDisk(): Executor {
  let starts = 0;
  return {
    start(job, io) {
      starts += 1;
      const first = starts === 1;
      const work = async () => {
        if (first) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        await writeFile(join(job.projectPath, 'new.txt'), 'new\n');
        const log = { ...(await io.putContent(Buffer.from('written\n'))), tail: 'written\n' };
        return { outcome: DONE, log, usage: NO_USAGE, receipts: [] };
      };
      return { ended: work(), abort: () => undefined };
    },
  };
}

describe('a disk that fills up on our own side', () => {
  let rig: Rig;
  afterEach(async () => expect(await rig.close()).toBe(0));

  it('D12: consumes no attempt and holds the item with the cause; a resume carries on', async () => {
    rig = await openRig();
    const world = await rig.world();
    const item = await submitPlan(world, PLAN, rig.repo);
    const executor = onFullDisk();
    const engine = openEngine(world, {
      executorFor: ({ spec }) => (spec.executor.kind === 'command' ? executor : undefined),
    });
    await engine.start();
    const held = await engine.untilSettled(item.id);
    expect(held.hold).toMatchObject({ code: 'disk_low' });
    expect(held.hold?.details).toContain('no space left');
    expect(held.actions[0]).toMatchObject({ status: 'ready', attempts: 0, lastRun: { code: 'disk_full' } });
    const principal = { kind: 'user', name: 'test' } as const;
    const body = { type: 'ResumeItem', controlVersion: held.controlVersion } as const;
    await world.store.execute({ itemId: item.id, principal, body });
    expect((await engine.untilSettled(item.id)).lifecycle).toBe('done');
    await engine.stop();
    expect(await complaints(world.store)).toEqual([]);
  });

  it('REC-4: an engine whose store is full still stops, and says that its end was not recorded', async () => {
    rig = await openRig();
    const full = () => Promise.reject(new StoreError('store_full', 'No space is left.'));
    const world = await rig.world({ wrap: (store) => ({ ...store, stopWorker: full }) });
    const engine = openEngine(world);
    await engine.start();
    await engine.stop();
    expect(rig.logs.join('\n')).toContain('the end was not recorded');
  });

  it('is told from git and from the file system, and from nothing that an executor says', () => {
    expect(isDiskFull(new GitFailure(['add'], 128, 'fatal: unable to write: No space left on device'))).toBe(true);
    expect(isDiskFull(Object.assign(new Error('write'), { code: 'EDQUOT' }))).toBe(true);
    expect(isDiskFull(new GitFailure(['add'], 128, 'fatal: bad object'))).toBe(false);
    expect(isDiskFull(new Error('the command printed: No space left on device'))).toBe(false);
  });
});

describe('a result that was not recorded', () => {
  let rig: Rig;
  afterEach(async () => expect(await rig.close()).toBe(0));

  it('D12: a command that left pipes in its own places is taken over like any other', async () => {
    rig = await openRig();
    let settles = 0;
    const world = await rig.world({
      leaseMs: 500,
      wrap: (store) => ({
        ...store,
        execute: (command) => {
          if (command.body.type === 'Settle') settles += 1;
          return settles === 1 && command.body.type === 'Settle'
            ? Promise.reject(new Error('the power went'))
            : store.execute(command);
        },
      }),
    });
    const pipes = 'mkfifo "$TMPDIR/p" "$HOME/p" "$(dirname "$WORKCENTER_OUTCOME")/p"';
    const run = `echo ran >> '${rig.ledger}/lines'; ${pipes}; echo new > new.txt`;
    const item = await submitPlan(world, PLAN.replace('"true"', JSON.stringify(run)), rig.repo);
    const engine = openEngine(world);
    await engine.start();
    const state = await engine.untilSettled(item.id);
    await engine.stop();
    expect(state.lifecycle).toBe('done');
    expect(await rig.noted()).toEqual(['ran']);
    expect(await rig.git('show', `workcenter/${item.id}:new.txt`)).toBe('new');
  });

  it('D12: a command that ended well is run again, not taken over, when its clone is gone', async () => {
    rig = await openRig();
    let settles = 0;
    const world = await rig.world({
      leaseMs: 500,
      wrap: (store) => ({
        ...store,
        execute: async (command) => {
          if (command.body.type !== 'Settle') return store.execute(command);
          settles += 1;
          if (settles > 1) return store.execute(command);
          await rm(world.home.workspaces(command.itemId), { recursive: true, force: true });
          throw new Error('the power went');
        },
      }),
    });
    const run = `echo ran >> '${rig.ledger}/lines'; echo new > new.txt`;
    const item = await submitPlan(world, PLAN.replace('"true"', JSON.stringify(run)), rig.repo);
    const engine = openEngine(world);
    await engine.start();
    const state = await engine.untilSettled(item.id);
    await engine.stop();
    expect(state.lifecycle).toBe('done');
    expect(await rig.noted()).toEqual(['ran', 'ran']);
    expect(await rig.git('show', `workcenter/${item.id}:new.txt`)).toBe('new');
  });
});
