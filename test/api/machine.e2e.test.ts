import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served({ env: { OPENAI_API_KEY: 'sk-canary' } });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const read = async (path: string): Promise<unknown> => (await at.get(`/api/v1${path}`)).json();

interface Vps {
  readonly vps: readonly { readonly id: string }[];
}

async function vpsOf(directory = ''): Promise<readonly string[]> {
  const { vps } = (await read(`/vps${directory}`)) as Vps;
  return vps.map(({ id }) => id);
}

describe('VPs', () => {
  it('are the built-in ones, and those of a project that has an item', async () => {
    const folder = join(at.rig.repo, '.workcenter/vps');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'poet.md'),
      '---\nname: Poet\nrole: Writes verse\ncapabilities: [write]\n---\nRhyme.\n',
    );
    expect(await vpsOf()).not.toContain('poet');
    const query = `?directory=${encodeURIComponent(at.rig.repo)}`;
    expect(await vpsOf(query)).toContain('poet');
    expect(await read(`/vps/poet${query}`)).toMatchObject({ name: 'Poet', persona: expect.stringContaining('Rhyme.') });
    expect(await read('/vps/poet')).toMatchObject({ status: 404, code: 'vp_not_found' });
  });

  it('say which files are broken or hidden by a nearer one, without telling where homes lie', async () => {
    const folder = join(at.rig.repo, '.workcenter/vps');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'reviewer.md'),
      '---\nname: Strict\nrole: Reviews\ncapabilities: [review]\n---\nBe strict.\n',
    );
    await writeFile(join(folder, 'odd.md'), '---\nname: [1]\n---\n');
    const told = await read(`/vps?directory=${encodeURIComponent(at.rig.repo)}`);
    expect(told).toMatchObject({
      vps: expect.arrayContaining([
        expect.objectContaining({ id: 'reviewer', source: 'project', file: '.workcenter/vps/reviewer.md' }),
      ]),
      hidden: [{ id: 'reviewer', source: 'built-in', file: null }],
      problems: expect.arrayContaining([expect.stringContaining('.workcenter/vps/odd.md: ')]),
    });
    expect(JSON.stringify(told)).not.toContain(at.rig.root);
  });

  it('are not looked for in a directory that nobody gave to the engine', async () => {
    for (const directory of ['/', '/etc', `${at.rig.repo}/..`, 'relative']) {
      const path = `/vps?directory=${encodeURIComponent(directory)}`;
      expect(await read(path), directory).toMatchObject({ status: 404, code: 'directory_unknown' });
    }
  });
});

it('tells which models could be used and whether their keys are there, never a key', async () => {
  const models = await read('/models');
  expect(models).toMatchObject({
    coordinator: { model: expect.anything() },
    providers: expect.arrayContaining([expect.objectContaining({ name: 'openai', keyPresent: true })]),
    tags: expect.arrayContaining([expect.objectContaining({ tag: 'fast' })]),
  });
  expect(JSON.stringify(models)).not.toContain('sk-canary');
});

it('tells what an item costs against its limits, with a forecast (D26)', async () => {
  expect(await read(`/work-items/${at.itemId}/cost`)).toMatchObject({
    limits: [{ what: 'requests', limit: 1_000, used: 0, reserved: 0 }, { what: 'tokens' }, { what: 'costMicros' }, {}],
    total: { name: 'all', requests: 0 },
    forecast: { basis: 'default', n: 0 },
  });
  expect(await read('/work-items/nobody/cost')).toMatchObject({ code: 'item_not_found' });
});

it('has no diff before work has begun, and none of an Action that is not there', async () => {
  expect(await read(`/work-items/${at.itemId}/diff`)).toMatchObject({ status: 404, code: 'no_diff' });
  expect(await read(`/work-items/${at.itemId}/actions/fix/diff`)).toMatchObject({ status: 404, code: 'no_diff' });
  expect(await read('/work-items/nobody/diff')).toMatchObject({ code: 'item_not_found' });
});
