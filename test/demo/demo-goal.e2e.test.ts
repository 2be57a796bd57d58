import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { SCENARIO } from '../../src/cli/demo/demo-model.ts';
import { type RecordedRequest, type ScriptedModel, startScriptedModel } from '../../src/testing.ts';
import { requestPage } from './request-page.ts';
import { git, npmTest, PROGRAM, place, runToEnd } from './support.ts';

const GUARD_MS = 240_000;

let model: ScriptedModel | undefined;

afterEach(async () => {
  await model?.close();
  model = undefined;
});

const at = z.iso.datetime();
const refusal = z.object({ criterionId: z.string(), ordinal: z.number(), exitCode: z.number(), tail: z.string() });

/** All that is promised of the one object; it may hold more. */
const reported = z.object({
  item: z.string(),
  status: z.string(),
  criteria: z.array(
    z.object({ id: z.string(), text: z.string(), proof: z.string().nullable(), flags: z.array(z.string()) }),
  ),
  turns: z.array(
    z.object({ n: z.number(), origin: z.string(), decisions: z.array(z.string()), reason: z.string().min(20), at }),
  ),
  actions: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      vp: z.string(),
      attempts: z.number(),
      startedAt: at,
      endedAt: at,
      refusals: z.array(refusal),
    }),
  ),
  overlapMs: z.number(),
  refusedClaims: z.array(refusal.extend({ action: z.string() })),
  review: z.object({ by: z.string(), verdict: z.string() }),
  model: z.string(),
  usage: z.object({ requests: z.number(), tokens: z.number(), costUsd: z.number(), unpriced: z.number() }),
  repository: z.string(),
  branch: z.string(),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
});
type Reported = z.output<typeof reported>;

const demo = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runToEnd(cwd, [...PROGRAM, 'demo', '--once', '--json', '--dir', 'demo', ...args], env);

const actionOf = ({ actions }: Reported, id: string): Reported['actions'][number] => {
  const found = actions.find((action) => action.id === id);
  if (!found) throw new Error(`no Action ${id}`);
  return found;
};

/** The story as it has to be told, whoever speaks and in whatever protocol. */
function expectStory(told: Reported): void {
  expect(told.status).toBe('done');
  expect(told.criteria.map(({ id, proof, flags }) => [id, proof, flags])).toEqual([
    ['c1', 'machine', ['red_to_green']],
    ['c2', 'machine', ['red_to_green']],
    ['c3', 'machine', ['red_to_green']],
    ['c4', 'independent', []],
  ]);
  expect(told.turns.map(({ origin, decisions }) => [origin, decisions])).toEqual([
    ['automatic', ['create_actions']],
    ['automatic', ['create_actions']],
    ['automatic', ['complete']],
  ]);
  const [rounding, quotes, review] = ['rounding', 'quotes', 'review'].map((id) => actionOf(told, id));
  expect([rounding?.attempts, quotes?.attempts, review?.attempts]).toEqual([1, 2, 1]);
  expect(told.overlapMs).toBeGreaterThan(0);
  expect((told.turns[0]?.at ?? '') <= (rounding?.startedAt ?? '')).toBe(true);
  expect((told.turns[2]?.at ?? '') >= (review?.endedAt ?? '')).toBe(true);
  expect(told.refusedClaims).toMatchObject([{ action: 'quotes', criterionId: 'c2', ordinal: 1, exitCode: 1 }]);
  expect(told.refusedClaims[0]?.tail).toContain('not ok 2 - reads two quotes inside quotes as one');
  expect(told.review).toEqual({ by: 'reviewer', verdict: 'approved' });
  expect(told.usage).toMatchObject({ unpriced: 0 });
  expect(told.usage.costUsd).toBeGreaterThan(0);
}

/** What was left behind is what was promised: only the fixes, on a branch, in a checkout that was not touched. */
async function expectResult({ repository, branch, commit }: Reported): Promise<void> {
  expect(await git(repository, 'status', '--porcelain', '--branch')).toBe('## main');
  expect(await git(repository, 'rev-parse', branch)).toBe(commit);
  expect(await git(repository, 'diff', '--name-only', 'main', commit)).toBe('src/csv.js\nsrc/money.js');
}

it(
  'carries a goal to a proven finish, with real tools and a scripted model in chat completions',
  async () => {
    const cwd = await place();
    const ended = await demo(cwd, []);
    expect(ended.code, ended.stderr).toBe(0);
    const told = reported.parse(JSON.parse(ended.stdout));
    expectStory(told);
    expect(told.usage.requests).toBe(18);
    await expectResult(told);
    expect(told.model).toBe('scripted');
    expect(told.repository).toBe(join(cwd, 'demo', 'repository'));
    expect(await readdir(cwd)).toEqual(['demo']);

    // People hear that the words are not real, who decided why, what was called, and what was not believed.
    expect(ended.stderr).toContain('Scripted');
    expect(ended.stderr).toContain('The Coordinator decides: create actions');
    expect(ended.stderr).toContain('quotes  edit  test/csv.test.js');
    expect(ended.stderr).toContain('and is refused');
    expect(ended.stderr).toContain('not ok 2 - reads two quotes inside quotes as one');
    expect(ended.stderr).toContain('Review both fixes: approved');
    expect(ended.stderr.trimEnd().split('\n').at(-1)).toContain(`git checkout -q ${told.commit} && npm ci && npm test`);

    // Anybody can check it without us.
    await git(told.repository, 'checkout', '--quiet', told.commit);
    expect(await runToEnd(told.repository, ['npm', 'ci'])).toMatchObject({ code: 0 });
    expect(await npmTest(told.repository)).toMatchObject({ failing: [], code: 0 });
  },
  GUARD_MS,
);

const isCoordinators = ({ tools }: RecordedRequest): boolean => tools.includes('decide');
const isReviewers = ({ tools, system }: RecordedRequest): boolean =>
  tools.includes('submit_outcome') && system.startsWith('You are Reviewer');

it(
  'asks the provider whose key is set over the same path, here in Messages: nothing differs but address and key',
  async () => {
    model = await startScriptedModel(SCENARIO);
    const cwd = await place();
    const ended = await demo(cwd, [], { ANTHROPIC_API_KEY: 'sk-not-a-key', ANTHROPIC_BASE_URL: model.anthropicUrl });
    expect(ended.code, ended.stderr).toBe(0);
    const told = reported.parse(JSON.parse(ended.stdout));
    expectStory(told);
    expect(told.usage.requests).toBe(18);
    await expectResult(told);
    expect(told.model).toMatch(/^anthropic\/claude-/);
    expect(model.requests).toHaveLength(told.usage.requests);
    expect(model.unmatched).toEqual([]);
    expect(new Set(model.requests.map(({ protocol }) => protocol))).toEqual(new Set(['anthropic']));
    expect(ended.stderr).not.toContain('Scripted');
    expect(ended.stderr).toContain('at most $2.00');
    expect(ended.stdout + ended.stderr).not.toContain('sk-not-a-key');

    // The documentation shows these very requests; `npx vitest run test/demo -u` writes them anew.
    const places = { root: join(cwd, 'demo'), item: told.item };
    const coordinators = model.requests.filter(isCoordinators)[1];
    const reviewers = model.requests.filter(isReviewers)[1];
    if (!coordinators || !reviewers) throw new Error('a request of the story is missing');
    await expect(requestPage('coordinator', coordinators, places)).toMatchFileSnapshot(
      '../../docs/examples/coordinator-request.md',
    );
    await expect(requestPage('agent', reviewers, places)).toMatchFileSnapshot('../../docs/examples/agent-request.md');
  },
  GUARD_MS,
);

it(
  'can be interrupted in the middle and carried on to the same end, also with the script in Messages',
  async () => {
    const cwd = await place();
    let interrupts = 0;
    const first = await runToEnd(
      cwd,
      [...PROGRAM, 'demo', '--protocol', 'anthropic', '--dir', 'demo'],
      {},
      (text, child) => {
        if (!text.includes('and is refused')) return;
        // A second signal would end it at once.
        if (interrupts === 0) child.kill('SIGINT');
        interrupts += 1;
      },
    );
    expect(first.code, first.stderr).toBe(130);
    expect(first.stdout).toContain('workcenter demo --dir');
    const second = await demo(cwd, ['--protocol', 'anthropic']);
    expect(second.code, second.stderr).toBe(0);
    const told = reported.parse(JSON.parse(second.stdout));
    expectStory(told);
    // A Run that was interrupted asks again from its beginning, in the workspace where it stopped.
    expect(told.usage.requests).toBeGreaterThanOrEqual(18);
    await expectResult(told);
  },
  GUARD_MS,
);

it('is refused where it cannot begin: an unknown model, no price under a limit of money, a directory in use', async () => {
  const cwd = await place();
  const code = async (...args: string[]): Promise<unknown> => JSON.parse((await demo(cwd, args)).stdout);
  expect(await code('--model', 'nobody/model')).toMatchObject({ error: { code: 'unknown_provider' } });
  expect(await code('--model', 'ollama/x', '--budget', '1usd')).toMatchObject({ error: { code: 'unpriced_model' } });
  expect(await code('--budget', 'much')).toMatchObject({ error: { code: 'invalid_value' } });
  expect(await code('--dir', import.meta.dirname)).toMatchObject({ error: { code: 'directory_not_empty' } });
  expect(await readdir(cwd)).toEqual([]);
});
