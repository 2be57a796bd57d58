import { describe, expect, it } from 'vitest';
import { readDecision, sayComplaints } from '../../src/coordinator/index.ts';
import type { ModelResponse, ToolCall } from '../../src/model/index.ts';
import { decideCall, decision, response, written } from './support.ts';

const good = decision({ kind: 'create_actions', actions: [written()] });

/** What is complained about, as the model reads it. */
function complaints(answer: ModelResponse): string {
  const read = readDecision(answer);
  return read.kind === 'complaints' ? sayComplaints(read.complaints) : 'nothing';
}

const about = (input: ToolCall['input']): string => complaints(decideCall(input));

describe('reading a decision (D17)', () => {
  it('takes one call of the one tool, and ignores words beside it', () => {
    expect(readDecision({ ...decideCall(good), text: 'Let me see.' })).toEqual({ kind: 'written', decision: good });
  });

  it.each([
    ['words without a call', response([], { text: 'All done!', stop: 'end' }), 'found words without a call'],
    ['nothing at all', response([], { stop: 'end' }), 'found an empty answer'],
    [
      'two calls',
      response([
        { name: 'decide', input: good },
        { name: 'decide', input: good },
      ]),
      'found 2 calls',
    ],
    ['another tool', response([{ name: 'shell', input: {} }]), 'found a call of shell'],
    ['a cut-off answer', { ...decideCall({}), stop: 'length' as const }, 'found an answer that was cut off'],
  ])('refuses %s', (_, answer, found) => {
    expect(complaints(answer)).toMatch(/^- the answer: expected exactly one call of decide/);
    expect(complaints(answer)).toContain(found);
  });

  it('refuses arguments that are no JSON, with their end', () => {
    expect(about({ unparsable: '{"reply": "I beg' })).toBe(
      '- the answer: expected arguments that are one JSON object; found {"reply": "I beg',
    );
  });

  it.each([
    ['a missing field', { ...good, reason: undefined }, '- reason: expected a value of type string; found nothing'],
    ['a wrong type', { ...good, reply: 7 }, '- reply: expected a value of type string; found 7'],
    ['an unknown field', { ...good, mood: 'fine' }, '- mood: expected no such field; found mood'],
    ['null', { ...good, title: null }, '- title: expected a value of type string; found null'],
    ['no decisions', { ...good, decisions: [] }, '- decisions: expected at least 1 entries; found 0 entries'],
    [
      'an unknown kind',
      { ...good, decisions: [{ kind: 'cancel' }] },
      '- decisions[0].kind: expected one of answer, create_actions, guide_actions, close_actions, request_human, propose_contract, complete; found "cancel"',
    ],
    [
      'a field of a graph',
      { ...good, decisions: [{ kind: 'create_actions', actions: [{ ...written(), dependsOn: ['a'] }] }] },
      '- decisions[0].actions[0].dependsOn: expected no such field; found dependsOn',
    ],
    [
      'a contract field outside a proposal',
      { ...good, decisions: [{ kind: 'create_actions', actions: [written()], criteria: null }] },
      '- decisions[0].criteria: expected no such field; found criteria',
    ],
    [
      'no mode, which has no default',
      { ...good, decisions: [{ kind: 'create_actions', actions: [{ ...written(), workspaceMode: undefined }] }] },
      '- decisions[0].actions[0].workspaceMode: expected one of read, shared, isolated-write, integrate; found nothing',
    ],
    [
      'too many attempts',
      { ...good, decisions: [{ kind: 'create_actions', actions: [written({ maxAttempts: 6 })] }] },
      '- decisions[0].actions[0].maxAttempts: expected at most 5; found 6',
    ],
    [
      'nine Actions',
      { ...good, decisions: [{ kind: 'create_actions', actions: Array.from({ length: 9 }, () => written()) }] },
      '- decisions[0].actions: expected at most 8 entries; found 9 entries',
    ],
    [
      'a long brief',
      { ...good, decisions: [{ kind: 'create_actions', actions: [written({ objective: 'x'.repeat(2_001) })] }] },
      '- decisions[0].actions[0].objective: expected at most 2000 characters; found 2001 characters',
    ],
  ])('complains about %s by its place (chapter 2 D1, D3)', (_, input, said) => {
    expect(about(input)).toBe(said);
  });

  it('tells all that is wrong at once', () => {
    expect(about({ decisions: [{ kind: 'complete' }] }).split('\n')).toHaveLength(4);
  });
});
