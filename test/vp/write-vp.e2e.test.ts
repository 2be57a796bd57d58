import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findVp, loadVps } from '../../src/vp/registry.ts';
import { type VpDestination, writeVp, writeVpText } from '../../src/vp/write-vp.ts';
import { file, HEAD } from './support.ts';

let root: string;
let to: VpDestination;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'write-vp-'));
  to = { kind: 'project', folder: join(root, '.workcenter', 'vps'), within: root, taken: ['reviewer'] };
});
afterEach(() => rm(root, { recursive: true }));

const draft = (id: string, rest: object = {}) => ({
  id,
  name: 'Pricing expert',
  role: 'Knows how prices are made',
  capabilities: ['pricing'],
  persona: 'You know prices.',
  ...rest,
});
const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

describe('D16, V34: a new VP', () => {
  test('is a file that the registry reads back, and nothing else is left in the folder', async () => {
    const written = await writeVp(draft('pricing'), to);
    expect(written).toMatchObject({ kind: 'written', path: join(to.folder, 'pricing.md') });
    const found = findVp(await loadVps({ projectDirectory: root }), 'pricing');
    expect(written).toMatchObject({ vp: found });
    expect(found).toMatchObject(draft('pricing'));
    expect(await filesIn(to.folder)).toEqual(['pricing.md']);
  });

  test('never carries a command, whatever the draft brings along', async () => {
    const sneaky = draft('sneaky', { executor: { kind: 'command', run: 'curl evil' } });
    const written = await writeVp(sneaky, to);
    expect(written).toMatchObject({ kind: 'written', vp: { executor: { kind: 'agent' } } });
    expect(await readFile(join(to.folder, 'sneaky.md'), 'utf8')).not.toContain('curl');
  });

  test('of a person may carry one', async () => {
    const text = file(`id: cmd\n${HEAD}\nexecutor: {run: qwen}`);
    expect(await writeVpText('cmd', text, to)).toMatchObject({ vp: { executor: { kind: 'command', run: 'qwen' } } });
    expect(await writeVpText('other', text, to)).toMatchObject({ kind: 'refused', code: 'invalid' });
  });

  test.each(['all', 'User', 'SYSTEM', 'everyone', 'coordinator', 'engine'])('may not be called %s', async (id) => {
    expect(await writeVp(draft(id), to)).toMatchObject({ kind: 'refused', code: 'reserved' });
    expect(await filesIn(root)).toEqual([]);
  });

  test.each(['../evil', 'a/b', '.hidden', 'Upper', 'x'.repeat(65), ''])('may not have the id "%s"', async (id) => {
    const refusal = await writeVp(draft(id), to);
    expect(refusal).toMatchObject({ kind: 'refused', code: 'invalid', problems: [{ field: 'id' }] });
    expect(await filesIn(root)).toEqual([]);
  });

  test('that breaks limits is told which, and is not written', async () => {
    const refusal = await writeVp(draft('big', { persona: 'x'.repeat(12_001), traits: Array(21).fill('t') }), to);
    expect(refusal).toMatchObject({ code: 'invalid', problems: [{ field: 'traits' }, { field: 'persona' }] });
    expect(await filesIn(root)).toEqual([]);
  });

  test('may not take an id that exists anywhere, or a file that differs in case only', async () => {
    expect(await writeVp(draft('reviewer'), to)).toMatchObject({ code: 'duplicate' });
    expect(await writeVp(draft('reviewer'), { ...to, taken: ['Reviewer'] })).toMatchObject({ code: 'duplicate' });
    await mkdir(to.folder, { recursive: true });
    await writeFile(join(to.folder, 'Pricing.MD'), 'theirs');
    expect(await writeVp(draft('pricing'), to)).toMatchObject({ code: 'duplicate' });
    expect(await filesIn(to.folder)).toEqual(['Pricing.MD']);
  });

  test('that ten write at once is written by one, and stays whole', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `Writer ${n}`);
    const results = await Promise.all(names.map((name) => writeVp(draft('race', { name }), to)));
    const winners = results.filter(({ kind }) => kind === 'written');
    expect(winners).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'refused' && result.code === 'duplicate')).toHaveLength(9);
    expect(winners[0]).toMatchObject({ vp: findVp(await loadVps({ projectDirectory: root }), 'race') });
    expect(await filesIn(to.folder)).toEqual(['race.md']);
  });

  test('clears away what a writer that died long ago left, and nothing of one that may be at work', async () => {
    await mkdir(to.folder, { recursive: true });
    for (const name of ['.new-old', '.new-fresh']) await writeFile(join(to.folder, name), 'half');
    await utimes(join(to.folder, '.new-old'), 1, 1);
    await writeVp(draft('pricing'), to);
    expect(await filesIn(to.folder)).toEqual(['.new-fresh', 'pricing.md']);
  });

  test('does not follow a link out of the project', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    try {
      await symlink(outside, join(root, '.workcenter'));
      expect(await writeVp(draft('pricing'), to)).toMatchObject({ code: 'unsafe_folder' });
      await rm(join(root, '.workcenter'));
      await symlink(join(outside, 'not-yet'), join(root, '.workcenter'));
      await expect(writeVp(draft('pricing'), to)).rejects.toThrow();
      expect(await filesIn(outside)).toEqual([]);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  test('may be the first in a configuration that does not exist yet', async () => {
    const within = join(root, 'config', 'workcenter');
    const first = await writeVp(draft('pricing'), { kind: 'user', folder: join(within, 'vps'), within, taken: [] });
    expect(first).toMatchObject({ kind: 'written', vp: { source: { kind: 'user' } } });
  });
});
