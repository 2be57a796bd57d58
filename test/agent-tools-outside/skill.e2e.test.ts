import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type SkillInput, skillTool } from '../../src/executors/agent/tools/outside/skill/skill-tool.ts';
import { makePlace, type Place } from './support.ts';

let place: Place;
let near: string;
let far: string;
beforeEach(async () => {
  place = await makePlace();
  near = join(place.workspace, 'project', 'skills');
  far = join(place.root, 'user', 'skills');
});

async function put(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
const skill = (name: string, description: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
const use = (input: SkillInput) =>
  skillTool.run(input, place.context({ skillRoots: [near, far, join(near, 'missing')] }));

test('skill lists names with what they are for, of two with one name the nearest', async () => {
  await put(join(near, 'release', 'SKILL.md'), skill('release', 'How we release'));
  await put(join(far, 'release', 'SKILL.md'), skill('release', 'Another way'));
  await put(join(far, 'review', 'SKILL.md'), skill('review', '"How to\n  review"'));
  await put(join(far, 'notes.txt'), 'no skill');
  await mkdir(join(far, 'empty'));
  expect(await use({ action: 'list' })).toEqual({ text: '- release: How we release\n- review: How to review' });
});

test('skill says that there is none, and of broken ones why', async () => {
  expect(await use({ action: 'list' })).toEqual({ text: 'There are no skills.' });
  await put(join(near, 'a', 'SKILL.md'), 'no front matter');
  await put(join(near, 'b', 'SKILL.md'), '---\n: [\n---\n');
  await put(join(near, 'c', 'SKILL.md'), '---\nname: c\n---\n');
  await put(join(near, 'd', 'SKILL.md'), `${skill('d', 'large')}${'x'.repeat(1024 * 1024)}`);
  const { text } = await use({ action: 'list' });
  for (const why of [
    'a: SKILL.md has to begin',
    'b: its front matter',
    'c: description is missing',
    'd: SKILL.md is larger',
  ])
    expect(text).toContain(`not usable: ${why}`);
});

test('skill loads the instructions and names the files, in the workspace with their place', async () => {
  await put(join(near, 'release', 'SKILL.md'), skill('release', 'x', 'First build.\n\nThen tag.'));
  await put(join(near, 'release', 'scripts', 'tag.sh'), 'git tag');
  await put(join(far, 'review', 'SKILL.md'), skill('review', 'x'));
  await put(join(far, 'review', 'list.md'), 'look at names');
  const release = await use({ action: 'load', name: 'release' });
  expect(release.text).toBe(
    'First build.\n\nThen tag.\n\nIts files in skills/release (read them there, or with action file):\n- scripts/tag.sh',
  );
  expect((await use({ action: 'load', name: 'review' })).text).toContain('(read them with action file):\n- list.md');
  expect(await use({ action: 'file', name: 'review', path: 'list.md' })).toEqual({ text: 'look at names' });
});

test('skill reads nothing that lies outside, is no text, or is not there', async () => {
  await put(join(place.root, 'data', 'other', 'secret'), 'do not show');
  await put(join(far, 'review', 'SKILL.md'), skill('review', 'x'));
  await put(join(far, 'review', 'binary'), new Uint8Array([1, 0, 2]));
  await symlink(join(place.root, 'data', 'other', 'secret'), join(far, 'review', 'link'));
  await mkdir(join(place.root, 'data', 'other', 'skill'), { recursive: true });
  await put(join(place.root, 'data', 'other', 'skill', 'SKILL.md'), skill('outside', 'x'));
  await symlink(join(place.root, 'data', 'other', 'skill'), join(far, 'outside'));
  for (const path of ['link', '../../../data/other/secret', '/etc/passwd', 'binary', 'missing', '.', 'a\0b'])
    expect(await use({ action: 'file', name: 'review', path })).toMatchObject({ isError: true });
  expect(await use({ action: 'load', name: 'outside' })).toMatchObject({ isError: true });
  expect((await use({ action: 'list' })).text).toContain('not usable: outside: the folder is a link');
});

test('skill that is not known names those that are', async () => {
  await put(join(near, 'release', 'SKILL.md'), skill('release', 'x'));
  expect(await use({ action: 'load', name: 'releese' })).toEqual({
    text: 'There is no skill "releese". There are: release.',
    isError: true,
  });
});
