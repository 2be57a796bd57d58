import { describe, expect, it } from 'vitest';
import type { Policy, Rule } from '../../src/executors/agent/permissions/policy.ts';
import { answersIn, calls, pairingProblems, play, submitted, tool } from './agent-support.ts';

const ran: string[] = [];
const shell = tool('shell', 'writes', ({ command }) => {
  ran.push(String(command));
  return { text: `did ${command}` };
});
const look = tool('look', 'reads', ({ path }) => {
  ran.push(`look ${path}`);
  return { text: `saw ${path}` };
});

const ruled = (...rules: readonly Rule[]): Policy => ({ rules, unattended: 'ask' });
const askPush = ruled({ tool: 'shell', command: 'git push *', decide: 'ask', reason: 'It leaves this machine.' });
const push = (branch = 'main') => ['shell', { command: `git push origin ${branch}` }] as const;

async function asked(stage: Partial<Parameters<typeof play>[0]>, ...says: Parameters<typeof play>[0]['says']) {
  ran.length = 0;
  const played = await play({ tools: [shell, look], policy: askPush, ...stage, says: [...says, submitted()] });
  expect(pairingProblems(played.requests.at(-1)?.messages ?? [])).toEqual([]);
  return { ...played, answers: answersIn(played.requests.at(-1) ?? { messages: [] }) };
}

describe('what a tool call may do (D16)', () => {
  it('is allowed without a word where a rule or the mode allows it', async () => {
    const { approvals } = await asked({}, calls(['shell', { command: 'npm test' }]));
    expect(ran).toEqual(['npm test']);
    expect(approvals).toEqual([]);
  });

  it('is refused with the reason of the rule, and the Run goes on', async () => {
    const policy = ruled({ tool: 'shell', command: 'rm *', decide: 'deny', reason: 'Nothing is removed here.' });
    const { answers, end } = await asked({ policy }, calls(['shell', { command: 'rm -rf /' }]));
    expect(ran).toEqual([]);
    expect(answers[0]?.text).toContain('Nothing is removed here.');
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('no rule lets a reading Action write', async () => {
    const policy = ruled({ tool: '*', decide: 'allow' });
    const { answers } = await asked({ policy, spec: { workspace: 'read' } }, calls(['shell', { command: 'touch a' }]));
    expect(answers[0]).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
  });

  it('is asked with what, where and why, and runs once when it is granted', async () => {
    const { approvals, grants } = await asked({ approve: () => ({ kind: 'granted' }) }, calls(push()));
    expect(approvals).toEqual([
      expect.objectContaining({
        tool: 'shell',
        call: 'git push origin main',
        directory: '/w',
        risk: expect.stringContaining('It leaves this machine.'),
        pattern: JSON.stringify({ tool: 'shell', command: 'git push *', decide: 'allow' }),
      }),
    ]);
    expect(ran).toEqual(['git push origin main']);
    expect([...grants]).toEqual([]);
  });

  it('is asked with everything it would do, and one line that counts what it leaves out', async () => {
    const command = `git push origin main && echo \u202esafe\n\n${'echo hidden > out.txt\n'.repeat(599)}cat out.txt`;
    const long = `git push origin ${'x'.repeat(400)}`;
    const { approvals } = await asked(
      { approve: () => ({ kind: 'denied', words: '' }) },
      calls(['shell', { command, cwd: 'docs' }], ['shell', { command: long }], ['shell', { command: 'git push a\tb' }]),
    );
    expect(approvals.map(({ call, whole }) => [call, whole])).toEqual([
      ['git push origin main && echo [U+202E]safe (and 601 more lines)', `${command}\ncwd: docs`],
      [`git push origin ${'x'.repeat(184)}… (and 216 more characters)`, long],
      ['git push a b', 'git push a\tb'],
    ]);
    expect(ran).toEqual([]);
  });

  it('of a tool whose arguments are no path and no command, shows all of them', async () => {
    const send = tool('mcp__mail__send', 'acts_outside', () => ({ text: 'sent' }));
    const input = { to: ['a@b.example'], body: 'one\ntwo', tags: ['x'.repeat(99)] };
    const { approvals } = await asked(
      { tools: [send], approve: () => ({ kind: 'denied', words: '' }) },
      calls(['mcp__mail__send', input]),
    );
    const long = `[\n  "${'x'.repeat(99)}"\n]`;
    expect(approvals[0]).toMatchObject({
      call: 'to: ["a@b.example"] (and 7 more lines)',
      whole: `to: ["a@b.example"]\nbody:\none\ntwo\ntags:\n${long}`,
    });
  });

  it('is refused without asking where it is longer than anybody can be shown', async () => {
    const { approvals, answers } = await asked({}, calls(push('x'.repeat(40_000))));
    expect(approvals).toEqual([]);
    expect(ran).toEqual([]);
    expect(answers[0]?.text).toMatch(/at most 32768 characters.*It has 40016/s);
  });

  it('asks again for the same call later, and for one that differs', async () => {
    const approve = () => ({ kind: 'granted' }) as const;
    const { approvals } = await asked({ approve }, calls(push()), calls(push()), calls(push('dev')));
    expect(approvals).toHaveLength(3);
    expect(new Set(approvals.map(({ key }) => key)).size).toBe(2);
  });

  it('uses a leave that was given to an earlier Run, without asking', async () => {
    const { approvals } = await asked({ ports: { useGrant: async () => true } }, calls(push()));
    expect(approvals).toEqual([]);
    expect(ran).toEqual(['git push origin main']);
  });

  it('needs no leave when a person allowed its pattern; another pattern does not cover it', async () => {
    const pattern = JSON.stringify({ tool: 'shell', command: 'git push origin dev', decide: 'allow' });
    const approve = () => ({ kind: 'denied', words: '' }) as const;
    const ports = { patterns: async () => [pattern] };
    const { approvals } = await asked({ ports, approve }, calls(push('dev')), calls(push('main')));
    expect(ran).toEqual(['git push origin dev']);
    expect(approvals.map(({ call }) => call)).toEqual(['git push origin main']);
  });

  it('a pattern can only allow what asks: what is denied stays denied', async () => {
    const policy = ruled({ tool: 'shell', command: 'git push *', decide: 'deny' });
    const ports = { patterns: async () => [JSON.stringify({ tool: 'shell', decide: 'allow' })] };
    await asked({ policy, ports }, calls(push()));
    expect(ran).toEqual([]);
  });

  it('a refusal is told to the model with the words of the person', async () => {
    const approve = () => ({ kind: 'denied', words: 'Not on a Friday.' }) as const;
    const { answers, end } = await asked({ approve }, calls(push()));
    expect(answers[0]).toMatchObject({ isError: true, text: 'A person refused this call. Not on a Friday.' });
    expect(ran).toEqual([]);
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('no answer in time ends the Run waiting, with what it waits for, and no secret in it (D38)', async () => {
    const { end, requests, approvals } = await asked(
      { approve: () => ({ kind: 'unanswered' }), secrets: ['hunter2'] },
      calls(push('hunter2'), ['look', { path: 'a' }]),
    );
    expect(end).toMatchObject({ outcome: { kind: 'waiting' } });
    expect(JSON.stringify(end)).toContain('git push origin [redacted]');
    expect(approvals[0]?.whole).toBe('git push origin [redacted]');
    expect(requests).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it('is interrupted when the Run is taken away while it waits', async () => {
    const gone = { kind: 'interrupted', code: 'lease_lost', error: 'taken' } as const;
    const { end } = await asked({ approve: () => gone }, calls(push()));
    expect(end).toEqual(gone);
  });

  it('asks for one thing at a time: reads that need leave do not stand beside others', async () => {
    let open = 0;
    let most = 0;
    const approve = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { kind: 'granted' } as const;
    };
    const policy = ruled({ tool: 'look', decide: 'ask' });
    const made = ['a', 'b', 'c'].map((path) => ['look', { path }] as const);
    const { approvals } = await asked({ policy, approve }, calls(...made));
    expect(approvals).toHaveLength(3);
    expect(most).toBe(1);
  });
});
