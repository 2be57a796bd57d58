import { expect, test } from 'vitest';
import { formatProblems } from '../../src/plan/problems/format-problems.ts';
import { problemsOf } from './support.ts';

const shown = (text: string): string => formatProblems(problemsOf(text), { fileName: 'plan.yaml', text });

test('a problem is shown with its place, its line and a caret beneath it', () => {
  const text = 'goal: g\ncriteria:\n  - text: t\n    check: {run: t, timeoutSec: -5}\nactions: [{runn: x}]\n';
  expect(shown(text)).toBe(
    [
      'plan.yaml:4:33  criteria[0].check.timeoutSec  expected 1..3600, found -5',
      '  4 |     check: {run: t, timeoutSec: -5}',
      '    |                                 ^',
      '',
      'plan.yaml:5:11  actions[0].run  expected a command, or vp with the id of a VP, found nothing',
      '  5 | actions: [{runn: x}]',
      '    |           ^',
      '',
      'plan.yaml:5:12  actions[0].runn  expected one of id, name, type, brief, run, vp, model, identity, dependsOn, for, workspace, maxAttempts, timeoutSec, silenceSec, effects, env, sandbox, found runn',
      '  5 | actions: [{runn: x}]',
      '    |            ^',
      '  Did you mean run?',
    ].join('\n'),
  );
});

test('a caret stands beneath its character behind tabs and a byte order mark', () => {
  expect(
    shown('\uFEFFgoal:\t\t5\r\ncriteria: [{text: t, check: c}]\r\nactions: [{run: x}]').split('\n').slice(1, 3),
  ).toEqual(['  1 | goal:\t\t5', '    |      \t\t^']);
});

test('a long line is cut around the place', () => {
  const lines = shown(
    `goal: g\ncriteria: [{text: t, check: ${'c'.repeat(300)}}, {text: ""}]\nactions: [{run: x}]`,
  ).split('\n');
  const caret = lines[2]?.indexOf('^') ?? -1;
  expect(lines[1]?.length).toBeLessThan(120);
  expect(lines[1]?.slice(caret, caret + 2)).toBe('""');
});

test('an empty file is answered with the example, without a caret', () => {
  expect(shown('')).toMatch(
    /^plan\.yaml:1:1 {2}expected goal, criteria and actions, found an empty file\n {2}A plan as small/,
  );
});
