import { expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/client/open-api-document.ts';
import { type Can, canAnswer, canOf, canOfAction, canResolve } from '../../src/api/views/can.ts';
import { type CommandBody, decide, type ItemState, isRejection, NO_FACTS } from '../../src/core/index.ts';
import { sha256 } from '../core/builders.ts';
import { USER } from '../core/scenario.ts';
import { seedOr } from '../model/draw.ts';
import { newTally } from '../model/tally.ts';
import { type Twins, withOracle } from '../model/twins.ts';
import { walk } from '../model/walk.ts';

const FIRST_SEED = 4_001;
const WALKS = 3;
const STEPS = 700;
/** A landing begins when nothing is asked any more. */
const RARE = 'answer: false';

const CONTEXT = { now: 9_000_000, hash: sha256, facts: NO_FACTS };
const POLICY = { concurrency: 64, dailyTokens: null, dailyCostMicros: null };

/** What the core answers to a person, without anything being changed. */
const accepts = (state: ItemState, body: CommandBody): boolean =>
  !isRejection(decide(state, { itemId: state.id, principal: USER, body }, { ...CONTEXT, policy: POLICY }));

type Asked = readonly [what: string, can: Can, bodies: readonly CommandBody[]];

function ofItem(state: ItemState): readonly Asked[] {
  const { controlVersion, contractVersion, contract } = state;
  // What changes nothing is not the core's to decide.
  const { rerun: _rerun, ...can } = canOf(state);
  const bodies: Readonly<Record<keyof typeof can, CommandBody>> = {
    start: { type: 'StartItem' },
    stop: { type: 'StopItem', reason: 'enough' },
    reopen: { type: 'ReopenItem' },
    resume: { type: 'ResumeItem', controlVersion },
    extend: { type: 'ExtendBudget', controlVersion, attempts: 1 },
    message: { type: 'PostMessage', target: { kind: 'coordinator' }, text: 'Hello.', attachments: [] },
    edit: { type: 'EditContract', contractVersion, contract: { ...contract, instructions: 'Be quick about it.' } },
  };
  return Object.entries(can).map(([what, each]) => [what, each, [bodies[what as keyof typeof can]]] as const);
}

const ofActions = (state: ItemState): readonly Asked[] =>
  state.actions.flatMap((action) => {
    const fence = { actionId: action.id, generation: action.generation };
    const can = canOfAction(state, action);
    const target = { kind: 'action', actionId: action.id } as const;
    return [
      ['retry', can.retry, [{ type: 'RetryAction', ...fence }]],
      ['redirect', can.redirect, [{ type: 'RedirectAction', ...fence, guidance: 'Like this.' }]],
      ['close', can.close, [{ type: 'CloseAction', ...fence, reason: '', cascade: false }]],
      ['message to it', can.message, [{ type: 'PostMessage', target, text: 'Hello.', attachments: [] }]],
    ] as const;
  });

const ofOthers = (state: ItemState): readonly Asked[] => [
  ...state.requests.map(({ id, choices }): Asked => {
    const bodies = choices.map(
      (choice): CommandBody => ({ type: 'AnswerRequest', requestId: id, choice, text: 'So.' }),
    );
    return ['answer', canAnswer(state), bodies];
  }),
  ...state.operations.map((operation): Asked => {
    const body = { type: 'ResolveOperation', operationId: operation.id, effect: 'applied', reason: '' } as const;
    return ['resolve', canResolve(state, operation), [body]];
  }),
];

it('says of each change what the core says, whatever has happened to the item, and why not (D33)', async () => {
  const seen = new Set<string>();
  const compare = (state: ItemState): void => {
    for (const [what, can, bodies] of [...ofItem(state), ...ofActions(state), ...ofOthers(state)]) {
      const isAccepted = bodies.some((body) => accepts(state, body));
      expect([what, can.allowed, state.lifecycle], JSON.stringify(can)).toEqual([what, isAccepted, state.lifecycle]);
      if (!can.allowed) expect(can.reason).toMatch(/^[A-Z].*\.$/);
      seen.add(`${what}: ${can.allowed}`);
    }
  };
  const watched = (work: (twins: Twins) => Promise<void>) =>
    withOracle((twins) =>
      work({
        ...twins,
        execute: async (command) => {
          const answer = await twins.execute(command);
          if ('state' in answer) compare(answer.state);
          return answer;
        },
      }),
    );
  const first = seedOr(FIRST_SEED);
  for (let at = 0; at < WALKS; at += 1) await walk(first + at, STEPS, newTally(), watched);
  const whats = ['start', 'stop', 'reopen', 'resume', 'extend', 'message', 'edit', 'resolve', 'answer'];
  const both = [...whats, 'retry', 'redirect', 'close', 'message to it'].flatMap((what) => [
    `${what}: true`,
    `${what}: false`,
  ]);
  expect(both.filter((each) => !seen.has(each) && each !== RARE)).toEqual([]);
});

/** What is said of each change, by the end of its path. */
const SAID: Readonly<Record<string, string>> = {
  ...{ start: 'start', stop: 'stop', reopen: 'reopen', resume: 'resume', extend: 'extend' },
  ...{ messages: 'message', contract: 'edit', retry: 'retry', redirect: 'redirect', close: 'close' },
  ...{ 'requests/resolution': 'answer', 'operations/resolution': 'resolve', rerun: 'rerun' },
};

it('says it of every change that a route of an item makes', () => {
  const { paths = {} } = openApiDocument();
  const changes = Object.entries(paths).flatMap(([path, methods]) => {
    const isChange =
      path.includes('/work-items/{id}/') && ('post' in methods || 'patch' in methods || 'put' in methods);
    const ends = path.split('/').filter((segment) => !segment.startsWith('{'));
    const last = ends.at(-1) ?? '';
    return isChange ? [last === 'resolution' ? ends.slice(-2).join('/') : last] : [];
  });
  expect(changes.toSorted()).toEqual(Object.keys(SAID).toSorted());
});
