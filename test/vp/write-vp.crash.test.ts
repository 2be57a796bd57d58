import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findVp, loadVps } from '../../src/vp/registry.ts';
import { writeVp } from '../../src/vp/write-vp.ts';
import { compiledScript } from '../support/compiled-script.ts';

const writer = await compiledScript(new URL('dying-writer.ts', import.meta.url));
const draft = { id: 'mortal', name: 'Mortal', role: 'Dies', capabilities: ['dying'], persona: 'You die.' };

const moments = [
  ['before', 'open', false],
  ['after', 'open', false],
  ['before', 'link', false],
  ['after', 'link', true],
  ['before', 'rm', true],
] as const;

test.each(moments)(
  'D34: killed %s %s, a writer leaves its VP whole or not at all, and the id free if not',
  async (phase, name, isThere) => {
    const root = await mkdtemp(join(tmpdir(), 'dying-'));
    try {
      const died = spawnSync(process.execPath, [writer, root, name, phase], { encoding: 'utf8' });
      expect([died.signal, died.stderr]).toEqual(['SIGKILL', '']);
      const registry = await loadVps({ projectDirectory: root });
      expect(registry.findings).toEqual([]);
      expect(findVp(registry, 'mortal')?.persona).toBe(isThere ? 'You die.' : undefined);
      const again = await writeVp(draft, {
        kind: 'project',
        folder: join(root, '.workcenter', 'vps'),
        within: root,
        taken: [],
      });
      expect(again.kind).toBe(isThere ? 'refused' : 'written');
    } finally {
      await rm(root, { recursive: true });
    }
  },
);
