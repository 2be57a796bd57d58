import { describe, expect, it } from 'vitest';
import { answersIn, calls, pairingProblems, play, submitted, tool, userTexts } from './agent-support.ts';

const look = tool('look', 'reads', () => ({ text: 'seen' }));
const last = <T>(list: readonly T[]): T => {
  const value = list.at(-1);
  if (value === undefined) throw new Error('empty');
  return value;
};

describe('how a Run of the agent ends', () => {
  it('by submit_outcome, with its claims for what it was for (D22)', async () => {
    const claims = [
      { criterion: 'c1', status: 'passed', evidence: 'I saw it.' },
      { criterion: 'c2', status: 'passed', evidence: 'That as well.' },
    ];
    const { end } = await play({ says: [submitted({ claims })] });
    expect(end).toMatchObject({ kind: 'outcome', outcome: { kind: 'completed', summary: 'Done.' } });
    if (end.kind !== 'outcome' || end.outcome.kind !== 'completed') throw new Error('not completed');
    expect(end.outcome.claims.map(({ criterionId }) => criterionId)).toEqual(['c1']);
  });

  it('takes fields that a model filled with nothing for left out', async () => {
    const { end, requests } = await play({ says: [submitted({ question: '', error: null, code: '' })] });
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
    expect(requests).toHaveLength(1);
  });

  it('"done" in prose ends nothing: one reminder, then no_outcome (P10)', async () => {
    const { end, requests } = await play({ says: [{ text: 'All done!' }] });
    expect(requests).toHaveLength(2);
    expect(last(userTexts(last(requests)))).toContain('submit_outcome');
    expect(end).toMatchObject({ outcome: { kind: 'retryable', code: 'no_outcome', summary: 'All done!' } });
  });

  it('prose between calls is forgiven: only words in a row count', async () => {
    const prose = { text: 'Now I look.' };
    const { end } = await play({
      tools: [look],
      says: [prose, calls(['look', { n: 1 }]), prose, calls(['look', { n: 2 }]), prose, submitted()],
    });
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('an answer that is cut off is continued, three times in a row at most (E13)', async () => {
    const { end, requests } = await play({ says: [{ text: 'and so', stop: 'length' }] });
    expect(requests).toHaveLength(5);
    expect(requests.flatMap((request) => last(userTexts(request))).slice(1, 4)).toEqual(
      Array(3).fill('Your answer was cut off. Go on where it ended.'),
    );
    expect(end).toMatchObject({ outcome: { kind: 'retryable', code: 'no_outcome' } });
  });

  it('an empty answer counts as words', async () => {
    const { end } = await play({ says: [{}] });
    expect(end).toMatchObject({ outcome: { code: 'no_outcome' } });
  });

  it.each([
    ['without evidence', { evidence: [] }, 'evidence'],
    ['of an unknown criterion', { claims: [{ criterion: 'c9', status: 'passed', evidence: 'x' }] }, 'c9'],
    ['that mixes two kinds', { outcome: 'waiting', question: 'Which?', evidence: undefined, error: 'x' }, 'error'],
  ])('an outcome %s is said again once, with what is wrong (D22)', async (_, wrong, complaint) => {
    const { end, requests } = await play({ says: [submitted(wrong), submitted()] });
    expect(last(answersIn(last(requests))).text).toContain(complaint);
    expect(last(answersIn(last(requests))).isError).toBe(true);
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('a second malformed outcome ends the Run: malformed_outcome', async () => {
    const { end, requests } = await play({ says: [submitted({ evidence: [] })] });
    expect(requests).toHaveLength(2);
    expect(end).toMatchObject({ outcome: { kind: 'retryable', code: 'malformed_outcome' } });
  });

  it('arguments of submit_outcome that are no JSON are complained about, not taken for empty', async () => {
    const { end, requests } = await play({
      says: [calls(['submit_outcome', { unparsable: '{"outcome": "compl' }]), submitted()],
    });
    expect(last(answersIn(last(requests))).text).toContain('not JSON');
    expect(end).toMatchObject({ outcome: { kind: 'completed' } });
  });

  it('a review has to say what it decided', async () => {
    const spec = { type: 'review', workspace: 'read' } as const;
    const { end, requests } = await play({ spec, says: [submitted(), submitted({ review: 'approved' })] });
    expect(last(answersIn(last(requests))).text).toContain('review');
    expect(end).toMatchObject({ outcome: { kind: 'completed', review: 'approved' } });
  });

  it('ask_human ends it with the question; a secret in it stays here (D38)', async () => {
    const { end } = await play({
      secrets: ['hunter2'],
      says: [calls(['ask_human', { question: 'Is hunter2 the password?' }])],
    });
    expect(end).toMatchObject({ outcome: { kind: 'waiting', question: 'Is [redacted] the password?' } });
  });

  it('a control tool ends the batch: what stands before it is done, what stands behind it is not (E5)', async () => {
    const done: string[] = [];
    const note = tool('note', 'writes', ({ what }) => {
      done.push(String(what));
      return { text: 'noted' };
    });
    const wrong = submitted({ evidence: [] }).calls ?? [];
    const { requests } = await play({
      tools: [note],
      says: [calls(['note', { what: 'before' }], ...wrong, ['note', { what: 'behind' }]), submitted()],
    });
    expect(done).toEqual(['before']);
    expect(pairingProblems(last(requests).messages)).toEqual([]);
    expect(last(answersIn(last(requests)))).toMatchObject({ name: 'note', isError: true, text: 'Not carried out.' });
  });

  it.each([
    ['failed', { kind: 'failed', code: 'run_requests_exhausted', error: 'All used.' } as const],
    ['interrupted', { kind: 'interrupted', code: 'item_held', error: 'Held.' } as const],
  ])('a request that %s ends the Run in those words', async (_, asked) => {
    const { end } = await play({ says: [], ports: { ask: async () => asked } });
    const { code, error } = asked;
    expect(end).toMatchObject(asked.kind === 'failed' ? { outcome: { kind: 'failed', code, error } } : asked);
  });

  it('a lost answer interrupts it as a call whose end is unknown: nothing is asked again (D11)', async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return { kind: 'lost', callId: 'x', error: 'gone' } as const;
    };
    const { end } = await play({ says: [], ports: { ask } });
    expect(asked).toBe(1);
    expect(end).toEqual({ kind: 'interrupted', code: 'model_call_unknown', error: 'gone' });
  });

  it('an aborted Run makes no further request', async () => {
    const abort = new AbortController();
    const stop = tool('stop', 'reads', () => {
      abort.abort(new Error('stopped by a person'));
      return { text: 'x' };
    });
    const played = play({ tools: [stop], signal: abort.signal, says: [calls(['stop', {}]), submitted()] });
    await expect(played).rejects.toThrow('stopped by a person');
  });
});
