import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalCall } from '../../src/executors/agent/permissions/canonical-call.ts';
import { decidePermission, type PermissionCall } from '../../src/executors/agent/permissions/decide-permission.ts';
import { patternFor } from '../../src/executors/agent/permissions/pattern-for.ts';
import { DEFAULT_POLICY, type Policy, parsePolicy, type Rule } from '../../src/executors/agent/permissions/policy.ts';
import { simpleCommands } from '../../src/executors/agent/permissions/shell-line.ts';

const place = { workspacePath: '/w', projectPath: '/w/app' };
const call = (more: Partial<PermissionCall>): PermissionCall => ({
  tool: 'shell',
  capability: 'writes',
  mode: 'isolated-write',
  subject: 'git status',
  attended: true,
  ...place,
  ...more,
});
const policy = (rules: readonly Rule[], unattended: Policy['unattended'] = 'ask'): Policy => ({ rules, unattended });
const decide = (rules: readonly Rule[], more: Partial<PermissionCall>) =>
  decidePermission(policy(rules), call(more)).decision;

describe('without rules', () => {
  test.each([
    ['reads', 'read', 'allow'],
    ['reads', 'isolated-write', 'allow'],
    ['writes', 'read', 'deny'],
    ['writes', 'shared', 'allow'],
    ['writes', 'isolated-write', 'allow'],
    ['writes', 'integrate', 'allow'],
    ['acts_outside', 'read', 'ask'],
    ['acts_outside', 'shared', 'ask'],
    ['controls', 'read', 'allow'],
  ] as const)('what %s in the mode %s is decided: %s', (capability, mode, decision) => {
    expect(decidePermission(DEFAULT_POLICY, call({ capability, mode })).decision).toBe(decision);
  });
});

describe('D16: rules', () => {
  const rules: readonly Rule[] = [
    { tool: 'shell', command: 'git push *', decide: 'ask', reason: 'Pushing is for people.' },
    { tool: 'shell', command: 'rm *', decide: 'deny' },
    { tool: 'shell', command: 'git *', decide: 'allow' },
    { tool: 'shell', command: 'npm test*', decide: 'allow' },
    { tool: 'write', path: 'app/secret/**', decide: 'deny' },
    { tool: 'write', path: 'app/**', decide: 'allow' },
    { tool: 'web_fetch', url: 'https://*.example.org/docs/*', decide: 'allow' },
    { tool: 'mcp__github__*', decide: 'allow' },
  ];

  test.each([
    ['git status', 'allow'],
    ['git status && npm test -- -u', 'allow'],
    ['git', 'allow'],
    ['git push', 'ask'],
    ['git status; git push origin', 'ask'],
    ['git status && rm -rf /', 'deny'],
    ['git log $(rm -rf /)', 'deny'],
    ['git log `rm -rf /`', 'deny'],
    ['npm test | xargs rm -f', 'deny'],
    ['sudo rm x', 'deny'],
    ['/bin/rm x', 'deny'],
    ['X=1 rm x', 'deny'],
    ["X='1 2' rm x", 'deny'],
    ['timeout 5 /usr/bin/env rm x', 'deny'],
    ["bash -c 'cd /; rm x'", 'deny'],
    ['find . -exec rm {} +', 'deny'],
    ['if true; then rm x; fi', 'deny'],
    ['rm', 'deny'],
    ['rmdir x', 'ask'],
    ['git status > ~/.profile', 'ask'],
    ['GIT_PAGER=evil git log', 'ask'],
    ['gitk', 'ask'],
    ['sudo git status', 'ask'],
    ["'git status'", 'ask'],
    ['case x in y) git status;; esac', 'deny'],
    ['$GIT status', 'deny'],
  ] as const)('decide the line %s: %s', (subject, decision) => {
    expect(decide(rules, { subject, capability: 'acts_outside' })).toBe(decision);
  });

  test.each([
    ['src/a.ts', 'allow'],
    ['/w/app/src/a.ts', 'allow'],
    ['src/../secret/key', 'deny'],
    ['./secret/deep/key', 'deny'],
    ['src/a.ts\nsecret/key', 'deny'],
    ['../lib/b.ts', 'ask'],
    ['../../etc/passwd', 'deny'],
    ['/etc/passwd', 'deny'],
  ] as const)('decide the path %j: %s', (subject, decision) => {
    expect(decide(rules, { tool: 'write', subject, capability: 'acts_outside' })).toBe(decision);
  });

  test.each([
    ['https://a.example.org/docs/x', 'allow'],
    ['https://a.example.org/other', 'ask'],
    ['http://a.example.org/docs/x', 'ask'],
    ['https://evil.test/a.example.org/docs/x', 'ask'],
    ['https://evil.test/?.example.org/docs/x', 'ask'],
    ['https://a.example.org/docs/../private', 'ask'],
    ['https://a.example.org@evil.test/docs/x', 'ask'],
    ['no url', 'ask'],
  ] as const)('decide the URL %s: %s', (subject, decision) => {
    expect(decide(rules, { tool: 'web_fetch', subject, capability: 'acts_outside' })).toBe(decision);
  });

  test('fit tools by name, first one first', () => {
    expect(decide(rules, { tool: 'mcp__github__push', subject: '', capability: 'acts_outside' })).toBe('allow');
    expect(decide(rules, { tool: 'mcp__other__push', subject: '', capability: 'acts_outside' })).toBe('ask');
    const first: readonly Rule[] = [{ tool: '*', decide: 'deny' }, ...rules];
    expect(decide(first, { tool: 'mcp__github__push', subject: '' })).toBe('deny');
  });

  test('never widen a mode: a reading Action writes nothing, whatever they say', () => {
    const decision = decidePermission(policy([{ tool: '*', decide: 'allow' }]), call({ mode: 'read' }));
    expect(decision).toMatchObject({ decision: 'deny', reason: expect.stringContaining('only reads') });
  });

  test('give their own reason, and name themselves and the part that they decide', () => {
    const decision = decidePermission(policy(rules), call({ subject: 'git status; git push origin' }));
    expect(decision.rule).toBe(rules[0]);
    expect(decision.reason).toBe('git push origin: Pushing is for people. (ask by rule 1 (shell git push *))');
  });

  test('that ask refuse at once while nobody attends, if the settings say so', () => {
    const asked = call({ subject: 'git push', attended: false });
    expect(decidePermission(policy(rules, 'ask'), asked).decision).toBe('ask');
    expect(decidePermission(policy(rules, 'deny'), asked)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('Nobody attends'),
    });
    expect(decidePermission(policy(rules, 'deny'), { ...asked, subject: 'git status' }).decision).toBe('allow');
  });
});

const commandArb = fc.constantFrom('git status', 'npm test', 'ls', 'rm x', 'echo "$HOME"', 'FOO=1 make', 'cat < a > b');
const joinArb = fc.constantFrom(' && ', '; ', ' | ', '\n', ' || ', ' & ');
const verdictArb = fc.constantFrom<Rule['decide'][]>('allow', 'ask', 'deny');
const ruleArb = fc.record({
  tool: fc.constantFrom('shell', '*'),
  command: fc.constantFrom('git *', 'rm *', '*', 'npm test', 'ls*', 'make'),
  decide: verdictArb,
});
const anyRuleArb = fc.oneof(ruleArb, fc.record({ tool: fc.constantFrom('shell', '*'), decide: verdictArb }));
const rulesArb = fc.array(anyRuleArb, { maxLength: 5 });
const rank = { allow: 0, ask: 1, deny: 2 };

describe('whatever the rules', () => {
  test('nothing that is put around a command makes it freer', () => {
    const around = fc.tuple(
      fc.oneof(commandArb, fc.string()),
      joinArb,
      commandArb,
      joinArb,
      fc.oneof(commandArb, fc.string()),
    );
    fc.assert(
      fc.property(rulesArb, around, (rules, [before, join1, command, join2, after]) => {
        const alone = decide(rules, { subject: command });
        // What is put around may turn the command into text (a quote, a comment): then it is not run, or not understood.
        const line = `${before}${join1}${command}${join2}${after}`;
        const parts = simpleCommands(line);
        const inner = simpleCommands(command) ?? [];
        fc.pre(
          parts === null || inner.every((one) => parts.some((part) => JSON.stringify(part) === JSON.stringify(one))),
        );
        expect(rank[decide(rules, { subject: line })]).toBeGreaterThanOrEqual(rank[alone]);
      }),
    );
  });

  test('a substitution is as strict as what it runs', () => {
    fc.assert(
      fc.property(
        rulesArb,
        commandArb,
        fc.constantFrom('echo $(@)', 'echo "$(@)"', '(@)', "sh -c '@'"),
        (rules, command, form) => {
          const line = form.replace('@', () => command);
          expect(rank[decide(rules, { subject: line })]).toBeGreaterThanOrEqual(
            rank[decide(rules, { subject: command })],
          );
        },
      ),
    );
  });

  const broken = fc.constantFrom('echo "a', 'case x in y) ls;; esac', '$X', 'f() { ls; }', 'echo $((1))', 'ls | sh');

  test('a line that is not understood is as free as its workspace where nobody guards commands', () => {
    fc.assert(
      fc.property(broken, (subject) => {
        expect(decide([], { subject, capability: 'writes' })).toBe('allow');
        expect(decide([{ tool: 'write', path: 'a/**', decide: 'deny' }], { subject, capability: 'writes' })).toBe(
          'allow',
        );
        expect(decide([], { subject, capability: 'acts_outside' })).toBe('ask');
      }),
    );
  });

  test('a line that is not understood is never allowed where it acts outside, or where a rule guards commands', () => {
    fc.assert(
      fc.property(
        rulesArb,
        broken,
        fc.constantFrom('reads', 'writes', 'acts_outside'),
        (rules, subject, capability) => {
          fc.pre(capability === 'acts_outside' || rules.some((rule) => rule.tool === 'shell' && 'command' in rule));
          expect(decide(rules, { subject, capability })).not.toBe('allow');
        },
      ),
    );
  });

  test('a rule that denies everything at the top leaves nothing allowed', () => {
    fc.assert(
      fc.property(rulesArb, fc.string(), (rules, subject) => {
        fc.pre((simpleCommands(subject)?.length ?? 1) > 0);
        expect(decide([{ tool: 'shell', command: '*', decide: 'deny' }, ...rules], { subject })).toBe('deny');
      }),
    );
  });

  test('the reader of lines never throws', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ab $(){}`"\'\\;&|<>\n#=*!-0'), maxLength: 40 });
    fc.assert(
      fc.property(letters, (line) => void simpleCommands(line)),
      { numRuns: 500 },
    );
  });
});

describe('"allow this pattern for this Action"', () => {
  const suggest = (subject: string, tool = 'shell') => patternFor({ tool, subject, ...place });

  test.each([
    ['npm test -- --watch', 'npm test *'],
    ['git push origin main', 'git push *'],
    ['npm run build', 'npm run build *'],
    ['docker compose up -d', 'docker compose up *'],
    ['git -c a=b push', 'git -c a=b push'],
    ['docker run image', 'docker run image'],
    ['npm exec thing', 'npm exec thing'],
    ['make', 'make'],
    ['python3 tool.py --all', 'python3 tool.py --all'],
    ['./git push', './git push'],
  ])('%s suggests %s', (subject, command) => {
    expect(suggest(subject)).toEqual({ tool: 'shell', command, decide: 'allow' });
  });

  test.each(['a && b', 'sudo npm test', "bash -c 'a'", 'ls *', '$X', 'echo "', ''])('nothing for %j', (subject) => {
    expect(suggest(subject)).toBeNull();
  });

  test('is a folder for a path, an origin for a URL, one tool for a server', () => {
    expect(suggest('src/deep/a.ts', 'write')).toEqual({ tool: 'write', path: 'app/src/deep/**', decide: 'allow' });
    expect(suggest('../README.md', 'write')).toEqual({ tool: 'write', path: 'README.md', decide: 'allow' });
    expect(suggest('/etc/passwd', 'write')).toBeNull();
    expect(suggest('https://a.example.org:8080/x?y', 'web_fetch')).toEqual({
      tool: 'web_fetch',
      url: 'https://a.example.org:8080/*',
      decide: 'allow',
    });
    expect(suggest('', 'mcp__a__b')).toEqual({ tool: 'mcp__a__b', decide: 'allow' });
  });

  test('allows the call that it was made from', () => {
    for (const subject of ['npm test -- -u', 'git push', 'FOO=1 npm test', 'echo a > b', "grep -n 'a b' c"]) {
      const rule = suggest(subject);
      expect(rule && decide([rule], { subject, capability: 'acts_outside' })).toBe('allow');
    }
  });
});

describe('D16: a grant', () => {
  test('is for the same tool, arguments and directory, whatever the order of the arguments', () => {
    const one = canonicalCall('shell', { command: 'ls', cwd: undefined, timeoutSec: 5 }, '/w');
    expect(canonicalCall('shell', { timeoutSec: 5, command: 'ls' }, '/w').key).toBe(one.key);
    for (const other of [
      canonicalCall('shell', { timeoutSec: 6, command: 'ls' }, '/w'),
      canonicalCall('shell', { timeoutSec: 5, command: 'ls' }, '/v'),
      canonicalCall('write', { timeoutSec: 5, command: 'ls' }, '/w'),
    ])
      expect(other.key).not.toBe(one.key);
  });
});

describe('a policy', () => {
  const problems = (json: unknown) => {
    const parsed = parsePolicy(json);
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
  };

  test('is read as it is written, and may be empty', () => {
    expect(parsePolicy(undefined)).toEqual({ ok: true, policy: DEFAULT_POLICY });
    const rules = [{ tool: 'shell', command: 'git *', decide: 'allow', reason: 'Harmless.' }];
    expect(parsePolicy({ rules, unattended: 'deny' })).toEqual({ ok: true, policy: { rules, unattended: 'deny' } });
  });

  test.each<[unknown, RegExp]>([
    [[], /expected object/],
    [{ rule: [] }, /^rule: Nothing is called "rule" here\. Did you mean "rules"\?/],
    [{ rules: [{ tool: 'shell', decide: 'yes' }] }, /^rules\[0\]\.decide: .*"allow"\|"ask"\|"deny"/],
    [{ rules: [{ tool: '', decide: 'ask' }] }, /^rules\[0\]\.tool: must say what it fits/],
    [{ rules: [{ tool: 'shell', decide: 'ask', comand: 'x' }] }, /^rules\[0\]\.comand: .*"command"/],
    [{ rules: [{ tool: 'shell', decide: 'ask', command: 'x', path: 'y' }] }, /^rules\[0\]: .*path and command/],
    [{ rules: [{ tool: 'write', decide: 'ask', command: 'x' }] }, /^rules\[0\]\.command: "write" has no command/],
    [{ rules: [{ tool: 'shell', decide: 'ask', path: 'x' }] }, /^rules\[0\]\.path: "shell" has no path/],
    [{ rules: [{ tool: 'web_fetch', decide: 'ask', url: 'example.org' }] }, /^rules\[0\]\.url: Write scheme and host/],
    [{ rules: [{ tool: 'write', decide: 'ask', path: '../x' }] }, /^rules\[0\]\.path: .*stay in it/],
    [{ unattended: 'allow' }, /^unattended: /],
  ])('%j is a precise problem', (json, expected) => {
    expect(problems(json)).toEqual([expect.stringMatching(expected)]);
  });
});
