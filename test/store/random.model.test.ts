import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallFence, CallVerdict, Command, ItemState, OpenCall } from '../../src/core/index.ts';
import { checkStep } from '../../src/invariants/invariants.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { refusal } from './conformance.ts';
import {
  actionSpec,
  claim,
  command,
  completed,
  create,
  dispatch,
  expire,
  LEASE_MS,
  OWNER,
  outcomeOf,
  settle,
  USER,
} from './items.ts';
import { withFiles } from './sqlite-files.ts';
import {
  AGENT,
  call,
  coordinated,
  decide,
  failTurn,
  openTurn,
  post,
  REJECTED,
  responded,
  runFence,
  turnFence,
} from './talk-items.ts';

/** One thing that may be tried, with small numbers so that tries meet each other. */
interface Try {
  readonly what: number;
  readonly item: number;
  readonly action: number;
  readonly nth: number;
  readonly advanceMs: number;
}

const tries: fc.Arbitrary<Try> = fc.record({
  what: fc.nat(33),
  item: fc.nat(2),
  action: fc.nat(2),
  nth: fc.nat(3),
  advanceMs: fc.constantFrom(0, 1, 1_000, LEASE_MS + 1, 120_000),
});

const ACTIONS = [
  { id: 'a1', spec: actionSpec('a1', { workspace: 'shared' }) },
  { id: 'a2', spec: actionSpec('a2', { workspace: 'read' }) },
  { id: 'a3', spec: { ...AGENT, name: 'a3', workspace: 'read' as const } },
];

const FAILED = { kind: 'retryable', code: 'flaky', error: 'It may work next time.' } as const;

const VERDICTS: readonly CallVerdict[] = [
  responded(),
  { as: 'unknown', code: 'cut_off', error: 'The stream ended.', charge: { tokens: 1_000, costMicros: null } },
  REJECTED,
  { as: 'unknown', code: 'cut_off', error: 'The stream ended.', charge: { tokens: 10, costMicros: 3 } },
];

/** What is said to the item and what models are asked; ids follow from the state, so that tries meet each other. */
function talkOf({ item, action, nth }: Try, state: ItemState | undefined): readonly Command[] {
  const id = `i${item}`;
  const actionId = ACTIONS[action]?.id ?? 'a1';
  const turnId = state?.coordinator.turn?.id ?? `t-${id}-${state?.version ?? 0}`;
  const live = state?.runs.find((run) => run.actionId === actionId);
  const ofRun = runFence(live?.id ?? 'none', live?.epoch);
  const fence: CallFence = state?.plan.kind === 'coordinated' ? { kind: 'turn', ...turnFence(turnId) } : ofRun;
  const open = state?.calls.find(
    ({ of, status }) => status !== 'responded' && (of.kind === 'turn' || of.runId === live?.id),
  );
  const messages = state?.actions.find((it) => it.id === actionId)?.messages.length ?? 0;
  const made = call(id, fence, open?.id ?? `c-${id}-${state?.version ?? 0}`, { n: state?.version ?? 0, messages });
  const request = state?.requests[0];
  const approval = { tool: 'shell', call: 'git push', directory: '/p', key: `k${nth}`, pattern: '' };
  const byOwner = { fence: { runId: live?.id ?? 'none', epoch: live?.epoch ?? 0, owner: live?.owner ?? OWNER } };
  const ask = command(id, { type: 'AskApproval', ...byOwner, approval, risk: 'It leaves.' });
  const wake = command(id, { type: 'WakeRun', ...byOwner });
  const correct = command(id, { type: 'CorrectCall', ...correctionOf(state) });
  const isUncertain = (state?.uncertain.length ?? 0) > 0;
  const user = { principal: USER };
  const choice = request?.choices[nth % request.choices.length] ?? 'text';
  const answer = {
    type: 'AnswerRequest',
    requestId: request?.id ?? 'r1',
    choice,
    text: nth === 0 ? '' : 'So be it.',
  } as const;
  const asks = { kind: 'request_human', question: 'Which?', options: [] } as const;
  return [
    post(id, 'Mind the tests.', state?.plan.kind === 'coordinated' ? undefined : actionId),
    ...Array.from({ length: 4 }, () =>
      nextOf(made, open, VERDICTS[nth] ?? REJECTED, isUncertain ? correct : made.prepare),
    ),
    made.prepare,
    made.dispatch,
    made.settle(VERDICTS[nth] ?? REJECTED),
    live?.idle ? wake : ask,
    live?.idle ? wake : ask,
    wake,
    command(id, answer, user),
    state?.coordinator.turn ? decide(id, turnId) : openTurn(id, turnId),
    dispatch(id, live?.id ?? 'none', live?.epoch),
    openTurn(id, turnId),
    decide(id, turnId, nth === 0 ? { decisions: [asks] } : {}),
    failTurn(id, turnId),
    settle(id, live?.id ?? 'none', outcomeOf({ kind: 'waiting', question: 'Which?' }), live?.epoch),
    command(id, { type: 'CloseAction', actionId, generation: 1, reason: 'enough', cascade: true }, user),
    correct,
    made.prepare,
    command(id, { type: 'RedirectAction', actionId, generation: 1, guidance: 'Otherwise.' }, user),
  ];
}

/** What would come next for a request, or instead of one. */
function nextOf(
  made: ReturnType<typeof call>,
  open: OpenCall | undefined,
  verdict: CallVerdict,
  otherwise: Command,
): Command {
  if (!open) return otherwise;
  return open.status === 'dispatching' ? made.settle(verdict) : made.dispatch;
}

function correctionOf(state: ItemState | undefined) {
  const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 };
  return { callId: state?.uncertain[0]?.id ?? 'none', charge: { tokens: 6, costMicros: 7 }, tokens };
}

/** The try as a command that fits the state it meets, more often than not. */
function commandOf(step: Try, state: ItemState | undefined): Command {
  const { what, item, action, nth } = step;
  const id = `i${item}`;
  const actionId = ACTIONS[action]?.id ?? 'a1';
  const target = state?.actions.find((candidate) => candidate.id === actionId);
  const epoch = (target?.leaseEpoch ?? 0) + (nth === 3 ? -1 : 0);
  const generation = target?.generation ?? 1;
  const run = target?.runId ?? `none-${nth}`;
  const user = { principal: USER };
  const version = { controlVersion: state?.controlVersion ?? 0 };
  const all: readonly Command[] = [
    item === 2
      ? coordinated(id)
      : create(id, { actions: ACTIONS, contract: { workspace: item === 0 ? 'isolated' : 'in-place' } }),
    claim(id, `r-${id}-${actionId}-${epoch + 1}`, { actionId, generation }),
    claim(id, `r-${id}-${actionId}-${epoch + 1}`, { actionId, generation, owner: 'owner-b' }),
    dispatch(id, run, epoch),
    settle(id, run, outcomeOf(completed()), epoch),
    settle(id, run, outcomeOf(FAILED), epoch),
    expire(id, run, epoch),
    command(id, { type: 'HoldItem', code: 'user', details: 'wait' }, user),
    command(id, { type: 'ResumeItem', ...version }, user),
    command(id, { type: 'StopItem', reason: 'enough' }, user),
    command(id, { type: 'ReopenItem' }, user),
    command(id, { type: 'RetryAction', actionId, generation }, user),
    ...talkOf(step, state),
  ];
  return all[what] ?? create(id);
}

/** Everything that two stores must agree on. */
async function picture(store: Store, now: number): Promise<unknown> {
  const ids = ['i0', 'i1', 'i2'];
  return {
    states: await Promise.all(ids.map((id) => store.load(id))),
    events: await Promise.all(ids.map((id) => store.events(id))),
    runs: await Promise.all(ids.map((id) => store.runs(id))),
    entries: await Promise.all(ids.map((id) => store.entries(id))),
    calls: await Promise.all(ids.map((id) => store.calls(id))),
    live: await store.liveRuns(),
    expired: await store.expiredRuns({ limit: 9 }),
    due: await store.dueItems({ now, limit: 9 }),
    next: await store.nextDueAt(now),
    list: await store.list({ limit: 9 }),
  };
}

/** Every history begins with its items, so that it is not about their absence. */
const FIRST: readonly Try[] = [0, 1, 2].map((item) => ({ what: 0, item, action: 0, nth: 0, advanceMs: 0 }));

async function agree(steps: readonly Try[], seen: Set<string>): Promise<void> {
  await withFiles(async ({ open, now, advance }) => {
    const policy = () => ({ concurrency: 2, dailyTokens: 5_000 });
    const stores: readonly [Store, Store, Store] = [
      await open({ policy, cache: { items: 1, chars: 10_000 } }),
      await open({ policy }),
      openMemoryStore({ now, policy }),
    ];
    const [one, two, oracle] = stores;
    for (const [index, step] of [...FIRST, ...steps].entries()) {
      advance(step.advanceMs);
      const before = await oracle.load(`i${step.item}`);
      const wanted = commandOf(step, before);
      const expected = refusal(await oracle.execute(wanted));
      expect(refusal(await (index % 2 ? one : two).execute(wanted))).toBe(expected);
      seen.add(`${wanted.body.type} ${expected === 'executed' ? 'executed' : 'refused'}`);
      const after = await oracle.load(`i${step.item}`);
      if (before && after) expect(checkStep(before, after)).toEqual([]);
    }
    const expected = await picture(oracle, now());
    expect(await picture(one, now())).toEqual(expected);
    expect(await picture(two, now())).toEqual(expected);
    for (const store of stores) expect((await store.doctor()).findings).toEqual([]);
  });
}

describe('two SQLite stores on one file and the memory store', () => {
  test('agree on every answer and every row of random histories, and the doctor finds nothing (rule 48)', async () => {
    const seen = new Set<string>();
    const history = fc.array(tries, { minLength: 30, maxLength: 60 });
    // A run that never tried something proves nothing about it.
    const kinds = [
      'CreateItem',
      'Claim',
      'Dispatch',
      'Settle',
      'ExpireRun',
      'HoldItem',
      'ResumeItem',
      'StopItem',
      'ReopenItem',
      'PostMessage',
      'PrepareCall',
      'DispatchCall',
      'SettleCall',
      'AskApproval',
      'WakeRun',
      'AnswerRequest',
      'OpenTurn',
      'Decide',
      'FailTurn',
      'CloseAction',
      'CorrectCall',
    ];
    const all = kinds.flatMap((kind) => [`${kind} executed`, `${kind} refused`]);
    const missing = (): readonly string[] => all.filter((kind) => !seen.has(kind));
    for (let round = 0; round === 0 || (missing().length > 0 && round < 12); round++) {
      await fc.assert(
        fc.asyncProperty(history, (steps) => agree(steps, seen)),
        { numRuns: 30 },
      );
    }
    expect(missing()).toEqual([]);
  }, 240_000);
});
