import { describe, expect, test } from 'vitest';
import { matchStep } from '../../src/model/scripted/match-step.ts';
import { readOpenaiChat } from '../../src/model/scripted/read-openai-chat.ts';
import { parseScenario, type ScriptedRequest, type When } from '../../src/testing.ts';

const compiled = (...whens: readonly When[]) => {
  const result = parseScenario({ name: 'x', steps: whens.map((when) => ({ when, reply: { text: 'x' } })) });
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.scenario;
};

const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } };
const tools = [{ type: 'function', function: { name: 'read' } }];

function request(): ScriptedRequest {
  const messages = [
    { role: 'system', content: 'You are the Coordinator.' },
    { role: 'user', content: 'Goal: fix item wi_12' },
    { role: 'assistant', content: 'I look first.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'contents of a.txt' },
    { role: 'user', content: 'Hurry, please' },
  ];
  const read = readOpenaiChat({ model: 'gpt-5-mini', messages, tools });
  if (!read.ok) throw new Error(read.problem);
  return read.request;
}

const holds = (when: When, used = 0): boolean => matchStep(compiled(when), request(), [used]).ok;

describe('a step', () => {
  test.each<[string, When, boolean]>([
    ['nothing asked for', {}, true],
    ['who asks', { asks: 'Coordinator' }, true],
    ['another who asks', { asks: 'reviewer' }, false],
    ['a word that is only in the system prompt, in the conversation', { conversation: 'Coordinator' }, false],
    ['what a tool said', { says: 'contents of a' }, true],
    ['what the user said after the tool', { says: ['contents', /^Hurry/m] }, true],
    ['what was said before the model spoke', { says: 'Goal' }, false],
    ['the same, anywhere in the conversation', { conversation: 'Goal' }, true],
    ['a call in the conversation', { conversation: /read \{"path":"a\.txt"\}/ }, true],
    ['a pattern with flags in its text', { says: '/HURRY/i' }, true],
    ['one pattern of two that is not there', { says: ['Hurry', 'slowly'] }, false],
    ['a tool that is offered', { tools: ['read'] }, true],
    ['a tool that is not', { tools: ['read', 'write'] }, false],
    ['a tool that must not be offered', { lacksTools: ['read'] }, false],
    ['the turn', { turn: 2 }, true],
    ['another turn', { turn: 1 }, false],
    ['the model', { model: '^gpt-5' }, true],
    ['another model', { model: 'claude' }, false],
    ['the protocol', { protocol: 'openai-chat' }, true],
    ['another protocol', { protocol: 'anthropic' }, false],
  ])('with %s: %j holds: %s', (_name, when, expected) => {
    expect(holds(when)).toBe(expected);
  });

  test('that may answer twice is used up after two', () => {
    expect([holds({ times: 2 }, 1), holds({ times: 2 }, 2)]).toEqual([true, false]);
  });

  test('gives the groups of all its patterns', () => {
    const when = { says: /(?<verb>Hurry)/, conversation: ['item (?<id>wi_\\d+)', /(?<none>zzz)?/] };
    expect(matchStep(compiled(when), request(), [0])).toMatchObject({ groups: { verb: 'Hurry', id: 'wi_12' } });
  });

  test('with a global pattern matches every time', () => {
    const scenario = compiled({ says: /Hurry/g });
    const results = [1, 2, 3].map(() => matchStep(scenario, request(), [0]).ok);
    expect(results).toEqual([true, true, true]);
  });
});

describe('of several steps', () => {
  test('the first that matches wins', () => {
    const scenario = compiled({ turn: 1 }, { turn: 2 }, {});
    expect(matchStep(scenario, request(), [0, 0, 0])).toMatchObject({ ok: true, index: 1 });
  });

  test('none: each says why', () => {
    const scenario = compiled({ turn: 1 }, { says: ['Hurry', 'slowly'] }, { times: 1 }, { tools: ['write'] });
    expect(matchStep(scenario, request(), [0, 0, 1, 0])).toEqual({
      ok: false,
      reasons: ['steps[0]: turn 1', 'steps[1]: says /slowly/', 'steps[2]: used up after 1', 'steps[3]: tools write'],
    });
  });
});
