import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseVp } from '../../src/vp/parse-vp.ts';
import { VP_LIMITS } from '../../src/vp/vp.ts';
import { formatVpProblem } from '../../src/vp/vp-problem.ts';
import { CLAUDE, file, HEAD, OWN, parsed, problemsOf } from './support.ts';

describe('a VP file', () => {
  test('needs a name, a role, capabilities and a persona; its id is the name of the file', () => {
    expect(parsed(file(HEAD))).toEqual({
      id: 'api',
      name: 'API reviewer',
      role: 'Looks at interfaces',
      persona: 'You look at interfaces.',
      capabilities: ['review', 'api-design'],
      executor: { kind: 'agent' },
      source: OWN,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('may say traits, model, effort and tools, and an id of its own', () => {
    const more = 'id: other\ntraits: [strict]\nmodel: ultimate\neffort: xhigh\ntools: [read, Bash, mcp__gh__issues]';
    expect(parsed(file(`${HEAD}\n${more}`))).toMatchObject({
      id: 'other',
      traits: ['strict'],
      model: { tag: 'ultimate' },
      effort: 'xhigh',
      tools: ['read', 'shell', 'git_read', 'mcp__gh__issues'],
    });
    expect(parsed(file(`${HEAD}\nmodel: openrouter/qwen/qwen3`)).model).toEqual({ ref: 'openrouter/qwen/qwen3' });
  });

  test('may name a command, which needs no persona', () => {
    const vp = parsed(file(`${HEAD}\nexecutor:\n  run: [qwen, -p]\n  env: { LANG: C }`, ''));
    expect(vp.executor).toEqual({ kind: 'command', run: ['qwen', '-p'], env: { LANG: 'C' } });
    expect(vp.persona).toBe('');
  });

  test('with an empty list of tools allows none, and without a list allows all', () => {
    expect(parsed(file(`${HEAD}\ntools: []`)).tools).toEqual([]);
    expect(parsed(file(HEAD)).tools).toBeUndefined();
  });

  test('reads the same with a byte order mark and Windows line ends, but has another hash', () => {
    const windows = `\uFEFF${file(HEAD, 'One.\nTwo.').replaceAll('\n', '\r\n')}`;
    const { hash, ...rest } = parsed(windows);
    const { hash: unix, ...same } = parsed(file(HEAD, 'One.\nTwo.'));
    expect(rest).toEqual(same);
    expect(hash).not.toBe(unix);
  });

  test('keeps a rule of dashes in the persona', () => {
    expect(parsed(file(HEAD, 'Above\n\n---\n\nBelow')).persona).toBe('Above\n\n---\n\nBelow');
  });

  test('declares each capability once, as a tag', () => {
    const head = 'name: x\nrole: y\ncapabilities: [API Design, api-design, "Prüfung"]';
    expect(parsed(file(head)).capabilities).toEqual(['api-design', 'prüfung']);
  });
});

const long = (chars: number): string => 'x'.repeat(chars);
const many = (count: number): string => `[${Array.from({ length: count }, (_, n) => `w${n}`).join(', ')}]`;

const bad: readonly (readonly [name: string, text: string, fields: readonly string[]])[] = [
  ['an empty file', '', ['']],
  ['no front matter', 'You are helpful.', ['']],
  ['front matter that never ends', `---\n${HEAD}\n`, ['']],
  ['front matter that is a list', file('- a'), ['']],
  ['a key twice', file(`${HEAD}\nname: Again`), ['']],
  ['an anchor and an alias', file(`${HEAD}\ntraits: [&a x, *a]`), ['']],
  ['nine lists in each other', file(`${HEAD}\ntraits: [[[[[[[[[x]]]]]]]]]`), ['']],
  ['a tag of its own', file(`${HEAD}\nmodel: !run x`), ['']],
  ['a key that is a list', file(`${HEAD}\n? [a]\n: b`), ['']],
  ['an unknown key', file(`${HEAD}\ncolour: red`), ['colour']],
  ['__proto__ as a key', file(`${HEAD}\n__proto__: {role: x}`), ['__proto__']],
  ['nothing but keys that are missing', file('{}'), ['name', 'role', 'capabilities']],
  ['a name of two lines', file(HEAD.replace('API reviewer', '"a\\nb"')), ['name']],
  ['a name that is too long', file(HEAD.replace('API reviewer', long(VP_LIMITS.name + 1))), ['name']],
  ['a role that moves the cursor', file(HEAD.replace('Looks at interfaces', '"\\e[2J"')), ['role']],
  ['a role that is too long', file(HEAD.replace('Looks at interfaces', long(VP_LIMITS.role + 1))), ['role']],
  ['no capability', file(HEAD.replace('[review, api design]', '[]')), ['capabilities']],
  ['21 capabilities', file(HEAD.replace('[review, api design]', many(21))), ['capabilities']],
  ['a capability without a word', file(HEAD.replace('api design', '"--"')), ['capabilities[1]']],
  ['a capability that is too long', file(HEAD.replace('api design', long(65))), ['capabilities[1]']],
  ['an empty list of traits', file(`${HEAD}\ntraits: []`), ['traits']],
  ['21 traits', file(`${HEAD}\ntraits: ${many(21)}`), ['traits']],
  ['a trait that is too long', file(`${HEAD}\ntraits: [a, ${long(81)}]`), ['traits[1]']],
  ['a trait that is a number', file(`${HEAD}\ntraits: [5]`), ['traits[0]']],
  ['an id with capitals', file(`${HEAD}\nid: Api`), ['id']],
  ['an id that is a path', file(`${HEAD}\nid: ../x`), ['id']],
  ['an id that is too long', file(`${HEAD}\nid: ${long(65)}`), ['id']],
  ['a model without a provider', file(`${HEAD}\nmodel: gpt`), ['model']],
  ['a model without a value', file(`${HEAD}\nmodel:`), ['model']],
  ['an unknown effort', file(`${HEAD}\neffort: maximal`), ['effort']],
  ['an unknown tool', file(`${HEAD}\ntools: [read, fly]`), ['tools[1]']],
  ['a part of a tool', file(`${HEAD}\ntools: [Bash(git:*)]`), ['tools[0]']],
  ['a command without run', file(`${HEAD}\nexecutor: {env: {}}`), ['executor']],
  ['a variable of the engine', file(`${HEAD}\nexecutor: {run: x, env: {WORKCENTER_RUN: y}}`), ['executor']],
  ['tools beside a command', file(`${HEAD}\ntools: [read]\nmodel: fast\nexecutor: {run: x}`), ['model', 'tools']],
  ['no persona', file(HEAD, '  '), ['persona']],
  ['a persona that is too long', file(HEAD, long(VP_LIMITS.persona + 1)), ['persona']],
  ['a persona with an escape', file(HEAD, 'a\u001b[2Jb'), ['persona']],
  ['a file that is too large', file(HEAD, 'ä'.repeat(VP_LIMITS.fileBytes / 2)), ['']],
  ['front matter that is too large', file(`${HEAD}\ncolour: ${long(VP_LIMITS.frontMatterBytes)}`), ['']],
];

describe('a broken VP file', () => {
  test.each(bad)('with %s is refused at that field', (_, text, fields) => {
    const result = parseVp(text, OWN);
    expect(result.ok ? [] : result.problems.map(({ field }) => field)).toEqual(fields);
  });

  test.each(['all', 'user', 'system', 'everyone', 'coordinator', 'engine'])('may not take the id %s', (id) => {
    expect(problemsOf(file(`id: ${id}\n${HEAD}`))).toEqual(['id: an id that does not already address somebody else']);
  });

  test('is told all its faults at once, each with what to do', () => {
    const result = parseVp(file('name: x\ncapabilities: review\neffort: 3'), OWN);
    expect(result.ok ? [] : result.problems.map(formatVpProblem)).toEqual([
      '/p/.workcenter/vps/api.md: role: expected one line of 1 to 200 characters, found nothing. Correct role.',
      '/p/.workcenter/vps/api.md: capabilities: expected a list of 1 to 20, found review. Correct capabilities.',
      '/p/.workcenter/vps/api.md: effort: expected low, medium, high, xhigh, found 3. Correct effort.',
    ]);
  });

  test('says which VP it was meant to be', () => {
    expect(parseVp(file('id: other'), OWN)).toMatchObject({ ok: false, id: 'other' });
    expect(parseVp('nothing', OWN)).toMatchObject({ ok: false, id: 'api' });
  });

  test('never has the value of a variable in its problems', () => {
    const result = parseVp(file(`${HEAD}\nexecutor: {run: x, env: {"1KEY": canary-4711, B: [canary-4711]}}`), OWN);
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('canary');
  });
});

const hostile: readonly (readonly [name: string, head: string])[] = [
  ['brackets', '['.repeat(16_000)],
  ['braces', '{a: '.repeat(4_000)],
  ['nested lists', '- '.repeat(8_000)],
  ['nested keys', '? '.repeat(8_000)],
  ['many keys', Array.from({ length: 2_000 }, (_, n) => `k${n}: 1`).join('\n')],
  ['aliases that multiply', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]'],
];

describe('the parser', () => {
  test.each(hostile)('refuses %s without end', (_, head) => {
    expect(parseVp(file(head), OWN).ok).toBe(false);
    expect(parseVp(file(head), CLAUDE).ok).toBe(false);
  });

  const pieces = [
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('---\n', 'name: ', 'description: ', 'capabilities: [', 'tools: ', 'executor: {run: ', '\n', '\r\n'),
    fc.constantFrom('&a ', '*a', '!!js ', '<<: ', '? ', '- ', '|\n  ', '"', '}', ']', '\0', '\uD800', '__proto__: '),
  ] as const;
  const text = fc.array(fc.oneof(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

  test('never throws, whatever the text is', () => {
    fc.assert(
      fc.property(text, fc.boolean(), fc.constantFrom(OWN, CLAUDE), (body, isFenced, source) => {
        const result = parseVp(isFenced ? file(body) : body, source);
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_500 },
    );
  });

  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('review', 'fast', 'agent', [], ['x'], null));
  const keys = ['id', 'name', 'role', 'capabilities', 'traits', 'model', 'tools', 'executor', 'constructor'] as const;

  test('never throws for values of other types, and names a field for each', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), value), fc.constantFrom(OWN, CLAUDE), (data, source) => {
        const result = parseVp(file(JSON.stringify(data)), source);
        if (!result.ok)
          expect(result.problems.every(({ expected, next }) => expected !== '' && next !== '')).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
