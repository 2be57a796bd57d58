import { describe, expect, test } from 'vitest';
import { parseScenario, parseScenarioText } from '../../src/testing.ts';

const problemsOf = (data: unknown): readonly string[] => {
  const result = parseScenario(data);
  return result.ok ? [] : result.problems;
};

const withStep = (step: unknown) => ({ name: 'x', steps: [step] });
const withWhen = (when: unknown) => withStep({ when, reply: { text: 'x' } });

const bad: readonly (readonly [name: string, data: unknown, problems: readonly string[]])[] = [
  ['no name', { steps: [{ reply: {} }] }, ['name: expected a text']],
  ['no steps', { name: 'x', steps: [] }, ['steps: expected at least one step']],
  ['an unknown key', withStep({ reply: {}, after: 1 }), ['steps[0].after: unknown key']],
  ['an unknown matcher', withWhen({ say: 'x' }), ['steps[0].when.say: unknown key']],
  [
    'a matcher with a pattern that is none',
    withWhen({ says: ['a', '['] }),
    ['steps[0].when.says[1]: Invalid regular expression: /[/: Unterminated character class'],
  ],
  [
    'a pattern with a flag that is none',
    withWhen({ asks: '/a/qq' }),
    ["steps[0].when.asks: Invalid flags supplied to RegExp constructor 'qq'"],
  ],
  [
    'a pattern that is a number',
    withWhen({ asks: 5 }),
    ['steps[0].when.asks: expected a regular expression, such as "tests? fail" or "/tests? fail/i"'],
  ],
  ['a turn of zero', withWhen({ turn: 0 }), ['steps[0].when.turn: expected 1 or more']],
  [
    'an unknown protocol',
    withWhen({ protocol: 'openai' }),
    ['steps[0].when.protocol: expected one of openai-chat, openai-responses, anthropic'],
  ],
  ['a step that answers nothing', withStep({ when: {} }), ['steps[0]: expected reply, error or broken']],
  [
    'a step with two endings',
    withStep({ error: { status: 500 }, broken: 'html' }),
    ['steps[0]: expected error or broken, not both'],
  ],
  [
    'a reply before an error that replaces it',
    withStep({ reply: {}, error: { status: 500 } }),
    ['steps[0]: a reply beside an error needs error.afterBytes: how much of it is sent before'],
  ],
  ['a status that is no error', withStep({ error: { status: 200 } }), ['steps[0].error.status: expected 400..599']],
  [
    'an unknown break',
    withStep({ broken: 'quiet' }),
    ['steps[0].broken: expected one of before_headers, mid_stream, silent, ends_early, truncated_json, html'],
  ],
  [
    'a call without a name',
    withStep({ reply: { toolCalls: [{ input: {} }] } }),
    ['steps[0].reply.toolCalls[0].name: expected a text'],
  ],
  [
    'a call with a list as input',
    withStep({ reply: { toolCalls: [{ name: 'x', input: [] }] } }),
    ['steps[0].reply.toolCalls[0].input: expected a mapping, or a text that is sent as it is'],
  ],
  ['an unknown key of a reply', withStep({ reply: { txt: 'x' } }), ['steps[0].reply.txt: unknown key']],
  [
    'a usage without output',
    withStep({ reply: { usage: { input: 1 } } }),
    ['steps[0].reply.usage.output: expected a whole number of tokens'],
  ],
  [
    'several faults at once',
    { name: '', steps: [{ reply: { delayMs: -1 } }, {}] },
    [
      'name: expected a name',
      'steps[0].reply.delayMs: expected 0 or more',
      'steps[1]: expected reply, error or broken',
    ],
  ],
];

describe('a scenario', () => {
  test.each(bad)('with %s is refused with its place', (_name, data, problems) => {
    expect(problemsOf(data)).toEqual(problems);
  });

  test('with everything it may have is accepted', () => {
    const when = {
      asks: ['a', /b/g],
      says: '/c/i',
      conversation: 'd',
      tools: ['t'],
      lacksTools: ['u'],
      turn: 1,
      times: 2,
      model: 'm',
      protocol: 'anthropic',
    };
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 1 };
    const toolCalls = [{ name: 't', input: { a: 1 }, id: 'call_1' }, { name: 't', input: 'no json' }, { name: 't' }];
    const reply = { text: 'x', reasoning: 'y', toolCalls, usage, stop: 'end', delayMs: 1, chunkDelayMs: 2 };
    const error = { status: 429, message: 'x', body: { a: 1 }, headers: { 'retry-after': 3 }, delayMs: 1 };
    const steps = [{ name: 's', when, reply }, { error }, { reply, error: { status: 500, afterBytes: 9 } }];
    expect(problemsOf({ name: 'x', model: 'm', steps: [...steps, { reply: () => ({}) }] })).toEqual([]);
  });

  test('in a file is refused with line and column', () => {
    const text = 'name: x\nsteps:\n  - when:\n      turn: soon\n    reply: { text: a }\n  - {}\n';
    expect(parseScenarioText(text, 'case.yaml')).toEqual({
      ok: false,
      problems: [
        'case.yaml:4:13 steps[0].when.turn: expected a whole number',
        'case.yaml:6:5 steps[1]: expected reply, error or broken',
      ],
    });
  });

  test('in a file that is no YAML is refused with what the parser says', () => {
    const result = parseScenarioText('name: "x\nsteps: [\n', 'case.yaml');
    expect(result.ok ? [] : result.problems[0]).toMatch(/^case\.yaml:\d+:\d+ /);
  });
});
