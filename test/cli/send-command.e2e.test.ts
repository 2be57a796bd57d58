import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendCommand } from '../../src/cli/server/send-command.ts';
import { sendGoal } from '../../src/cli/server/send-goal.ts';
import { createClient } from '../../src/client/index.ts';
import { type CommandBody, type Contract, DEFAULT_LIMITS } from '../../src/core/index.ts';
import { type GoalSubmission, submitGoal as submitDirectly } from '../../src/engine/submit/submit-goal.ts';
import { type Served, served } from '../api/http.ts';
import { submitGoal } from '../support/submit-goal.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const contract = (before: Contract): Contract => ({
  ...before,
  title: 'So',
  goal: 'Make it so, twice',
  instructions: 'Be kind.',
  setup: { run: 'make deps', inputs: ['Makefile'], network: 'none', timeoutSec: 60 },
  criteria: [
    { id: 'c1', version: 1, text: 'It is so.', minProof: 'self' },
    {
      ...{ id: 'twice', version: 1, text: 'Twice.', minProof: 'machine-protected' },
      check: {
        ...{ run: 'test -f so', cwd: 'src', env: { A: 'b' }, timeoutSec: 5, expectExit: 1, expectOutput: 'so' },
        ...{ protect: ['test/**'], network: 'none' },
      },
    },
  ],
  delivery: { target: 'merge', branch: 'main' },
});

/** What a person may ask of an item, in an order in which most of it is allowed. */
const steps = (before: Contract): readonly CommandBody[] => [
  {
    type: 'PostMessage',
    target: { kind: 'coordinator' },
    text: 'Please.',
    attachments: [],
    quote: { from: 'a', text: 'b' },
  },
  { type: 'PostMessage', target: { kind: 'action', actionId: 'fix' }, generation: 2, text: 'Now.', attachments: [] },
  { type: 'EditContract', contractVersion: 1, contract: contract(before) },
  { type: 'EditContract', contractVersion: 1, contract: before },
  { type: 'ExtendBudget', controlVersion: 1, tokens: 5, attempts: 1 },
  { type: 'ResumeItem', controlVersion: 2 },
  { type: 'RetryAction', actionId: 'fix', generation: 1, guidance: 'Again.' },
  { type: 'RedirectAction', actionId: 'fix', generation: 1, guidance: 'Elsewhere.' },
  { type: 'CloseAction', actionId: 'fix', generation: 1, reason: 'No.', cascade: true },
  { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'Yes.' },
  { type: 'ResolveOperation', operationId: 'o1', effect: 'applied', reason: 'I looked.' },
  { type: 'StartItem' },
  { type: 'StopItem', reason: 'Enough.' },
  { type: 'ReopenItem' },
];

it('leads over HTTP to the very events, or the very refusal, to which it leads here', async () => {
  const client = createClient({ url: at.api.url });
  const there = at.itemId;
  const here = (await submitGoal(at.world, at.rig.repo, { goal: 'Make it so' })).id;
  const before = (await at.store.load(here))?.contract;
  if (!before) throw new Error('no item');
  const led = { done: 0, refused: 0 };
  for (const body of steps(before)) {
    const sent = await sendCommand(client, there, body, randomUUID());
    const said = await at.store.execute({ itemId: here, principal: { kind: 'user', name: 'local' }, body });
    if ('code' in said) expect(sent?.problem, body.type).toMatchObject({ code: said.code, detail: expect.any(String) });
    else expect(sent?.problem, body.type).toBeUndefined();
    led['code' in said ? 'refused' : 'done'] += 1;
  }
  expect(led.done).toBeGreaterThan(4);
  expect(led.refused).toBeGreaterThan(4);
  const events = async (id: string) => (await at.store.events(id)).map(({ body }) => body);
  const [first, second] = await Promise.all([events(there), events(here)]);
  expect(first.slice(1)).toEqual(second.slice(1));
});

it('makes over HTTP the very item that it makes here', async () => {
  const client = createClient({ url: at.api.url });
  const {
    criteria,
    setup,
    delivery,
    instructions = '',
  } = contract((await at.store.load(at.itemId))?.contract as Contract);
  const submission: GoalSubmission = {
    ...{
      directory: at.rig.repo,
      dirty: 'refuse',
      inPlace: false,
      start: false,
      principal: { kind: 'user', name: 'local' },
    },
    goal: {
      ...{ goal: 'Make it so', criteria, delivery, instructions, attachments: [], reuseMemory: false },
      ...(setup ? { setup } : {}),
      limits: { ...DEFAULT_LIMITS, costMicros: 5, allowUnmetered: true },
    },
  };
  const sent = await sendGoal(client, submission, 'k1');
  const there = await at.store.load(sent?.data?.id ?? '');
  const made = await submitDirectly({ ...at.world, newItemId: () => 'here' }, submission);
  if ('code' in made) throw new Error(made.message);
  const { state: here } = made;
  expect(there?.contract).toEqual(here.contract);
  expect(there?.limits).toEqual(here.limits);
  expect([there?.lifecycle, there?.reuseMemory]).toEqual([here.lifecycle, here.reuseMemory]);
});
