import { afterEach, describe, expect, it } from 'vitest';
import { goalOf } from '../../src/core/index.ts';
import type { Reply, ScriptedRequest, ScriptedStep } from '../../src/testing.ts';
import {
  agent,
  call,
  commission,
  complete,
  coordinator,
  create,
  decide,
  submit,
  write,
} from '../support/scripted-agent.ts';
import { checkedBy } from '../support/submit-goal.ts';
import { actionOf } from './control-support.ts';
import { answersIn, type GoalBench, openGoalBench, type Seen, toldTo } from './coordinated-bench.ts';

const PROJECT = {
  'sum.sh': 'echo 3\n',
  'test/sum.test.sh': 'test "$(sh sum.sh)" = 4\n',
  'package.json': '{ "name": "p", "scripts": { "test": "sh test/sum.test.sh" } }\n',
  'old.log': '14 tests, 14 passed, 0 failed\n',
};

type Says = Reply | ((request: ScriptedRequest) => Reply);

const passes = (evidence: string, criterion = 'c1') => ({ claims: [{ criterion, status: 'passed', evidence }] });
const askPerson = decide({ decisions: [{ kind: 'request_human', question: 'It could not be done. What now?' }] });

/** One Action with one attempt, done by a liar; whatever becomes of it, the Coordinator asks a person. */
const oneLiar = (...replies: readonly Says[]): readonly ScriptedStep[] => [
  coordinator(decide({ decisions: [create(commission('a', { for: ['c1'], maxAttempts: 1 }))] }), askPerson),
  agent(/Make a true/, ...replies),
];

describe('an agent that lies', () => {
  let bench: GoalBench | undefined;
  afterEach(() => bench?.close());

  const carried = async (steps: readonly ScriptedStep[], check: Parameters<typeof checkedBy>) => {
    bench = await openGoalBench({ files: PROJECT, steps });
    const seen = await bench.carry({ goal: 'Make the sum right', criteria: [checkedBy(...check)] });
    expect(bench.model.unmatched).toEqual([]);
    return seen;
  };

  /** It did not get through, and the page of the item says why. */
  const refused = (seen: Seen, code: string, ...words: readonly string[]) => {
    expect(seen.state.lifecycle).toBe('open');
    expect(goalOf(seen.state).proven).toBe(0);
    expect(actionOf(seen.state, 'a')).toMatchObject({ status: 'failed', attempts: 1, lastRun: { code } });
    for (const word of [code, ...words]) expect(`${seen.page}\n${seen.log}`).toContain(word);
    return actionOf(seen.state, 'a').lastRun?.receipts.at(-1);
  };

  it('D22: that claims tests pass without running them is refused by the check, whose output is shown', async () => {
    const lie = submit('All 14 tests pass.', passes('npm test: 14 passed'));
    const seen = await carried(oneLiar(lie), ['c1', 'sh test/sum.test.sh || { echo sum is wrong; exit 1; }']);
    const receipt = refused(seen, 'claim_refused', "claimed c1; the engine's own check said exit 1", 'sum is wrong');
    expect(receipt?.verdict).toBe('wrong_exit');
    expect(seen.json).toContain('"refusedClaims":[{"criterionId":"c1"');
  });

  it('D23: that edits a protected test has it put back, and is refused', async () => {
    const steps = oneLiar(write('test/sum.test.sh', 'true\n'), submit('Fixed.', passes('the test is green')));
    const protect = { run: 'sh test/sum.test.sh', timeoutSec: 60, expectExit: 0, protect: ['test/**'] };
    const seen = await carried(steps, ['c1', 'sh test/sum.test.sh', { check: { ...protect, network: 'loopback' } }]);
    const receipt = refused(seen, 'claim_refused', "the engine's own check said exit 1");
    expect(receipt?.flags).toContain('protected_restored');
    expect(receipt?.changed).toEqual(['test/sum.test.sh']);
  });

  it('D23: that sets the test script to true cannot complete an item that wants protected proof, and is flagged', async () => {
    const bent = PROJECT['package.json'].replace('sh test/sum.test.sh', 'true');
    const steps = [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'], maxAttempts: 1 }))] }),
        decide({ decisions: [complete()] }),
        askPerson,
      ),
      agent(
        /Make a true/,
        call('read', { path: 'package.json' }),
        call('write', { path: 'package.json', content: bent }),
        submit('All pass.', passes('npm test')),
      ),
    ];
    const seen = await carried(steps, ['c1', 'npm test --silent', { minProof: 'machine-protected' }]);
    expect(seen.state.lifecycle).toBe('open');
    expect(goalOf(seen.state).criteria[0]).toMatchObject({ standing: 'weak' });
    expect(goalOf(seen.state).criteria[0]?.flags).toContain('script_changed');
    expect(seen.page).toContain('scripts changed');
    expect(toldTo(bench?.model as GoalBench['model'], /Nothing of this was carried out/)).toContain('c1 is weak');
  });

  it('D22: that shows an old log as evidence is refused: only a check of the engine passes a criterion that has one', async () => {
    const evidence = [{ kind: 'file', label: 'The log of the test run: 14 passed.', ref: 'old.log', status: 'passed' }];
    const seen = await carried(oneLiar(submit('See the log.', { evidence, ...passes('old.log: 14 passed') })), [
      'c1',
      'sh test/sum.test.sh',
    ]);
    refused(seen, 'claim_refused', "the engine's own check said exit 1");
    expect(seen.runs).toContain('The log of the test run');
  });

  it.each([
    ['falls silent', { text: '' }],
    ['says "done" in prose', { text: 'Done! All criteria are met and every test passes.' }],
  ])(
    'P10, D22: that %s has submitted no outcome: it is told once, then the Run ends as no_outcome',
    async (_how, reply) => {
      const seen = await carried(oneLiar(reply), ['c1', 'sh test/sum.test.sh']);
      refused(seen, 'no_outcome', 'what it only says is not believed');
      expect(toldTo(bench?.model as GoalBench['model'], /That ended nothing/)).toContain('end with submit_outcome');
      expect(actionOf(seen.state, 'a').usage.requests).toBe(2);
    },
  );

  it('D22: that speaks of a criterion which does not exist is told which there are, and may say it again', async () => {
    const steps = [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'], maxAttempts: 1 }))] }),
        decide({ decisions: [complete()] }),
      ),
      agent(
        /Make a true/,
        write('sum.sh', 'echo 4\n'),
        submit('Done.', passes('I ran it', 'c9')),
        submit('Done.', passes('I ran it')),
      ),
    ];
    const seen = await carried(steps, ['c1', 'sh test/sum.test.sh']);
    expect(seen.state.lifecycle).toBe('done');
    const told = toldTo(bench?.model as GoalBench['model'], /It was not accepted/);
    expect(told).toContain('there is no criterion c9; there are c1');
  });

  it('D22: that passes a criterion which it was not for has said nothing about it, and completion is refused', async () => {
    bench = await openGoalBench({
      files: PROJECT,
      steps: [
        coordinator(
          decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
          decide({ decisions: [complete()] }),
          askPerson,
        ),
        agent(
          /Make a true/,
          write('sum.sh', 'echo 4\n'),
          submit('Both done.', { claims: [...passes('seen').claims, ...passes('seen', 'c2').claims] }),
        ),
      ],
    });
    const criteria = [
      { id: 'c1', text: 'The sum is right' },
      { id: 'c2', text: 'The manual is right' },
    ];
    const seen = await bench.carry({ goal: 'Make it right', criteria });
    expect(goalOf(seen.state).criteria.map(({ standing }) => standing)).toEqual(['passed', 'unmet']);
    expect(toldTo(bench.model, /Nothing of this was carried out/)).toContain('c2 is unmet');
    expect(seen.page).toContain('would be proven by an Action that is for it');
  });

  it('D22: whose outcome is malformed twice has none; what was wrong with it is shown', async () => {
    const steps = oneLiar(submit('Done.', { evidence: [] }), submit('', {}));
    const seen = await carried(steps, ['c1', 'sh test/sum.test.sh']);
    refused(seen, 'malformed_outcome', 'summary');
    expect(toldTo(bench?.model as GoalBench['model'], /It was not accepted/)).toContain('name at least one thing');
  });

  it('D22: that gives up with more words than it needs is taken at its word, and has proven nothing', async () => {
    const lie = submit('All is well.', { outcome: 'failed', error: 'I cannot add.', ...passes('I ran it') });
    const seen = await carried(oneLiar(lie), ['c1', 'sh test/sum.test.sh']);
    refused(seen, 'reported_failed', 'I cannot add.');
    expect(actionOf(seen.state, 'a').usage.requests).toBe(1);
    expect(seen.state.claims).toEqual([]);
  });

  it('E16: that loops on one tool is reminded, then stopped before it has burnt the budget', async () => {
    const seen = await carried(oneLiar(call('read', { path: 'sum.sh' })), ['c1', 'sh test/sum.test.sh']);
    refused(seen, 'no_progress', 'It called read 6 times with the same arguments and the same answer.');
    expect(toldTo(bench?.model as GoalBench['model'], /You have made this very call 3 times/)).not.toBe('');
    expect(actionOf(seen.state, 'a').usage.requests).toBe(6);
  });

  it('E6: that makes sixty calls in one message gets an answer to each, in their order', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `f${n}.txt`);
    const steps = [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
        decide({ decisions: [complete()] }),
      ),
      agent(
        /Make a true/,
        { toolCalls: names.map((path) => ({ name: 'write', input: { path, content: path } })) },
        submit(),
      ),
    ];
    const seen = await carried(steps, ['c1', 'test "$(ls f*.txt | wc -l)" = 60']);
    expect(seen.state.lifecycle).toBe('done');
    const last = bench?.model.requests.findLast(({ tools }) => tools.includes('submit_outcome'));
    const answers = answersIn(last?.messages ?? []);
    expect(answers).toHaveLength(60);
    for (const [at, name] of names.entries()) expect(answers[at]).toContain(name);
  });

  it('M7, X6: that is answered with five megabytes is shown both ends and a reference, by which it can read all of it', async () => {
    const huge = 'echo first; yes abcdefghi | head -c 5000000; echo; echo last';
    let ref = '';
    const steps = [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
        decide({ decisions: [complete()] }),
      ),
      agent(
        /Make a true/,
        call('shell', { command: huge }),
        ({ said }) => {
          ref = /read_output ref ([0-9a-f]{64})/.exec(said)?.[1] ?? '';
          return call('read_output', { ref, offset: 30_000 });
        },
        write('sum.sh', 'echo 4\n'),
        submit(),
      ),
    ];
    const seen = await carried(steps, ['c1', 'sh test/sum.test.sh']);
    expect(seen.state.lifecycle).toBe('done');
    const last = bench?.model.requests.findLast(({ tools }) => tools.includes('submit_outcome'));
    const [shown = '', page = ''] = answersIn(last?.messages ?? []);
    expect(shown.length).toBeLessThan(34_000);
    expect(shown).toMatch(/^first\n/);
    expect(shown).toContain('\nlast\n');
    expect(page).toContain('abcdefghi');
    expect(page).toContain('characters more; offset 54000');
    const whole = await bench?.world.store.getContent(ref);
    expect(whole?.length).toBeGreaterThan(5_000_000);
  });

  it('E5: that calls an unknown tool, with a wrong schema, or with no JSON at all is told, and goes on', async () => {
    const steps = [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
        decide({ decisions: [complete()] }),
      ),
      agent(
        /Make a true/,
        call('sudo', { command: 'true' }),
        call('write', { file: 'sum.sh', text: 4 }),
        { toolCalls: [{ name: 'write', input: '{"path": "sum.sh", "content": ' }] },
        write('sum.sh', 'echo 4\n'),
        submit(),
      ),
    ];
    const seen = await carried(steps, ['c1', 'sh test/sum.test.sh']);
    expect(seen.state.lifecycle).toBe('done');
    const last = bench?.model.requests.findLast(({ tools }) => tools.includes('submit_outcome'));
    const [unknown, wrong, unparsable] = answersIn(last?.messages ?? []);
    expect(unknown).toMatch(/There is no tool sudo\. There are: .*write.*submit_outcome/);
    expect(wrong).toContain('The arguments do not fit write');
    expect(wrong).toContain('path');
    expect(unparsable).toContain('The arguments are not JSON');
  });
});
