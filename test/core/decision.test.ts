import { describe, expect, test } from 'vitest';
import { ACTION_LIMITS, COORDINATOR_LIMITS, type Decision, goalOf } from '../../src/core/index.ts';
import { action, checked, completed, contract, criterion, spec } from './builders.ts';
import {
  ANSWER,
  COMPLETE,
  close,
  coordinated,
  create,
  decideBody,
  decides,
  failsTurn,
  guide,
  objection,
  opens,
  review,
  says,
  work,
} from './coordinator.ts';
import { AGENT, ENGINE, type Scenario, scenario, USER } from './scenario.ts';

const engine = { principal: ENGINE };

/** A coordinated item in which a person has spoken. */
function spokenTo(made = coordinated()): Scenario {
  says(made, 'go on');
  return made;
}

const lastDecided = (made: Scenario) => made.events.findLast(({ body }) => body.type === 'TurnDecided')?.body;

/** `a` has failed and `b` is done, merged, and claims nothing. */
function half(): Scenario {
  const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
  decides(made, [create(work('a'), work('b', { for: ['c2'] }))]);
  made.completes('b', completed());
  made.fails('a');
  return made;
}

describe('D19 which decisions go together', () => {
  const cases: readonly (readonly [string, readonly Decision[], string])[] = [
    ['nothing at all', [], 'decisions: expected at least one decision, found none'],
    ['a kind twice', [create(work('x')), create(work('y'))], 'decisions: expected each kind once'],
    ['an Action twice', [guide('a'), close('a')], 'decisions: expected each Action once, found a, a'],
    ['completion beside new work', [COMPLETE, create(work('x'))], 'decisions: expected complete by itself'],
    ['an answer that nobody asked for', [ANSWER], 'decisions: expected more than an answer, for nobody asked'],
  ];
  test.each(cases)('not: %s', (_, decisions, sentence) => {
    expect(objection(half(), decisions)).toContain(sentence);
  });

  test('several that fit come in one turn, all or nothing', () => {
    const made = half();
    objection(made, [close('a'), create(work('x'), work('y', { for: ['nothing'] }))]);
    expect(made.action('a').status, 'nothing of a refused turn was applied').toBe('failed');
    decides(made, [close('a'), create(work('x'))]);
    expect([made.action('a').status, made.action('x').status]).toEqual(['closed', 'ready']);
  });

  test('an answer needs words, and only a person is answered', () => {
    const made = spokenTo();
    expect(objection(made, [ANSWER], { reply: ' ' })).toContain('reply: expected an answer, found no words');
    decides(made, [ANSWER], { reply: 'Yes.' });
    expect(lastDecided(made)).toMatchObject({ reply: 'Yes.', kinds: ['answer'] });
  });

  test('everything that is wrong is said at once, for the one repair (D17)', () => {
    const said = objection(half(), [guide('nobody'), create(work('x', { for: ['c9'] }))]);
    expect(said).toContain('guidance[0].actionId: expected one of a, b, found nobody');
    expect(said).toContain('actions[0].for: expected one of c1, c2, found c9');
  });

  test('only the engine speaks for the Coordinator, in the turn that it holds', () => {
    const made = spokenTo();
    opens(made);
    const body = decideBody(made, [ANSWER]);
    made.refuses(body, 'user_required', { principal: AGENT });
    made.refuses({ ...body, owner: 'w2' }, 'lease_lost', engine);
    made.refuses({ ...body, turnId: 't0' }, 'lease_lost', engine);
    made.does(body, engine);
  });

  test('words are bounded', () => {
    const made = spokenTo();
    opens(made);
    made.refuses(decideBody(made, [ANSWER], { reply: 'x'.repeat(8_001) }), 'invalid_field', engine);
    decides(made, [ANSWER], { reason: 'y'.repeat(9_000) });
    expect(lastDecided(made)).toMatchObject({ reason: 'y'.repeat(COORDINATOR_LIMITS.reasonChars) });
  });
});

describe('D19 create_actions', () => {
  const refusals: readonly (readonly [string, Decision, string])[] = [
    ['no Action', create(), 'actions: expected 1..8, found 0'],
    ['nine', create(...[...Array(9).keys()].map((at) => work(`n${at}`))), 'actions: expected 1..8, found 9'],
    ['an id that is taken', create(work('a')), 'actions[0].id: expected an id that is new, found a'],
    ['one id for two', create(work('x'), work('x')), 'actions[1].id: expected an id of its own'],
    ['an id of the engine', create(work('verify-7')), 'actions[0].id: expected a name not kept for the engine'],
    ['triage', create(work('x', { type: 'triage' })), 'actions[0].type: expected work that is commissioned'],
    ['a verification', create(work('x', { type: 'verify' })), 'actions[0].type: expected work that is commissioned'],
    ['a brief without approach', create(work('x', { brief: { objective: 'do it' } })), 'actions[0].brief: expected'],
    ['a dependency', create(work('x', { dependsOn: ['b'] })), 'actions[0].sources: expected conflicted: none, found b'],
    ['integration of nothing', create(work('x', { workspace: 'integrate' })), 'expected a conflict, found none'],
    ['a review that writes', create(work('x', { type: 'review' })), 'actions[0].workspaceMode: expected read'],
    ['a purpose of nothing', create(work('x', { for: [] })), 'expected a criterion, a blocker or delivery, found none'],
    ['a criterion that is not there', create(work('x', { for: ['c9'] })), 'actions[0].for: expected one of c1, c2'],
    ['a blocker that blocks nothing', create(work('x', { unblocks: ['b'] })), 'actions[0].unblocks: expected one of a'],
    ['a source that is not there', create(work('x', { sources: ['z'] })), 'actions[0].sources: expected an Action'],
    ['no rationale', create(work('x', { rationale: ' ' })), 'actions[0].rationale: expected 1..2000 characters'],
    ['too many attempts', create(work('x', { maxAttempts: 9 })), 'actions[0].maxAttempts: expected 1..5, found 9'],
    ['an unknown one to supersede', { kind: 'create_actions', actions: [work('x')], supersede: ['z'] }, 'supersede[0]'],
  ];
  test.each(refusals)('is refused for %s (D3, G9)', (_, decision, sentence) => {
    expect(objection(half(), [decision])).toContain(sentence);
  });

  test('a criterion that is proven by another is nothing to work for any more (G9)', () => {
    const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
    decides(made, [create(work('w', { for: ['c2'] }), review('r'))]);
    made.start('w');
    made.settle('w', completed());
    made.merge('w');
    made.completes('r', completed(['c1'], { review: 'approved' }));
    expect(goalOf(made.item).criteria[0]).toMatchObject({ standing: 'passed', proof: 'independent' });
    expect(objection(made, [create(work('x'))])).toContain('actions[0].for: expected one of c2, found c1');
    decides(made, [create(work('x', { for: [], forDelivery: true }))]);
  });

  test('an objective comes again only with a reason of its own (G9)', () => {
    const made = half();
    const again = (rationale: string) => create(work('x', { rationale, brief: { ...brief, objective: ' DO  a ' } }));
    const sentence = 'actions[0].rationale: expected a new reason for a repeated objective';
    expect(objection(made, [again('because a closes the open gap')])).toContain(sentence);
    expect(objection(made, [again('short reason')])).toContain(sentence);
    decides(made, [again('the cache was stale the first time')]);
    says(made, 'and more');
    const rationale = 'two of them see more than one';
    const twins = [work('y', { brief, rationale }), work('z', { brief, rationale })];
    expect(objection(made, [create(...twins)])).toContain('actions[1].rationale');
  });

  const brief = { objective: 'something', approach: 'so', expectedOutcome: 'that' };

  test('64 in all, those of the engine not counted', () => {
    const made = coordinated();
    for (let at = 0; at < 8; at += 1) {
      says(made, 'more');
      decides(made, [create(...[0, 1, 2, 3, 4, 5, 6, 7].map((nth) => work(`a${at}-${nth}`)))]);
    }
    says(made, 'more');
    expect(objection(made, [create(work('x'))])).toContain(`expected ${ACTION_LIMITS.perItem} in all, found 64`);
  });

  test('may join running work, and take the place of what is ready, waiting or failed', () => {
    const made = half();
    decides(made, [create(work('r'))]);
    made.start('r');
    says(made, 'more');
    const instead = (id: string): Decision => ({ kind: 'create_actions', actions: [work('x')], supersede: [id] });
    expect(objection(made, [instead('r')])).toContain(
      'supersede[0]: expected an Action that is ready, waiting or failed',
    );
    expect(objection(made, [instead('b')])).toContain('supersede[0]');
    decides(made, [instead('a')]);
    expect([made.action('a').status, made.action('r').status]).toEqual(['superseded', 'running']);
  });

  test('sources are context and gate nothing (D2)', () => {
    const made = half();
    decides(made, [create(work('x', { sources: ['a', 'b'] }))]);
    expect(made.dueKinds()).toContain('x');
  });

  test('integrate resolves results that conflict, and nothing else', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b', { for: ['c1'], type: 'test' }))]);
    made.start('a', 'b');
    made.settle('a', completed());
    made.merge('a');
    made.settle('b', completed());
    made.conflict('b');
    const join = (...dependsOn: string[]) => create(work('i', { workspace: 'integrate', dependsOn }));
    expect(objection(made, [join('a')])).toContain('actions[0].sources: expected conflicted: b, found a');
    decides(made, [join('b')]);
    expect(made.dueKinds()).toContain('i');
  });

  test('under a limit of money a command is refused unless it is allowed unmetered (D27)', () => {
    const command = work('x', { executor: spec('x').executor });
    const limited = coordinated({ limits: { costMicros: 1_000_000 } });
    expect(objection(limited, [create(command)])).toContain(
      'actions[0].vp: expected an executor that reports its cost',
    );
    decides(coordinated({ limits: { costMicros: 1_000_000, allowUnmetered: true } }), [create(command)]);
  });
});

describe('D19 guide_actions and close_actions', () => {
  test('a running Action is neither guided nor closed', () => {
    const made = half();
    decides(made, [create(work('r'))]);
    made.start('r');
    says(made, 'stop it');
    const sentence = 'expected an Action that is ready, waiting or failed, found running';
    expect(objection(made, [guide('r')])).toContain(sentence);
    expect(objection(made, [close('r')])).toContain(sentence);
  });

  test('what is completed is guided only when a person has written to it', () => {
    const made = half();
    expect(objection(made, [guide('b')])).toContain('found completed');
    failsTurn(made);
    made.later();
    says(made, 'not like this', 'b');
    expect(objection(made, [close('b')])).toContain('found completed');
    decides(made, [guide('b')]);
    expect(made.action('b').generation).toBe(2);
  });

  test('guidance has words, and an Action that can try again', () => {
    const made = coordinated();
    decides(made, [create(work('a', { maxAttempts: 1 }))]);
    made.retries('a');
    expect(objection(made, [guide('a')])).toContain('guidance[0]: expected an Action with attempts left');
    const silent: Decision = { kind: 'guide_actions', guidance: [{ actionId: 'a', instruction: '' }] };
    expect(objection(made, [silent])).toContain('guidance[0].instruction: expected 1..8000 characters, found 0');
    decides(made, [close('a')]);
  });

  test.each([{ type: 'deliver' }, { effects: 'external' }] as const)(
    'what acts outside is sent back by a person only: %o (D11)',
    (more) => {
      const made = coordinated();
      decides(made, [create(work('a', more))]);
      made.start('a');
      made.settle('a', { kind: 'failed', code: 'broken', error: 'no' });
      if ('effects' in more) made.answer('operation_unknown', 'not_applied');
      expect(objection(made, [guide('a')])).toContain('expected work that may be repeated without a person');
    },
  );

  test('closing needs a reason', () => {
    const silent: Decision = { kind: 'close_actions', closures: [{ actionId: 'a', reason: ' ' }] };
    expect(objection(half(), [silent])).toContain('closures[0].reason: expected 1..2000 characters');
  });

  test('a verification is the engine’s and cannot be touched', () => {
    const made = coordinated({ criteria: [checked('c1')] });
    decides(made, [create(work('a'))]);
    made.completes('a', completed());
    made.verifies({ c1: 'wrong_exit' });
    expect(objection(made, [close('verify-1')])).toContain('expected one of a, found verify-1');
  });
});

describe('D16, D19 request_human', () => {
  const ask = (question: string, ...options: readonly string[]): Decision => ({
    kind: 'request_human',
    question,
    options,
  });

  test('asks once, blocks automatic turns, and the answer is heard', () => {
    const made = coordinated();
    decides(made, [ask('Which branch?', 'main', 'next')]);
    expect(made.request('coordinator_question')).toMatchObject({ kind: 'question', options: ['main', 'next'] });
    expect(made.dueKinds()).toEqual([]);
    made.answer('coordinator_question', 'text', 'next');
    expect(made.item.inbox).toMatchObject([{ kind: 'answer', question: 'Which branch?', text: 'next' }]);
    expect(opens(made)).toBe('user');
  });

  test('is replaced when it is asked anew, and withdrawn when the Coordinator goes on without it', () => {
    const made = coordinated();
    decides(made, [ask('Which branch?')]);
    says(made, 'the usual one');
    decides(made, [ask('main, then?')]);
    expect(made.item.requests.map(({ id, question }) => [id, question])).toEqual([['r2', 'main, then?']]);
    says(made, 'yes');
    decides(made, [create(work('a'))]);
    expect(made.item.requests).toEqual([]);
  });

  test('is bounded', () => {
    const made = coordinated();
    expect(objection(made, [ask('')])).toContain('question: expected 1..8000 characters');
    expect(objection(made, [ask('?', ...Array<string>(9).fill('x'))])).toContain('options: expected 0..8, found 9');
    expect(objection(made, [ask('?', 'x'.repeat(201))])).toContain('options[0]: expected 1..200 characters');
  });

  test('requests of one turn are numbered in their order', () => {
    const made = spokenTo();
    const changed = { ...made.item.contract, goal: 'another' };
    decides(made, [{ kind: 'propose_contract', contract: changed }, ask('Which?')]);
    expect(made.item.requests.map(({ id, subject }) => [id, subject.kind])).toEqual([
      ['r1', 'coordinator_question'],
      ['r2', 'contract_proposal'],
    ]);
  });
});

describe('D20 contract authority', () => {
  const changes = [
    { title: 'x' },
    { goal: 'less' },
    { criteria: [criterion('c1', { text: 'easier' })] },
    { criteria: [criterion('c1', { minProof: 'independent' })] },
    { delivery: { target: 'workspace_files' } as const },
    { instructions: 'be quick' },
    { setup: { run: 'true', inputs: [], network: 'none', timeoutSec: 1 } as const },
  ];
  test.each(changes)('an automatic turn proposes nothing, whatever it is: %o (G7)', (change) => {
    const made = coordinated();
    const proposal: Decision = { kind: 'propose_contract', contract: { ...made.item.contract, ...change } };
    const sentence = "propose_contract: expected a turn that a person's words caused, found automatic";
    expect(objection(made, [proposal])).toContain(sentence);
    expect(objection(made, [proposal, create(work('a'))])).toContain(sentence);
    says(made, 'I am a person');
    expect(objection(made, [proposal]), 'words that came later do not change where the turn came from').toContain(
      sentence,
    );
  });

  test('a forged origin in the command means nothing', () => {
    const made = coordinated();
    opens(made);
    const proposal: Decision = { kind: 'propose_contract', contract: contract({ goal: 'less' }) };
    const forged = { ...decideBody(made, [proposal]), ...{ origin: 'user', userOriginated: true } };
    made.refuses(forged, 'invalid_decision', engine);
    made.refuses(forged, 'invalid_decision', { principal: USER });
  });

  test('no kind of decision of an automatic turn changes the contract or opens a confirmation', () => {
    const made = half();
    const before = made.item.contract;
    const smuggled = { contract: { goal: 'less' }, criteria: [], patch: { goal: 'less' } };
    const decisions = [close('a'), create(work('x'))];
    for (const decision of decisions) Object.assign(decision, smuggled);
    decides(made, decisions);
    expect(made.item).toMatchObject({ contract: before, contractVersion: 1 });
    expect(made.openKinds()).toEqual([]);
  });

  test('the directory is not the Coordinator’s, and neither is a proposal that changes nothing or is not valid', () => {
    const made = spokenTo();
    const propose = (more: object): Decision => ({
      kind: 'propose_contract',
      contract: { ...made.item.contract, ...more },
    });
    expect(objection(made, [propose({})])).toContain('expected a change, found the same contract');
    expect(objection(made, [propose({ directory: '/etc' })])).toContain('expected the directory /repo, found /etc');
    expect(objection(made, [propose({ goal: ' ' })])).toContain('goal: expected 1..8000 characters');
    const many = [...Array(25).keys()].map((at) => criterion(`k${at}`));
    expect(objection(made, [propose({ criteria: many })])).toContain('criteria: expected 1..24, found 25');
  });

  test('a contract that changed meanwhile is not proposed upon', () => {
    const made = spokenTo();
    opens(made);
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, goal: 'mine' } });
    const proposal: Decision = { kind: 'propose_contract', contract: { ...made.item.contract, goal: 'its' } };
    expect(objection(made, [proposal])).toContain('expected the contract it saw, found another');
  });
});

describe('D5 a title is a label', () => {
  const named = (titlePending: boolean): Scenario => coordinated({ titlePending });

  test('an item without one of its own is named once, within bounds, and its goal never shortened', () => {
    const made = named(true);
    decides(made, [create(work('a'))], { title: ` ${'x'.repeat(300)} ` });
    expect(made.item.contract.title).toBe('x'.repeat(200));
    expect(made.item).toMatchObject({ titlePending: false, contractVersion: 1, contract: { goal: 'A goal' } });
    made.fails('a');
    decides(made, [guide('a')], { title: 'another' });
    expect(made.item.contract.title).toBe('x'.repeat(200));
  });

  test('a blank one, or one for an item that has its own, changes nothing', () => {
    const blank = named(true);
    decides(blank, [create(work('a'))], { title: '  ' });
    expect(blank.item).toMatchObject({ titlePending: true, contract: { title: 'A title' } });
    const own = named(false);
    decides(own, [create(work('a'))], { title: 'mine' });
    expect(own.item.contract.title).toBe('A title');
  });
});

describe('D18 complete', () => {
  test('says what is missing, by criterion and by Action', () => {
    const made = half();
    expect(objection(made, [COMPLETE])).toContain(
      'expected fresh proof of every criterion, found c1 is unmet; c2 is unmet',
    );
    expect(objection(made, [COMPLETE])).toContain('expected no unfinished Action, found a is failed');
  });

  test('a pass, then a write, then complete: refused with the criterion and the writer; a fresh check is accepted', () => {
    const made = coordinated({ delivery: { target: 'response' } });
    decides(made, [create(review('r'))]);
    made.completes('r', completed(['c1'], { review: 'approved' }));
    says(made, 'polish it');
    decides(made, [create(work('w', { for: [], forDelivery: true }))]);
    made.completes('w', completed());
    expect(objection(made, [COMPLETE])).toContain('found c1 is stale (written over by w)');
    decides(made, [create(review('r2'))]);
    made.completes('r2', completed(['c1'], { review: 'approved' }));
    decides(made, [COMPLETE]);
    expect(made.item.finalResult).toMatchObject({
      criteria: [{ criterionId: 'c1', proof: 'independent', runId: 'run-3' }],
    });
  });

  test('closing is neither proof nor rollback, also in the same turn (rule 36, GOAL-5)', () => {
    const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
    decides(made, [create(work('a'), review('r', { for: ['c2'] }))]);
    made.fails('a');
    made.completes('r', completed(['c2'], { review: 'approved' }));
    expect(objection(made, [close('a'), COMPLETE])).toContain('found c1 is unmet');
    decides(made, [create(work('w'))]);
    made.start('w');
    made.settle('w', completed(['c1']));
    made.merge('w');
    const said = objection(made, [close('a'), COMPLETE]);
    expect(said).toContain('c2 is stale (written over by w)');
    expect(said).not.toContain('unfinished');
  });

  test('what is open is closed with it, in one step (D14)', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.completes('a', completed(['c1']));
    made.fails('b');
    decides(made, [close('b'), COMPLETE]);
    expect(made.item.lifecycle).toBe('done');
    expect(made.item.finalResult?.summary).toBe('It is done.');
  });

  test('a contradiction is not hidden by closing or by a retry that says nothing (rule 36, GOAL-6, G3)', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.completes('a', completed(['c1']));
    expect(goalOf(made.item).allProven).toBe(true);
    says(made, 'have it reviewed');
    decides(made, [create(review('r', { forDelivery: true }))]);
    made.completes('r', completed(['c1'], { review: 'changes_requested', summary: 'It is wrong.' }));
    expect(made.action('r')).toMatchObject({ status: 'failed', failureCode: 'changes_requested' });
    expect(objection(made, [close('r'), COMPLETE])).toContain('found c1 is failed');
    decides(made, [guide('r')]);
    made.completes('r', completed([], { review: 'approved' }));
    expect(objection(made, [COMPLETE])).toContain('found c1 is failed');
    decides(made, [create(review('r2', { rationale: 'a second pair of eyes is due' }))]);
    made.completes('r2', completed(['c1'], { review: 'approved' }));
    decides(made, [COMPLETE]);
    expect(made.item.lifecycle).toBe('done');
  });

  test('nothing new may have come since the turn began', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.completes('a', completed(['c1']));
    opens(made);
    says(made, 'one more thing');
    expect(objection(made, [COMPLETE])).toContain(
      'complete: expected nothing new since this turn began, found newer facts',
    );
  });

  test('a summary and bounded risks are all it says; the proof is the engine’s (D18, D20)', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.completes('a', completed(['c1']));
    const complete = (summary: string, risks: number): Decision => ({
      kind: 'complete',
      summary,
      residualRisks: Array<string>(risks).fill('it may rain'),
    });
    expect(objection(made, [complete(' ', 0)])).toContain('complete.summary: expected 1..8000 characters');
    expect(objection(made, [complete('ok', 25)])).toContain('complete.residualRisks: expected 0..24, found 25');
    const lying = {
      ...complete('ok', 1),
      criteria: ['c1', 'c2'],
      runIds: ['forged'],
      outputs: [{ kind: 'pr', ref: 'x' }],
    };
    decides(made, [lying]);
    expect(made.item.finalResult).toMatchObject({
      ...{ criteria: [{ criterionId: 'c1', proof: 'self', runId: 'run-1' }], residualRisks: ['it may rain'] },
    });
    expect(made.item.finalResult?.outputs).toEqual([{ kind: 'file', ref: 'a.txt' }]);
  });

  test('words that come before delivery has ended have to be heard first (rule 37)', () => {
    const made = coordinated({ delivery: { target: 'workspace_files' } });
    decides(made, [create(work('a'))]);
    made.completes('a', completed(['c1']));
    decides(made, [COMPLETE]);
    expect(made.dueKinds()).toEqual(['publish']);
    says(made, 'stop, not yet');
    expect(made.item.completion).toBeUndefined();
    made.refuses({ type: 'RecordPublish', ref: 'x', commit: made.item.branch.head }, 'not_deliverable', engine);
    decides(made, [ANSWER, COMPLETE]);
    made.publish();
    expect(made.item.lifecycle).toBe('done');
  });

  test('a contract edit takes the completion back, and the proof of what it touched (rule 37)', () => {
    const made = coordinated({ delivery: { target: 'workspace_files' } });
    decides(made, [create(work('a'))]);
    made.completes('a', completed(['c1']));
    decides(made, [COMPLETE]);
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, goal: 'more' } });
    expect(made.item.completion).toBeUndefined();
    expect(objection(made, [COMPLETE])).toContain('found c1 is unmet');
  });

  test('a report is delivered as an answer and survives folding again (G10)', () => {
    const made = coordinated();
    decides(made, [create(work('a', { type: 'research', workspace: 'read' }))]);
    made.completes('a', completed(['c1'], { summary: 'The answer is 42.' }), { changedPaths: [] });
    decides(made, [COMPLETE]);
    expect(made.item.finalResult).toMatchObject({ summary: 'The answer is 42.', delivery: { target: 'response' } });
  });

  test('an item with a plan has no turns at all', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] })] });
    made.refuses({ type: 'OpenTurn', turnId: 't1', epoch: 1, owner: 'w1' }, 'no_decision_due', engine);
  });
});
