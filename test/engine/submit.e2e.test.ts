import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/index.ts';
import { submitGoal } from '../../src/engine/submit/submit-goal.ts';
import { openRig, type Rig } from '../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
});
afterEach(async () => {
  expect(await rig.close()).toBe(0);
});

it('refuses a directory that holds the data of Work Center itself, and one that cannot be copied', async () => {
  const world = await rig.world();
  const submit = (directory: string) =>
    submitGoal(
      { ...world, newItemId: () => 'w1' },
      {
        ...{ directory, dirty: 'snapshot', inPlace: false, start: true, principal: { kind: 'user', name: 'ada' } },
        goal: {
          ...{ goal: 'Go', criteria: [{ id: 'c1', version: 1, text: 'Gone.', minProof: 'self' }] },
          ...{ delivery: { target: 'response' }, limits: DEFAULT_LIMITS, attachments: [], reuseMemory: false },
        },
      },
    );
  const holds = 'The directory holds the data of Work Center itself.';
  expect(await submit(rig.root)).toMatchObject({ code: 'invalid_field', message: holds });
  const plain = join(rig.root, 'plain');
  await mkdir(plain);
  await writeFile(join(plain, 'a.txt'), 'a\n');
  // Something is in the way of the copy.
  const copy = world.home.plainBase('w1');
  await mkdir(dirname(copy), { recursive: true });
  await writeFile(copy, '');
  expect(await submit(plain)).toMatchObject({ code: 'invalid_field', message: 'The directory cannot be copied.' });
  expect((await world.store.list({ limit: 9 })).items).toEqual([]);
  expect(await submit(plain)).toMatchObject({ type: 'submitted' });
  expect(await readdir(copy)).toEqual(['a.txt']);
});
