import { expect, it } from 'vitest';
import { loopTurn } from '../../src/store/loop-turn.ts';
import { writeQueue } from '../../src/store/sqlite/write-queue.ts';
import { claim, create } from './items.ts';
import { withFiles } from './sqlite-files.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `w${index}`);

it('commits what is asked for in one turn together, and later work by itself', () =>
  withFiles(async ({ open }) => {
    let commits = 0;
    const store = await open({
      onStatement: (phase, text) => {
        if (phase === 'before' && text === 'COMMIT') commits += 1;
      },
    });
    commits = 0;
    const answers = await Promise.all(names(20).map((id) => store.execute(create(id))));
    expect(answers.map((answer) => 'state' in answer && answer.state.id)).toEqual(names(20));
    expect(commits).toBe(1);
    await store.execute(claim('w0', 'r0'));
    expect(commits).toBe(2);
    expect(await store.doctor()).toMatchObject({ healthy: true, items: 20 });
  }));

it('decides commands on the same item one after the other inside of one commit', () =>
  withFiles(async ({ open }) => {
    const store = await open();
    const [created, first, second] = await Promise.all([
      store.execute(create('w1')),
      store.execute(claim('w1', 'r1')),
      store.execute(claim('w1', 'r2')),
    ]);
    expect([created, first]).toMatchObject([{ type: 'executed' }, { type: 'executed' }]);
    expect(second).toMatchObject({ code: 'not_runnable' });
    expect(await store.doctor()).toMatchObject({ healthy: true });
  }));

it('lets only the writer fail whose own work throws (rule 51)', () =>
  withFiles(async ({ open }) => {
    const store = await open({
      onStatement: (phase, _text, values) => {
        if (phase === 'before' && values[0] === 'w1') throw new Error('refused by the test');
      },
    });
    const ended = await Promise.allSettled(names(3).map((id) => store.execute(create(id))));
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.list({ limit: 10 })).items.map(({ id }) => id).sort()).toEqual(['w0', 'w2']);
  }));

it('runs nothing again after a commit that may have happened', async () => {
  let attempts = 0;
  const { write } = writeQueue(async (work) => {
    work();
    throw new Error('the commit is unknown');
  }, loopTurn());
  const ended = await Promise.allSettled([write(() => ++attempts), write(() => ++attempts)]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(attempts).toBe(2);
});

it('carries out before a close what was asked for before it', () =>
  withFiles(async ({ open }) => {
    const store = await open();
    const asked = names(100).map((id) => store.execute(create(id)));
    await store.close();
    await Promise.all(asked);
    const again = await open();
    expect((await again.list({ limit: 500 })).items).toHaveLength(100);
  }));

it('lets the event loop turn while somebody writes without a pause', async () => {
  // Every look at the clock is an hour later: a turn is always due.
  let hours = 0;
  const { write } = writeQueue(
    async (work) => work(),
    loopTurn(() => hours++ * 3_600_000),
  );
  let isTurned = false;
  setImmediate(() => {
    isTurned = true;
  });
  for (let count = 0; count < 3; count++) await write(() => count);
  expect(isTurned).toBe(true);
});
