import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateOf } from '../support/submit-plan.ts';
import { openWorkbench } from './workbench.ts';

const PLAN = `goal: Make a file
criteria:
  - { id: c1, text: It is there }
actions:
  - { id: a, for: [c1], run: 'echo hi > made.txt' }
`;

test('V19: a directory that was replaced after the item was made is worked in by nobody', async () => {
  const bench = await openWorkbench({ sandbox: false });
  try {
    const directory = join(bench.root, 'plain');
    const other = join(bench.root, 'other');
    await mkdir(directory);
    await mkdir(other);
    await writeFile(join(directory, 'x'), 'x');
    const { id } = stateOf(await bench.submit(PLAN, { directory }));
    await rename(directory, `${directory}.old`);
    await symlink(other, directory);
    const engine = bench.engine();
    await engine.start();
    const state = await engine.untilSettled(id);
    await engine.stop();
    expect(state.actions.map(({ status, failureCode }) => [status, failureCode])).toEqual([
      ['failed', 'workspace_failed'],
    ]);
    expect(await readdir(other)).toEqual([]);
  } finally {
    await bench.close();
  }
});
