import { expect, it } from 'vitest';
import type { Contract } from '../../src/client/index.ts';
import { changesBetween } from '../../web/src/item/contract/contract-parts.ts';
import { wordChanges } from '../../web/src/item/contract/word-changes.ts';

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
    criteria: first ? [first, { id: 'c3', text: 'It says goodbye.', minProof: 'machine' as const }] : [],
    delivery: { target: 'merge' as const, branch: 'main' },
  };
  expect(changesBetween(now, proposed)).toEqual([
    { name: 'goal', before: 'Say hello.', after: 'Say hello, and goodbye.' },
    { name: 'criterion:c3', before: '', after: 'It says goodbye.\nproof: machine' },
    { name: 'delivery', before: 'workspace_files', after: 'merge main' },
    { name: 'instructions', before: '', after: 'Small steps.' },
    { name: 'criterion:c2', before: 'It is short.\nproof: self', after: '' },
  ]);
  expect(changesBetween(now, now)).toEqual([]);
});

it('marks the words that changed in a text, and sets a text that is another beside the old one', () => {
  const told = (before: string, after: string) =>
    wordChanges(before, after).map(({ value, added, removed }) => `${added ? '+' : removed ? '-' : ' '}${value}`);
  expect(told('It says hello twice.', 'It says hello once.')).toEqual([' It says hello ', '-twice', '+once', ' .']);
  expect(told('It works.', 'An empty file is refused.')).toEqual(['-It works.', '+An empty file is refused.']);
  expect(told('It works.\n$ npm test\nproof: self', 'An empty file is refused.\n$ npm test\nproof: self')).toEqual([
    '-It works.\n',
    '+An empty file is refused.\n',
    ' $ npm test\nproof: self',
  ]);
  expect(told('Same.\n', 'Same.\nMore.')).toEqual([' Same.\n', '+More.']);
  expect(told('', 'New.')).toEqual(['+New.']);
});
