import { describe, expect, it } from 'vitest';
import { encodeRequest } from '../../src/model/index.ts';
import { answersIn, inputLine, partsOf, pretty } from '../../web/src/item/actions/transcript-steps.ts';

const STORED = encodeRequest({
  model: 'scripted/one',
  system: 'You are.',
  messages: [
    { role: 'user', parts: [{ kind: 'text', text: 'Do it.' }] },
    { role: 'assistant', parts: [{ kind: 'tool_call', id: 't1', name: 'shell', input: { command: 'npm test' } }] },
    { role: 'tool', results: [{ callId: 't1', name: 'shell', text: 'ok\n', isError: true }] },
  ],
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
});

describe('a transcript of what is stored', () => {
  it('has what a model said, thought and called, in their order, and leaves out what says nothing', () => {
    const call = { kind: 'tool_call', id: 't1', name: 'shell', input: { command: 'npm test' } };
    const parts = [
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: ' ' },
      { kind: 'text', text: 'So.' },
      call,
    ];
    expect(partsOf(JSON.stringify({ parts }))).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'So.' },
      call,
    ]);
  });

  it('finds what tools answered in the bytes of a request as the engine stores them', () => {
    expect(answersIn(STORED).get('t1')).toEqual({ text: 'ok\n', isError: true });
    expect(answersIn(STORED).size).toBe(1);
  });

  it('makes nothing of bytes that are none of these', () => {
    for (const text of ['', 'not JSON', 'null', '[]', '{"parts":3,"messages":[{"results":[null]}]}']) {
      expect(partsOf(text)).toEqual([]);
      expect(answersIn(text).size).toBe(0);
    }
    expect(pretty('not JSON')).toBe('not JSON');
    expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
  });

  it('says a tool in one line', () => {
    expect(inputLine({ timeout: 3, command: 'npm\n  test' })).toBe('npm test');
    expect(inputLine({ depth: 2 })).toBe('{"depth":2}');
    expect(inputLine({ operation: 'diff' })).toBe('diff');
    const patch = '--- a/src/csv.js\n+++ b/src/csv.js\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/src/new.js\n';
    expect(inputLine({ patch })).toBe('src/csv.js src/new.js');
    expect(inputLine({ patch: 'none of these' })).toBe('{"patch":"none of these"}');
    expect(inputLine({ command: 'x'.repeat(1_000) })).toHaveLength(161);
    expect(inputLine('words')).toBe('words');
  });
});
