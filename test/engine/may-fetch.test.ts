import { expect, test } from 'vitest';
import { mayFetchAny } from '../../src/engine/agent/ruled-url.ts';
import type { Rule } from '../../src/executors/agent/permissions/policy.ts';

const URL_RULE = { tool: 'web_fetch', url: 'https://docs.example.org/*' } as const;

const named = (decide: Rule['decide']): Rule => ({ ...URL_RULE, decide });
const whole = (decide: Rule['decide'], tool = 'web_fetch'): Rule => ({ tool, decide });

type Case = readonly [what: string, rules: readonly Rule[], closed: boolean, open: boolean];

const CASES: readonly Case[] = [
  ['no rule', [], false, true],
  ['a rule that allows a URL', [named('allow')], true, true],
  ['a rule that asks about a URL', [named('ask')], true, true],
  ['a rule that refuses a URL', [named('deny')], false, true],
  ['a rule that allows the tool as a whole', [whole('allow')], false, true],
  ['a rule that refuses the tool as a whole', [whole('deny')], false, false],
  ['a rule that refuses every tool', [whole('deny', '*')], false, false],
  ['a URL that is allowed before the rest is refused', [named('allow'), whole('deny')], true, true],
  ['a URL that is allowed behind a rule that refuses all', [whole('deny'), named('allow')], false, false],
  ['rules of other tools', [whole('deny', 'shell'), { tool: '*', path: 'src/**', decide: 'deny' }], false, true],
];

test.each(CASES)(
  'T5: %s: pages may be fetched from a closed network %s, from an open one %s',
  (_what, rules, ...may) => {
    const policy = { rules, unattended: 'ask' } as const;
    expect([mayFetchAny(policy, 'loopback'), mayFetchAny(policy, 'all')]).toEqual(may);
  },
);

test('T5: a URL that only a person could allow is none where nobody is asked', () => {
  expect(mayFetchAny({ rules: [named('ask')], unattended: 'deny' }, 'none')).toBe(false);
});
