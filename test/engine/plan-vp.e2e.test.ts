import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isFailure } from '../../src/cli/answer.ts';
import { run } from '../../src/cli/commands/run.ts';
import { goalOf } from '../../src/core/index.ts';
import type { ScriptedStep } from '../../src/testing.ts';
import { SHELL } from '../cli/support.ts';
import { agent, call, submit, write } from '../support/scripted-agent.ts';
import { offerPlan, submitPlan } from '../support/submit-plan.ts';
import { ENV } from '../support/world.ts';
import { actionOf } from './control-support.ts';
import { answersIn, type GoalBench, openGoalBench, type Seen } from './coordinated-bench.ts';

const says = (status: string) => ({ claims: [{ criterion: 'good', status, evidence: 'I read the whole file.' }] });
const approves = submit('It reads well.', { review: 'approved', ...says('passed') });

/** A command writes, a VP judges what it wrote; `more` are further keys of the VP's Action. */
const reviewed = (more = '', budget = '{usd: 1, requests: 5, allowUnmetered: true}') => `
goal: Write the greeting
criteria:
  - { id: there, text: The greeting is there, check: grep -q hello a.txt }
  - { id: good, text: Somebody else finds it good, minProof: independent }
budget: ${budget}
actions:
  - { id: work, type: implement, for: there, run: echo hello > a.txt }
  - { id: look, type: review, vp: reviewer, brief: Judge the greeting, for: good, dependsOn: work, workspace: read${more} }
`;

/** One VP does everything. */
const alone = (vp: string, more = '') => `
goal: Write a.txt
criteria: [{ id: c1, text: a.txt is there, check: test -s a.txt }]
actions: [{ id: work, vp: ${vp}, brief: Write the file${more} }]
`;

describe('a plan file that names a VP', () => {
  let bench: GoalBench;
  afterEach(() => bench.close());

  const open = async (...steps: readonly [ScriptedStep, ...ScriptedStep[]]): Promise<void> => {
    bench = await openGoalBench({ steps });
  };
  const submitted = async (plan: string): Promise<string> => (await submitPlan(bench.world, plan, bench.rig.repo)).id;
  const carried = async (plan: string): Promise<Seen> => bench.settled(await submitted(plan));
  const answered = async (id: string, choice: 'text' | 'retry', text = ''): Promise<Seen> => {
    await bench.tell(id, { type: 'AnswerRequest', requestId: 'r1', choice, text });
    return bench.settled(id);
  };

  it('D4, D24: has a command write and the reviewer prove the rest independently, to done, without a Coordinator', async () => {
    await open(agent(/Judge the greeting/, call('read', { path: 'a.txt' }), approves));
    const { state, page, log } = await carried(reviewed());
    expect(bench.model.unmatched).toEqual([]);
    expect(state.lifecycle, log).toBe('done');
    expect(state.finalResult?.criteria.map(({ proof }) => proof)).toEqual(['machine', 'independent']);
    const [first, second] = bench.model.requests;
    expect(first?.system).toContain('You judge work that somebody else did');
    expect(answersIn(second?.messages ?? []).join('\n')).toContain('hello');
    expect(bench.model.requests.some(({ tools }) => tools.includes('decide'))).toBe(false);
    expect(state.usage.requests).toBe(2);
    expect(actionOf(state, 'look').spec.executor).toMatchObject({ vp: 'reviewer', assigned: 'fixed by the plan file' });
    expect(page).toContain('reviewer');
  });

  it('D24: is not done when the reviewer wants changes: a person is asked', async () => {
    await open(
      agent(/Judge the greeting/, submit('It lacks a name.', { review: 'changes_requested', ...says('failed') })),
    );
    const { state, page } = await carried(reviewed(', maxAttempts: 1'));
    expect(state.lifecycle).toBe('open');
    expect(goalOf(state).criteria[1]).toMatchObject({ standing: 'failed' });
    expect(state.requests.length).toBe(1);
    expect(page).toContain('It lacks a name.');
  });

  it('uses the model that the Action names, at most as often as the budget says (D26)', async () => {
    await open(agent(/Judge the greeting/, call('read', { path: 'a.txt' }), approves));
    const plan = reviewed(', model: scripted/of-the-plan', '{requests: 1}');
    const { state } = await carried(plan);
    expect(bench.model.requests.map(({ model }) => model)).toEqual(['of-the-plan']);
    expect(state.hold?.code).toBe('requests_exhausted');
  });

  it('D16: a question of the VP is answered by the person, and it goes on where it was', async () => {
    await open(
      {
        name: 'after the answer',
        when: { tools: ['submit_outcome'], conversation: /in dark blue/ },
        reply: ({ messages }) => (messages.length === 1 ? write('b.txt', 'dark blue\n') : submit('Both are there.')),
      },
      agent(/Write the file/, write('a.txt', 'half\n'), call('ask_human', { question: 'Which colour?' })),
    );
    const id = await submitted(alone('implementer'));
    const asked = await bench.settled(id);
    expect(asked.state.requests.map(({ question }) => question)).toEqual(['Which colour?']);
    expect(actionOf(asked.state, 'work').status).toBe('waiting');
    const { state, log } = await answered(id, 'text', 'in dark blue');
    expect(state.lifecycle, log).toBe('done');
    const files = await bench.rig.git('ls-tree', '--name-only', state.finalResult?.commit ?? '');
    expect(files.split('\n')).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
  });

  it('that is not there asks a person, names those that are, and carries on once it is', async () => {
    await open(agent(/Write the file/, write('a.txt', 'a\n'), submit('Wrote it.')));
    const id = await submitted(alone('ghost'));
    const asked = await bench.settled(id);
    expect(actionOf(asked.state, 'work').lastRun?.code).toBe('assignment_unresolved');
    expect(asked.page).toContain('There is no VP ghost. There are: implementer,');
    expect(bench.model.requests).toEqual([]);
    const folder = join(bench.rig.root, 'config', 'vps');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'ghost.md'),
      '---\nname: Ghost\nrole: Writes\ncapabilities: [write]\n---\n\nYou haunt files.\n',
    );
    const { state, log } = await answered(id, 'retry');
    expect(state.lifecycle, log).toBe('done');
    expect(bench.model.requests[0]?.system).toContain('You haunt files.');
  });

  it('is refused where only a VP may do it, or nobody: with the place, and nothing is created (C6, D34)', async () => {
    await open(agent(/./, submit()));
    const refusals = [reviewed('', '{usd: 1}'), alone('implementer', ', type: create_vp')];
    const expected = [
      'budget.allowUnmetered  expected true, for usd is limited and commands report no cost',
      'actions[0].type  expected work that a plan may ask for, found create_vp',
    ];
    for (const [at, plan] of refusals.entries()) {
      const said = await offerPlan(bench.world, plan, { directory: bench.rig.repo });
      expect(said).toMatchObject({ code: 'invalid_plan', message: expect.stringContaining(expected[at] ?? '?') });
    }
    expect((await bench.world.store.list({ limit: 10 })).items).toEqual([]);
  });

  /** What `workcenter run PLAN --draft` answers in the repository, with a data directory of its own. */
  const typed = async (plan: string) => {
    const { root, repo } = bench.rig;
    const path = join(root, 'plan.yaml');
    await writeFile(path, plan);
    const env = { ...ENV, WORKCENTER_HOME: join(root, 'data'), WORKCENTER_CONFIG: join(root, 'config') };
    return run.run({ ...SHELL, env, cwd: repo, now: Date.now }, { args: [path], options: { draft: true } });
  };

  it('is refused by the command line with a list when the VP is not there, before anything is created', async () => {
    await open(agent(/./, submit()));
    const said = await typed(alone('implementor'));
    expect(said).toMatchObject({ code: 'invalid_plan', found: 'implementor' });
    expect(isFailure(said) && said.text).toContain('expected one of implementer, integrator, researcher, reviewer,');
    expect(isFailure(said) && said.text).toContain('Did you mean implementer?');
    expect(await typed(alone('implementer'))).toMatchObject({ type: 'answer', exit: 0 });
  });

  it('is told by the command line that a VP which is a command has to stand there as one', async () => {
    await open(agent(/./, submit()));
    const folder = join(bench.rig.root, 'config', 'vps');
    await mkdir(folder, { recursive: true });
    const text = '---\nname: Robot\nrole: Runs\ncapabilities: [write]\nexecutor: { run: ./robot.sh }\n---\n';
    await writeFile(join(folder, 'robot.md'), text);
    expect(await typed(alone('robot'))).toMatchObject({
      code: 'invalid_plan',
      expected: 'its command as run, for the VP robot is one',
    });
  });
});
