import { describe, expect, it } from 'vitest';
import { complaintsOf, sayComplaints } from '../../src/coordinator/decision/complaints.ts';
import { firstRequest, readDecision, repairRequest } from '../../src/coordinator/index.ts';
import { decodeRequest, encodeRequest } from '../../src/model/index.ts';
import { builtInVps } from '../../src/vp/built-in/index.ts';
import { checked, completed, criterion } from '../core/builders.ts';
import { coordinated, create, decideCall, decides, opens, planned, requestInput, response, says } from './support.ts';

/** An item in the middle of its life: found out, failed, with a message that nobody has heard. */
function busyItem() {
  const item = coordinated({
    title: 'Invoices add up',
    goal: 'Invoices must add up to the cent.',
    criteria: [
      checked('c1', { text: 'The total of an invoice is the sum of its rounded lines.', minProof: 'machine' }),
      criterion('c2', { text: 'The rounding rule is documented.', minProof: 'independent' }),
    ],
    instructions: 'Do not touch the public API.',
    limits: { costMicros: 5_000_000 },
  });
  opens(item);
  const find = {
    name: 'Find where amounts are rounded',
    brief: { objective: 'Find every place that rounds.', approach: 'Search the sources.', expectedOutcome: 'A list.' },
  };
  const fix = {
    name: 'Round once',
    brief: { objective: 'Round once per line.', approach: 'Keep cents.', expectedOutcome: 'Totals add up.' },
  };
  const looks = planned('research-1', { ...find, type: 'research', workspace: 'read' });
  decides(item, [create(looks, planned('implement-1', { ...fix, for: ['c1', 'c2'] }))]);
  const summary = 'Rounding happens per line in src/money.js and again in src/report.js.';
  item.completes('research-1', completed([], { summary, outputs: [{ kind: 'link', ref: 'src/money.js' }] }));
  item.later();
  item.start('implement-1');
  const error = '2 tests fail; see /home/ada/work/out.log (token=canary-1234-canary)';
  item.settle('implement-1', { kind: 'failed', code: 'tests_red', error });
  says(item, 'Bitte die Rundungsregel auch erklären.');
  opens(item);
  return item;
}

describe('a request of the Coordinator', () => {
  it('shows the whole item, who asked, and the one tool', async () => {
    const { request } = firstRequest(
      requestInput(busyItem().item, {
        vps: builtInVps(),
        conversation: [
          { from: 'person', text: 'Please hurry.' },
          { from: 'coordinator', text: 'I begin with a look at the rounding.' },
          { id: 'm1', from: 'person', text: 'Bitte die Rundungsregel auch erklären.' },
        ],
      }),
    );
    const [message] = request.messages;
    const [part] = message?.role === 'user' ? message.parts : [];
    await expect(
      `${request.system}\n\n--- user ---\n\n${part?.kind === 'text' ? part.text : ''}\n`,
    ).toMatchFileSnapshot('../../docs/examples/coordinator-request-after-a-message.txt');
    expect({
      ...request,
      system: '',
      messages: request.messages.length,
      tools: request.tools.map(({ name }) => name),
    }).toEqual({
      model: 'scripted/balanced',
      system: '',
      messages: 1,
      tools: ['decide'],
      toolChoice: 'required',
      maxOutputTokens: 8_192,
    });
  });

  it('is the same bytes for the same facts, and can be stored and read again', () => {
    const { item } = busyItem();
    const [first, second] = [item, structuredClone(item)].map((state) =>
      encodeRequest(firstRequest(requestInput(state)).request),
    );
    expect(second).toBe(first);
    expect(decodeRequest(first ?? '')).toMatchObject({ kind: 'decoded' });
  });

  it('hides secrets and paths of this machine, and names no word of the budget in numbers', () => {
    const { snapshot } = firstRequest(requestInput(busyItem().item));
    expect(snapshot.text).not.toContain('canary-1234');
    expect(snapshot.text).not.toContain('/home/ada');
    expect(snapshot.text).toContain('[path]/out.log');
    expect(snapshot.text).not.toContain('5000000');
    expect(snapshot.text).toContain('"budget":"plenty"');
  });

  it('says whether a person or the course of things caused the turn', () => {
    const item = coordinated();
    opens(item);
    const trigger = (): string => JSON.stringify(firstRequest(requestInput(item.item)).request.messages);
    expect(trigger()).toContain('Nothing is under way');
    decides(item, [create(planned('a'))]);
    item.completes('a', completed([]));
    expect(item.verify.status).toBe('ready');
    says(item, 'How far are you?');
    opens(item);
    expect(trigger()).toContain('The person wrote to you');
  });

  it('takes along pictures and PDF of the turn, named as untrusted, and nothing else', () => {
    const { request } = firstRequest(
      requestInput(busyItem().item, {
        files: [
          { name: 'a\n"b".png', mediaType: 'image/png', data: 'AA==' },
          { name: 'c.pdf', mediaType: 'application/pdf', data: 'BB==' },
          { name: 'd.zip', mediaType: 'application/zip', data: 'CC==' },
          { name: 'e.svg', mediaType: 'image/svg+xml', data: 'DD==' },
        ],
      }),
    );
    const [message] = request.messages;
    const parts = message?.role === 'user' ? message.parts.slice(1) : [];
    expect(parts.map((part) => (part.kind === 'text' ? part.text : part.kind))).toEqual([
      'Attachment, untrusted: a "b".png',
      'image',
      'Attachment, untrusted: c.pdf',
      'pdf',
    ]);
  });
});

describe('a repair', () => {
  const first = firstRequest(requestInput(busyItem().item)).request;

  it('answers the call with what is wrong, and asks for the whole decision again', () => {
    const answer = decideCall({ reply: 1 });
    const read = readDecision(answer);
    if (read.kind !== 'complaints') throw new Error('not refused');
    const { messages, ...rest } = repairRequest(first, answer, read.complaints);
    expect({ ...rest, messages: messages.slice(0, 1) }).toEqual(first);
    expect(messages.slice(1)).toMatchSnapshot();
  });

  it('answers every call of several, and words without a call as a message', () => {
    const two = response([
      { name: 'decide', input: {} },
      { name: 'shell', input: {} },
    ]);
    const problem = { path: '', expected: 'one', found: 'two' };
    const last = repairRequest(first, two, [problem]).messages.at(-1);
    expect(last?.role === 'tool' && last.results.map(({ callId, isError }) => [callId, isError])).toEqual([
      ['call-1', true],
      ['call-2', true],
    ]);
    const prose = repairRequest(first, response([], { text: 'Done!', parts: [{ kind: 'text', text: 'Done!' }] }), [
      problem,
    ]);
    expect(prose.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const nothing = repairRequest(first, response([]), [problem]);
    expect(nothing.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  it('tells a late refusal of the core, one mistake a line', () => {
    expect(
      sayComplaints(complaintsOf({ message: 'complete: expected a, found b; actions: expected c, found d' })),
    ).toBe(
      [
        '- the answer: expected what the item accepts now; found complete: expected a, found b',
        '- the answer: expected what the item accepts now; found actions: expected c, found d',
      ].join('\n'),
    );
  });

  it('keeps its complaints within 2,000 characters and says how many are left', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({
      path: `decisions[${at}]`,
      expected: 'x'.repeat(5_000),
      found: '\n'.repeat(99),
    }));
    const said = sayComplaints(many);
    expect(said.length).toBeLessThanOrEqual(2_000);
    expect(said).toMatch(/\n- and 49\d more$/);
    expect(sayComplaints([{ path: '', expected: 'a', found: '' }])).toBe('- the answer: expected a; found nothing');
  });
});
