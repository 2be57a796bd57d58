import { createHash, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type ItemState } from '../../src/core/index.ts';
import { submitGoal } from '../../src/engine/submit/submit-goal.ts';
import { agent, call, commission, complete, create, decide, submit, write } from '../support/scripted-agent.ts';
import { checkedBy } from '../support/submit-goal.ts';
import { stateOf } from '../support/submit-plan.ts';
import { answersIn, coordinatorOf, type GoalBench, openGoalBench, toldTo } from './coordinated-bench.ts';

let bench: GoalBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const begun = async (options: Parameters<typeof openGoalBench>[0]): Promise<GoalBench> => {
  bench = await openGoalBench(options);
  return bench;
};

/** Commissions these once, then says that all is done. */
const usual = (...actions: readonly Readonly<Record<string, unknown>>[]) =>
  coordinatorOf(/./, decide({ decisions: [create(...actions)] }), decide({ decisions: [complete()] }));

/** Names of the tools that were offered in requests about `task`. */
const offeredTo = ({ model }: GoalBench, task: RegExp): readonly string[] =>
  [
    ...new Set(
      model.requests
        .filter(({ messages, tools }) => !tools.includes('decide') && task.test(JSON.stringify(messages)))
        .flatMap(({ tools }) => tools),
    ),
  ].toSorted();

const LOOKER = '---\nname: Looker\nrole: Looks\ncapabilities: [looking]\ntools: [read, glob]\n---\n\nYou look.\n';

describe('the tools of a Run', () => {
  it('V31: a VP that may use two still has those that end a Run, and no others', async () => {
    const looking = { vp: ['looker'], assignmentReason: 'It looks.', workspaceMode: 'isolated-write', for: ['c1'] };
    const opened = await begun({
      files: { 'a.txt': 'a\n', '.workcenter/vps/looker.md': LOOKER },
      steps: [usual(commission('a', looking)), agent(/Make a true/, submit())],
    });
    await opened.carry({ goal: 'Look', criteria: [checkedBy('c1', 'test -f a.txt')] });
    expect(opened.model.unmatched).toEqual([]);
    expect(offeredTo(opened, /Make a true/)).toEqual(['ask_human', 'glob', 'read', 'read_output', 'submit_outcome']);
  });

  it('V18, V33, G14, chapter 2 D11: what is offered is what the Coordinator was told of, and on record with the Run before its first request', async () => {
    // With every way out, so that nothing is left away.
    const open = commission('a', { for: ['c1'], network: 'all' });
    const opened = await begun({ steps: [usual(open), agent(/Make a true/, write('a.txt', 'a\n'), submit())] });
    const { state } = await opened.carry({ goal: 'Write', criteria: [checkedBy('c1', 'test -f a.txt')] });
    const [run] = await opened.world.store.runs(state.id, { actionId: 'a' });
    const offered = offeredTo(opened, /Make a true/);
    expect(run?.agent?.tools.toSorted()).toEqual(offered);
    const [, abilities] = /"abilities":\{"tools":(\[[^\]]*\])/.exec(opened.model.requests[0]?.said ?? '') ?? [];
    const told: readonly string[] = JSON.parse(abilities ?? '[]');
    const controls = ['ask_human', 'read_output', 'submit_outcome'];
    expect(told.filter((name) => name !== 'mcp').toSorted()).toEqual(
      offered.filter((name) => !controls.includes(name)),
    );
    expect(offered.filter((name) => /agent|session|item|coordinator|history/i.test(name))).toEqual([]);
    const events = await opened.world.store.events(state.id, { limit: 1_000 });
    const dispatched = events.find(({ body }) => body.type === 'RunDispatched' && body.runId === run?.runId);
    const asked = events.find(
      ({ body }) => body.type === 'CallPrepared' && body.call.of.kind === 'run' && body.call.of.runId === run?.runId,
    );
    expect(dispatched?.body).toMatchObject({ agent: { contextHash: expect.any(String), model: run?.agent?.model } });
    expect(dispatched?.seq).toBeLessThan(asked?.seq ?? 0);
    const body = await opened.world.store.getContent(run?.agent?.contextHash ?? '');
    expect(toldTo(opened.model, /Make a true/)).toContain(
      JSON.stringify(Buffer.from(body ?? []).toString()).slice(1, -1),
    );
  });
});

it('V4: a request leaves three events however many pieces its answer comes in', async () => {
  const long = Array.from({ length: 500 }, (_, at) => `word ${at}`).join(' ');
  const opened = await begun({
    steps: [
      usual(commission('a', { for: ['c1'] })),
      agent(/Make a true/, { ...write('a.txt', 'a\n'), text: long }, submit()),
    ],
  });
  const { state } = await opened.carry({ goal: 'Write', criteria: [checkedBy('c1', 'test -f a.txt')] });
  const types = (await opened.world.store.events(state.id, { limit: 1_000 })).map(({ body }) => body.type);
  const [first, last] = [types.indexOf('RunDispatched'), types.indexOf('RunSettled')];
  const three = ['CallPrepared', 'CallDispatched', 'CallSettled'];
  expect(types.slice(first + 1, last)).toEqual([...three, ...three]);
});

describe('rule 33, V34, chapter 2 D16: an Action that makes a VP', () => {
  const draft = { id: 'sql-expert', name: 'SQL', role: 'Knows SQL', capabilities: ['sql'], persona: 'You know SQL.' };
  const making = (more: Readonly<Record<string, unknown>>) =>
    commission('make', { type: 'create_vp', objective: 'Make a VP for SQL', for: ['c1'], ...more });
  const PATH = '.workcenter/vps/sql-expert.md';

  it('is refused without one VP, and in a mode that reads; carried out by the one that is named it writes the file', async () => {
    const opened = await begun({
      steps: [
        coordinatorOf(
          /./,
          decide({ decisions: [create(making({ workspaceMode: 'read' }))] }),
          decide({ decisions: [create(making({ vp: ['implementer'], assignmentReason: 'It writes.' }))] }),
          decide({ decisions: [complete()] }),
        ),
        agent(/Make a VP for SQL/, call('create_vp', draft), submit('Made it.')),
      ],
    });
    const { state } = await opened.carry({ goal: 'A VP', criteria: [checkedBy('c1', `test -f ${PATH}`)] });
    expect([state.lifecycle, opened.model.unmatched]).toEqual(['done', []]);
    const said = JSON.stringify(opened.model.requests.map((request) => request.said));
    expect(said).toContain('exactly one VP, for create_vp');
    expect(said).toContain('a mode that writes, for create_vp');
    expect(await opened.rig.git('show', `workcenter/${state.id}:${PATH}`)).toContain('name: SQL');
  });

  it('alone is offered the tool for it', async () => {
    const opened = await begun({
      steps: [usual(commission('a', { for: ['c1'] })), agent(/Make a true/, call('create_vp', draft), submit())],
    });
    const { transcripts } = await opened.carry({ goal: 'A file', criteria: [{ id: 'c1', text: 'It is so' }] });
    expect(offeredTo(opened, /Make a true/)).not.toContain('create_vp');
    expect(transcripts).toContain('There is no tool create_vp');
  });
});

interface Wish {
  readonly goal: string;
  readonly reuseMemory?: boolean;
  readonly attachments?: ItemState['attachments'];
}

/** A goal that delivers an answer, with what only the full submission knows. */
const answered = async ({ world, rig }: GoalBench, wish: Wish): Promise<ItemState> =>
  stateOf(
    await submitGoal(
      { ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` },
      {
        directory: rig.repo,
        dirty: 'refuse',
        inPlace: false,
        start: true,
        principal: { kind: 'user', name: 'ada' },
        goal: {
          goal: wish.goal,
          criteria: [{ id: 'c1', version: 1, text: 'It is answered', minProof: 'self' }],
          delivery: { target: 'response' },
          limits: DEFAULT_LIMITS,
          attachments: wish.attachments ?? [],
          reuseMemory: wish.reuseMemory ?? true,
        },
      },
    ),
  );

const passes = { claims: [{ criterion: 'c1', status: 'passed', evidence: 'I read it.' }] };
const research = (id: string) => commission(id, { type: 'research', workspaceMode: 'read', for: ['c1'] });
const decides = (about: RegExp, id: string, summary: string) =>
  coordinatorOf(about, decide({ decisions: [create(research(id))] }), decide({ decisions: [complete(summary)] }));

it('V25, D35: memory is the final result of items that are done here, dated, and only where an item wants it', async () => {
  const opened = await begun({
    steps: [
      decides(/"contract":\{"goal":"The first/, 'one', 'Words of the Coordinator.'),
      decides(/"contract":\{"goal":"The second/, 'two', 'Two.'),
      decides(/"contract":\{"goal":"The third/, 'three', 'Three.'),
      agent(/Make one true/, submit('The cache is in src/cache.ts.', passes)),
      agent(/Make two true/, submit('Seen.', passes)),
      agent(/Make three true/, submit('Seen.', passes)),
    ],
  });
  const carried = async (wish: Wish) => (await opened.settled((await answered(opened, wish)).id)).state.lifecycle;
  expect(await carried({ goal: 'The first goal' })).toBe('done');
  expect(await carried({ goal: 'The second goal' })).toBe('done');
  expect(await carried({ goal: 'The third goal', reuseMemory: false })).toBe('done');
  const [two, three] = [/Make two true/, /Make three true/].map((about) => toldTo(opened.model, about));
  expect(two).toMatch(/source=.{1,3}item in w[0-9a-f]{8}, \d{4}-\d\d-\d\d[^<]*>[^<]*The cache is in src\/cache\.ts/);
  expect(three).not.toContain('src/cache.ts');
});

it('V49, V25, chapter 2 E3: an attachment is what was attached, is read by its name alone, and the shell stays without seeing it', async () => {
  let at = '';
  const opened = await begun({
    sandbox: true,
    steps: [
      decides(/attached/, 'a', 'Read.'),
      agent(
        /Make a true/,
        call('read', { path: 'attachment:notes.md' }),
        call('write', { path: 'attachment:notes.md', content: 'mine' }),
        () => call('shell', { command: `cat '${at}'; ls -A '${join(at, '..')}'; echo end` }),
        submit('Read it.', passes),
      ),
    ],
  });
  const { world } = opened;
  const { hash, bytes } = await world.store.putContent('the words of the file');
  expect(hash).toBe(createHash('sha256').update('the words of the file').digest('hex'));
  const attachments = [{ name: 'notes.md', hash, bytes, mediaType: 'text/markdown' }];
  const stop = world.store.onCommit((state) => {
    const run = state.runs.find(({ actionId }) => actionId === 'a');
    if (run) at = join(world.home.run(run.id), 'attachments', 'notes.md');
  });
  const item = await answered(opened, { goal: 'See what is attached', attachments });
  const { state } = await opened.settled(item.id);
  stop();
  expect([state.lifecycle, opened.model.unmatched]).toEqual(['done', []]);
  const last = opened.model.requests.filter(({ tools }) => !tools.includes('decide')).at(-1);
  const [read, written, shell] = answersIn(last?.messages ?? []);
  expect(read).toContain('the words of the file');
  expect(written).not.toContain('Wrote');
  if (world.enforcement.filesystem) expect(shell).not.toMatch(/the words|notes\.md\n/);
  expect((await stat(at)).mode & 0o777).toBe(0o400);
});
