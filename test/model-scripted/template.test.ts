import { describe, expect, test } from 'vitest';
import { fill, valueAt } from '../../src/model/scripted/template.ts';

const root = {
  said: '{"actions":[{"id":"act_1"},{"id":"act_2"}],"count":2}',
  messages: [{ role: 'user' }, { role: 'tool', results: [{ text: '{"nested":"{\\"deep\\":true}"}' }] }],
};

describe('a path', () => {
  test.each([
    ['$.messages[0].role', 'user'],
    ['$.messages[-1].role', 'tool'],
    ['$.said.actions[1].id', 'act_2'],
    ['$.said.actions', [{ id: 'act_1' }, { id: 'act_2' }]],
    ['$.messages[-1].results[0].text.nested.deep', true],
    ['$.said', root.said],
    ['$.said.toString', undefined],
    ['$.messages[7].role', undefined],
    ['$.messages.length', undefined],
  ])('%s is %j', (path, expected) => {
    expect(valueAt(root, path)).toEqual(expected);
  });
});

describe('filling', () => {
  const source = { values: { id: 'act_9', n: '7' }, root };

  test('a text that is one template becomes the value, within a text its words', () => {
    const input = { ids: '{{$.said.actions}}', count: '{{$.said.count}}', note: 'n={{n}}, {{$.said.count}}' };
    expect(fill({ list: [input] }, source)).toEqual({
      ok: true,
      value: { list: [{ ids: [{ id: 'act_1' }, { id: 'act_2' }], count: 2, note: 'n=7, 2' }] },
    });
  });

  test('a value that looks like a template is not filled again', () => {
    const sly = { values: { a: '{{b}}', b: 'secret' }, root };
    expect(fill('{{a}} {{b}}', sly)).toEqual({ ok: true, value: '{{b}} secret' });
  });

  test('an escaped template, other braces and what is no text stay', () => {
    const value = ['\\{{id}}', '{{ a.b }}', '{{}}', '{"a":{"b":1}}', 5, null, true];
    expect(fill(value, source)).toEqual({ ok: true, value: ['{{id}}', ...value.slice(1)] });
  });

  test('all that cannot be found is said at once', () => {
    expect(fill(['{{who}}', 'x {{$.what}} {{id}}'], source)).toEqual({
      ok: false,
      problem: 'nothing found for who, $.what (captured groups: id, n)',
    });
  });
});
