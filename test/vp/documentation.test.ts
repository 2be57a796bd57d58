import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtInVps } from '../../src/vp/built-in/index.ts';
import { TOOL_NAMES } from '../../src/vp/tool-names.ts';
import { VP_KEYS } from '../../src/vp/vp-schema.ts';
import { parsed } from './support.ts';

const text = readFileSync(new URL('../../docs/vps.md', import.meta.url), 'utf8');

test('every file in docs/vps.md is a sound VP', () => {
  const files = [...text.matchAll(/```markdown\n(.*?)```/gs)].map(([, file = '']) => parsed(file));
  expect(files.map(({ name, executor }) => [name, executor.kind])).toEqual([
    ['API reviewer', 'agent'],
    ['Qwen', 'command'],
  ]);
});

test('docs/vps.md names every key, every tool and the capabilities of every built-in VP', () => {
  for (const word of [...VP_KEYS, ...TOOL_NAMES]) expect(text).toContain(`\`${word}\``);
  for (const { id, capabilities } of builtInVps()) expect(text).toContain(`| \`${id}\` | ${capabilities.join(', ')} |`);
});
