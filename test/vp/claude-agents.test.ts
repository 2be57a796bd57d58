import { describe, expect, test } from 'vitest';
import { parseVp } from '../../src/vp/parse-vp.ts';
import { TOOL_NAMES } from '../../src/vp/tool-names.ts';
import { CLAUDE, file, parsed, problemsOf } from './support.ts';

const agent = (head: string, persona?: string) => parsed(file(head, persona), CLAUDE);
const BASE = 'name: code-reviewer\ndescription: Reviews code. Use it after every change.';

describe('a file of .claude/agents (D34)', () => {
  test('is read as it is, with keys that mean nothing here', () => {
    expect(agent(`${BASE}\ntools: Read, Grep, Glob, Bash\nmodel: opus\ncolor: red\npermissionMode: plan`)).toEqual({
      id: 'code-reviewer',
      name: 'code-reviewer',
      role: 'Reviews code.',
      persona: 'You look at interfaces.',
      capabilities: ['code-reviewer', 'code', 'review'],
      model: { tag: 'ultimate' },
      executor: { kind: 'agent' },
      tools: ['read', 'view_image', 'grep', 'glob', 'list', 'shell', 'git_read'],
      source: CLAUDE,
      hash: expect.any(String),
    });
  });

  test.each([
    ['haiku', { tag: 'fast' }],
    ['sonnet', { tag: 'balanced' }],
    ['opus', { tag: 'ultimate' }],
    ['inherit', undefined],
    ['claude-opus-4-5', { ref: 'anthropic/claude-opus-4-5' }],
  ])('with model %s asks for the model that means the same', (model, hint) => {
    expect(agent(`${BASE}\nmodel: ${model}`).model).toEqual(hint);
  });

  test('with another model is refused, not given some model', () => {
    expect(problemsOf(file(`${BASE}\nmodel: gigantic`), CLAUDE)).toEqual([
      'model: haiku, sonnet, opus, inherit, fast, balanced, ultimate',
    ]);
  });

  test('without tools may use all of them, with * too', () => {
    expect(agent(BASE).tools).toBeUndefined();
    expect(agent(`${BASE}\ntools: "*"`).tools).toBeUndefined();
  });

  test('never gets more tools than it names: an unknown one, or a part of one, gives nothing', () => {
    const result = parseVp(file(`${BASE}\ntools: TodoWrite, Bash(git diff, git log), Read`), CLAUDE);
    expect(result).toMatchObject({
      ok: true,
      vp: { tools: ['read', 'view_image'] },
      ignoredTools: ['TodoWrite', 'Bash(git diff, git log)'],
    });
    expect(agent(`${BASE}\ntools: [TodoWrite]`).tools).toEqual([]);
  });

  test('keeps what it forbids forbidden', () => {
    expect(agent(`${BASE}\ndisallowedTools: Write, Bash(rm:*)`).tools).toEqual(
      TOOL_NAMES.filter((tool) => !['write', 'shell', 'git_read'].includes(tool)),
    );
    expect(agent(`${BASE}\ntools: Read, Write\ndisallowedTools: [Write]`).tools).toEqual(['read', 'view_image']);
  });

  test('may have a description that is no YAML, and pages of examples in it', () => {
    const description = 'Use it when tests fail: "user: help"\\n\\n<example>Context: x # y</example>';
    const vp = agent(`name: test-runner\ndescription: ${description}\ntools: Read`);
    expect(vp).toMatchObject({ role: 'Use it when tests fail: "user: help"', tools: ['read', 'view_image'] });
    expect(agent(`name: a\ndescription: ${'long '.repeat(100)}`).role).toMatch(/^long .*…$/);
  });

  test('whose tools are no YAML is refused, and not given all tools', () => {
    const text = file(`${BASE}\ntools: [Read`);
    expect(parseVp(text, CLAUDE).ok).toBe(false);
    expect(problemsOf(file(`${BASE}\ntools: {Read: true}`), CLAUDE)).toEqual(['tools: a list of 0 to 64']);
  });

  test('has tags from its name, else from the first words of its description', () => {
    expect(agent('name: security-auditor\ndescription: Tests things').capabilities).toEqual([
      'security-auditor',
      'security',
      'audit',
    ]);
    expect(agent('name: Max Mustermann\ndescription: Writing and testing, never reviewing')).toMatchObject({
      id: 'max-mustermann',
      capabilities: ['max-mustermann', 'write', 'test'],
    });
  });

  test('is told its faults by the names it uses', () => {
    expect(problemsOf(file('tools: Read'), CLAUDE).map((problem) => problem.split(':')[0])).toEqual([
      'name',
      'name',
      'description',
    ]);
  });
});
