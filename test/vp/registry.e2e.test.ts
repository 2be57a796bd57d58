import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtInVps } from '../../src/vp/built-in/index.ts';
import { findVp, loadVps, type VpPlaces, type VpRegistry } from '../../src/vp/registry.ts';
import { VP_LIMITS } from '../../src/vp/vp.ts';
import { file, HEAD } from './support.ts';

let root: string;
let places: Required<VpPlaces>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vps ü '));
  places = {
    projectDirectory: join(root, 'project'),
    userDirectory: join(root, 'config'),
    userHome: join(root, 'home'),
  };
});
afterEach(() => rm(root, { recursive: true }));

const OWN = join('project', '.workcenter', 'vps');
const AGENTS = join('project', '.claude', 'agents');

async function put(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const agent = (name: string): string => file(`name: ${name}\ndescription: From Claude`);
const sourcesOf = (registry: VpRegistry, id: string) => [
  findVp(registry, id)?.source.path?.slice(root.length + 1),
  registry.shadowed
    .filter((vp) => vp.id === id)
    .map(({ source }) => source.path?.slice(root.length + 1) ?? source.kind),
];
const findingsOf = ({ findings }: VpRegistry) =>
  findings.map(({ kind, id, problems }) => [kind, id, problems[0]?.expected, problems[0]?.found]);

describe('where VPs come from', () => {
  test('without any folder there are the built-in ones and nothing to complain about', async () => {
    const registry = await loadVps(places);
    expect(registry).toEqual({ vps: builtInVps(), shadowed: [], findings: [] });
    expect(await loadVps({})).toEqual(registry);
  });

  test('the nearer file wins: project, user, project agents, user agents, built-in', async () => {
    const id = 'reviewer';
    const files = [`${OWN}/${id}.md`, `config/vps/${id}.md`, `${AGENTS}/${id}.md`, `home/.claude/agents/${id}.md`];
    for (const [index, path] of files.entries()) await put(path, index < 2 ? file(HEAD) : agent(id));
    const seen: unknown[] = [];
    for (const path of files) {
      seen.push(sourcesOf(await loadVps(places), id));
      await rm(join(root, path));
    }
    const behind = [...files, 'built-in'];
    expect(seen).toEqual(files.map((path, index) => [path, behind.slice(index + 1)]));
  });

  test('other files than markdown, and hidden ones, are nobody', async () => {
    await put(`${OWN}/notes.txt`, 'x');
    await put(`${OWN}/.new-1.md`, 'x');
    expect((await loadVps(places)).findings).toEqual([]);
  });

  test('two files with one id in one folder are one VP, the first by name', async () => {
    await put(`${OWN}/a.md`, file(`id: same\n${HEAD}`));
    await put(`${OWN}/b.md`, file(`id: same\n${HEAD}`));
    expect(sourcesOf(await loadVps(places), 'same')).toEqual([`${OWN}/a.md`, [`${OWN}/b.md`]]);
  });

  test('an edit changes the hash, so a Run can tell what it used', async () => {
    await put(`${OWN}/api.md`, file(HEAD));
    const before = findVp(await loadVps(places), 'api');
    await put(`${OWN}/api.md`, file(HEAD, 'You look again.'));
    const after = findVp(await loadVps(places), 'api');
    expect(before?.hash).not.toBe(after?.hash);
  });
});

describe('a file that cannot be used', () => {
  test('is a finding beside VPs that work', async () => {
    await put(`${OWN}/broken.md`, 'no front matter');
    await put(`${OWN}/api.md`, file(HEAD));
    const registry = await loadVps(places);
    expect(findingsOf(registry)).toEqual([['broken', 'broken', 'front matter between two lines ---', 'none']]);
    expect(registry.vps).toHaveLength(builtInVps().length + 1);
  });

  test('holds back the VPs it was to replace: a typing mistake does not give the built-in one its place', async () => {
    await put(`${OWN}/reviewer.md`, file('role: x'));
    const registry = await loadVps(places);
    expect(sourcesOf(registry, 'reviewer')).toEqual([undefined, ['built-in']]);
  });

  test('and tools of Claude Code that do not exist here are a note', async () => {
    await put(`${AGENTS}/a.md`, file('name: a\ndescription: b\ntools: Read, TodoWrite'));
    const registry = await loadVps(places);
    expect(findingsOf(registry)).toEqual([['note', 'a', 'tools that exist here', 'TodoWrite']]);
    expect(findVp(registry, 'a')?.tools).toEqual(['read', 'view_image']);
  });

  test('may be too large, no UTF-8, a folder, a pipe, or a link to nothing', async () => {
    await put(`${OWN}/large.md`, Buffer.alloc(VP_LIMITS.fileBytes + 1, 'x'));
    await put(`${OWN}/latin.md`, Buffer.from([0x2d, 0xe4, 0xff]));
    await mkdir(join(root, OWN, 'folder.md'));
    expect(spawnSync('mkfifo', [join(root, OWN, 'pipe.md')]).status).toBe(0);
    await symlink(join(root, 'gone'), join(root, OWN, 'dangling.md'));
    expect(findingsOf(await loadVps(places))).toEqual([
      ['broken', 'dangling', 'something readable', 'ENOENT'],
      ['broken', 'folder', 'a file', 'something else'],
      ['broken', 'large', 'at most 65536 bytes', 'more'],
      ['broken', 'latin', 'UTF-8 text', 'other bytes'],
      ['broken', 'pipe', 'a file', 'something else'],
    ]);
  });

  test('may be a link that leaves its folder; inside the folder links are followed', async () => {
    await put('secret.md', file(HEAD));
    await put(`${OWN}/api.md`, file(`id: api\n${HEAD}`));
    await symlink('../../../secret.md', join(root, OWN, 'out.md'));
    await symlink('api.md', join(root, OWN, 'in.md'));
    const registry = await loadVps(places);
    expect(findingsOf(registry)).toEqual([['broken', 'out', 'a file of this folder', 'a link that leaves it']]);
    expect(sourcesOf(registry, 'api')).toEqual([`${OWN}/api.md`, [`${OWN}/in.md`]]);
  });

  test('may lie behind a link that leads the whole folder out of the project; a person may link their own', async () => {
    await put('elsewhere/x.md', file(HEAD));
    await mkdir(join(root, 'project/.workcenter'), { recursive: true });
    await mkdir(join(root, 'config'));
    await symlink(join(root, 'elsewhere'), join(root, OWN));
    await symlink(join(root, 'elsewhere'), join(root, 'config/vps'));
    const registry = await loadVps(places);
    expect(findingsOf(registry)).toEqual([
      ['broken', undefined, 'a folder inside the project', 'a link that leaves it'],
    ]);
    expect(sourcesOf(registry, 'x')).toEqual(['config/vps/x.md', []]);
  });

  test('may be one of too many', async () => {
    for (let n = 0; n <= VP_LIMITS.filesPerFolder; n += 1) await put(`${OWN}/v${n}.md`, file(HEAD));
    const registry = await loadVps(places);
    expect(findingsOf(registry)).toEqual([['broken', undefined, 'at most 256 files', '1 more']]);
    expect(registry.vps).toHaveLength(VP_LIMITS.filesPerFolder + builtInVps().length);
  });
});
