import { expect, it } from 'vitest';
import type { Contract } from '../../src/client/index.ts';
import { contractChanges } from '../../web/src/inbox/contract-changes.ts';

const now: Contract = {
  ...{ version: 2, title: 'Greet', goal: 'Say hello.', instructions: null, directory: '/p', workspace: 'isolated' },
  criteria: [
    {
      id: 'c1',
      text: 'It says hello.',
      minProof: 'machine',
      check: { run: 'npm test', timeoutSec: 60, expectExit: 0, protect: [], network: 'none' },
    },
    { id: 'c2', text: 'It is short.', minProof: 'self' },
  ],
  setup: { run: 'npm ci', inputs: [], network: 'none', timeoutSec: 60 },
  delivery: { target: 'workspace_files' },
};

it('names the parts that a proposal changes, each before and after, and no others', () => {
  const [first] = now.criteria;
  const proposed = {
    ...now,
    goal: 'Say hello, and goodbye.',
    instructions: 'Small steps.',
    criteria: [first, { id: 'c3', text: 'It says goodbye.', minProof: 'machine' }],
    delivery: { target: 'merge', branch: 'main' },
  };
  expect(contractChanges(now, proposed)).toEqual([
    { part: 'goal', before: 'Say hello.', after: 'Say hello, and goodbye.' },
    { part: 'criterion', id: 'c2', before: 'It is short.\n(self)', after: null },
    { part: 'criterion', id: 'c3', before: null, after: 'It says goodbye.\n(machine)' },
    { part: 'delivery', before: 'workspace_files', after: 'merge → main' },
    { part: 'instructions', before: null, after: 'Small steps.' },
  ]);
});

it('shows another check of a criterion, and finds nothing in what is no contract', () => {
  const [first, second] = now.criteria;
  const stricter = { ...now, criteria: [{ ...first, check: { run: 'npm run all' } }, second] };
  expect(contractChanges(now, stricter)).toEqual([
    {
      ...{ part: 'criterion', id: 'c1' },
      before: 'It says hello.\n$ npm test\n(machine)',
      after: 'It says hello.\n$ npm run all\n(machine)',
    },
  ]);
  expect(contractChanges(now, undefined)).toEqual([]);
  expect(contractChanges(now, now)).toEqual([]);
});
