import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolDirectories } from '../../../src/workspace/sandbox/tool-directories.ts';

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp('/tmp/user home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test('tools beneath the home directory bring their libraries, link targets and version manager', async () => {
  for (const name of ['.nvm/v20/bin', '.nvm/v20/lib', '.pyenv/shims', '.local/bin', '.local/share/agent']) {
    await mkdir(join(home, name), { recursive: true });
  }
  await writeFile(join(home, '.local/share/agent/run'), '');
  await symlink(join(home, '.local/share/agent/run'), join(home, '.local/bin/agent'));
  const path = ['.nvm/v20/bin', '.pyenv/shims', '.local/bin'].map((name) => join(home, name)).join(':');
  expect(await toolDirectories({ path: `${path}:/usr/bin`, userHome: home })).toEqual(
    ['.local/bin', '.local/share/agent/run', '.nvm/v20/bin', '.nvm/v20/lib', '.pyenv', '.pyenv/shims'].map((name) =>
      join(home, name),
    ),
  );
});

test('neither the home directory, nor a missing one, nor one outside is listed', async () => {
  expect(await toolDirectories({ path: `${home}:${home}/missing:relative:/usr/bin:${home}x`, userHome: home })).toEqual(
    [],
  );
});
