import { expect, test } from 'vitest';
import { type SetupFacts, setupKey } from '../../../src/workspace/setup/setup-key.ts';

const FACTS: SetupFacts = {
  run: 'npm ci',
  inputs: [
    { path: 'package-lock.json', contentHash: 'aa' },
    { path: '.npmrc', contentHash: 'missing' },
  ],
  platform: 'linux-x64-glibc',
  nodeMajor: 20,
  network: 'all',
};

test('D23 a key does not depend on the order of inputs', () => {
  expect(setupKey({ ...FACTS, inputs: FACTS.inputs.toReversed() })).toBe(setupKey(FACTS));
  expect(setupKey(FACTS)).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, Partial<SetupFacts>]>([
  ['the command', { run: 'npm ci ' }],
  ['the content of an input', { inputs: [{ path: 'package-lock.json', contentHash: 'ab' }] }],
  ['the name of an input', { inputs: FACTS.inputs.map((input) => ({ ...input, path: `x/${input.path}` })) }],
  ['the platform', { platform: 'linux-arm64-glibc' }],
  ['the runtime', { nodeMajor: 22 }],
  ['the network', { network: 'none' }],
])('D23 a key changes with %s', (_name, change) => {
  expect(setupKey({ ...FACTS, ...change })).not.toBe(setupKey(FACTS));
});
