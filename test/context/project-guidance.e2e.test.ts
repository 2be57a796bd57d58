import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProjectGuidance } from '../../src/context/project-guidance.ts';

let outer: string;
let top: string;

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'guidance-'));
  top = join(outer, 'top');
  await mkdir(join(top, 'packages', 'server'), { recursive: true });
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const put = (path: string, text: string) => writeFile(join(top, path), text);

describe('project guidance (D34)', () => {
  it('is that of the nearest directory', async () => {
    await put('AGENTS.md', 'far');
    await put('packages/AGENTS.md', 'near');
    const { files } = await readProjectGuidance(join(top, 'packages', 'server'), top);
    expect(files).toEqual([{ path: 'packages/AGENTS.md', text: 'near', cut: false }]);
  });

  it('is never looked for above the workspace', async () => {
    await writeFile(join(outer, 'AGENTS.md'), 'outside');
    expect(await readProjectGuidance(join(top, 'packages'), top)).toEqual({ files: [], refused: [] });
  });

  it('is both files when they differ, and one when they are the same', async () => {
    await put('AGENTS.md', 'same');
    await put('CLAUDE.md', 'same');
    expect((await readProjectGuidance(top, top)).files.map(({ path }) => path)).toEqual(['AGENTS.md']);
    await put('CLAUDE.md', 'other');
    expect((await readProjectGuidance(top, top)).files.map(({ path }) => path)).toEqual(['AGENTS.md', 'CLAUDE.md']);
  });

  it('is cut at 32 KiB, between characters', async () => {
    await put('AGENTS.md', `x${'é'.repeat(20_000)}`);
    const [file] = (await readProjectGuidance(top, top)).files;
    expect(file?.cut).toBe(true);
    expect(file?.text).toBe(`x${'é'.repeat(16_383)}`);
  });

  it('follows a link inside the workspace, refuses one that leaves it, and is held by no pipe', async () => {
    await put('packages/rules.md', 'linked');
    await symlink('packages/rules.md', join(top, 'AGENTS.md'));
    await writeFile(join(outer, 'secret'), 'secret');
    await symlink('../secret', join(top, 'CLAUDE.md'));
    expect(await readProjectGuidance(top, top)).toEqual({
      files: [{ path: 'AGENTS.md', text: 'linked', cut: false }],
      refused: [{ path: 'CLAUDE.md', why: 'it is a link that leaves the workspace' }],
    });
    execFileSync('mkfifo', [join(top, 'packages', 'server', 'AGENTS.md')]);
    const { refused } = await readProjectGuidance(join(top, 'packages', 'server'), top);
    expect(refused).toEqual([{ path: 'packages/server/AGENTS.md', why: 'it is not a regular file' }]);
  });
});
