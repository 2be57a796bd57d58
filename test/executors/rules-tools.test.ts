import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/executors/agent/permissions/policy.ts';
import { answersIn, calls, pairingProblems, play, submitted, tool } from './agent-support.ts';

const OPEN: Policy = { rules: [{ tool: '*', decide: 'allow' }], unattended: 'ask' };
const seen = () => ({ text: 'seen' });

describe('which calls are on the ledger', () => {
  it('rule 38, V27, chapter 2 E2: those that act outside, and neither reading, nor writing, nor control tools', async () => {
    const tools = [tool('look', 'reads', seen), tool('change', 'writes', seen), tool('send', 'acts_outside', seen)];
    const all = calls(['look', {}], ['change', {}], ['send', { url: 'x' }], ['read_output', { ref: 'a'.repeat(64) }]);
    const { ledger } = await play({ tools, policy: OPEN, says: [all, calls(['ask_human', { question: 'Well?' }])] });
    expect(ledger).toEqual(['begin run:1 send x', 'end run:1 applied']);
    const ended = await play({ tools, policy: OPEN, says: [calls(['look', {}]), submitted()] });
    expect(ended.ledger).toEqual([]);
  });

  it('V27: a call that a rule or a person refuses is none, for nothing happened', async () => {
    const tools = [tool('send', 'acts_outside', seen)];
    const policy: Policy = { rules: [{ tool: 'send', decide: 'deny' }], unattended: 'ask' };
    const { ledger, requests } = await play({ tools, policy, says: [calls(['send', { url: 'x' }]), submitted()] });
    expect(ledger).toEqual([]);
    expect(answersIn(requests[1] ?? { messages: [] })).toMatchObject([{ name: 'send', isError: true }]);
  });
});

describe('a Run whose lease is lost', () => {
  it('V20, V32: begins no further call, and makes no request of what the last one answered', async () => {
    const abort = new AbortController();
    const done: string[] = [];
    const write = tool('change', 'writes', ({ path }) => {
      done.push(String(path));
      if (done.length === 2) abort.abort(new Error('lease_lost'));
      return { text: 'changed' };
    });
    const says = [calls(['change', { path: '1' }], ['change', { path: '2' }], ['change', { path: '3' }]), submitted()];
    let asked = 0;
    const played = play({
      tools: [write],
      signal: abort.signal,
      says: says.map((said) => () => {
        asked += 1;
        return said;
      }),
    });
    await expect(played).rejects.toThrow('lease_lost');
    expect([done, asked]).toEqual([['1', '2'], 1]);
  });

  it('V32: acts outside no more, since the ledger refuses whoever does not hold it', async () => {
    let acted = false;
    const send = tool('send', 'acts_outside', () => {
      acted = true;
      return { text: 'sent' };
    });
    const refused = { kind: 'interrupted', code: 'lease_lost', error: 'another has it' } as const;
    const ports = { beginOperation: async () => refused };
    const { end } = await play({ tools: [send], policy: OPEN, ports, says: [calls(['send', {}]), submitted()] });
    expect([acted, end]).toEqual([false, refused]);
  });
});

it('V28: a call that acts outside and does not end in time ends the Run; its late answer is nobody’s', async () => {
  let late: (() => void) | undefined;
  const answered = new Promise<void>((resolve) => {
    late = resolve;
  });
  const send = tool('send', 'acts_outside', () => answered.then(() => ({ text: 'sent after all' })), { timeoutMs: 5 });
  const { end, ledger, requests } = await play({
    tools: [send],
    policy: OPEN,
    says: [calls(['send', {}]), submitted()],
  });
  late?.();
  await answered;
  expect(ledger).toEqual(['begin run:1 send', 'end run:1 unknown']);
  expect(end).toMatchObject({ outcome: { kind: 'failed', code: 'effect_unknown' } });
  expect(requests).toHaveLength(1);
  expect(JSON.stringify(end)).not.toContain('after all');
});

it('V26, chapter 2 E1: a review decides, also when it was told once that it has to', async () => {
  const spec = { type: 'review', workspace: 'read' } as const;
  const silent = await play({ spec, says: [submitted(), submitted()] });
  expect(silent.end).toMatchObject({ outcome: { kind: 'retryable', code: 'malformed_outcome' } });
  const decided = await play({ spec, says: [submitted(), submitted({ review: 'changes_requested' })] });
  expect(decided.end).toMatchObject({ outcome: { kind: 'completed', review: 'changes_requested' } });
  expect(pairingProblems(decided.requests.at(-1)?.messages ?? [])).toEqual([]);
});

it('G2, V42: a Run that shows no evidence, or claims with an unheard-of status, has not completed', async () => {
  const claims = [{ criterion: 'c1', status: 'certainly', evidence: 'x' }];
  for (const wrong of [{ evidence: [] }, { claims }]) {
    const { end } = await play({ says: [submitted(wrong)] });
    expect(end).toMatchObject({ outcome: { kind: 'retryable', code: 'malformed_outcome' } });
  }
});
