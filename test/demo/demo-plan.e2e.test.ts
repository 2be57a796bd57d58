import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { git, npmTest, PROGRAM, place, runToEnd } from './support.ts';

const here = resolve(import.meta.dirname);

const workcenter = (cwd: string, ...args: string[]) => runToEnd(cwd, [...PROGRAM, ...args]);

/** What is promised of the last line; it may hold more. */
const lastLine = z.object({
  status: z.string(),
  criteria: z.array(
    z.object({ id: z.string(), text: z.string(), proof: z.string().nullable(), flags: z.array(z.string()) }),
  ),
  actions: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      status: z.string(),
      attempts: z.number(),
      startedAt: z.iso.datetime(),
      endedAt: z.iso.datetime(),
      refusedClaims: z.array(z.object({ criterionId: z.string(), exitCode: z.number() })),
      runs: z.array(z.object({ id: z.string(), ordinal: z.number(), summary: z.string() })),
    }),
  ),
  repository: z.string(),
  commit: z.string(),
  cost: z.object({ wallMs: z.number() }),
});

type Told = z.output<typeof lastLine>;

const actionOf = (item: Told, id: string): Told['actions'][number] => {
  const found = item.actions.find((action) => action.id === id);
  if (!found) throw new Error(`no Action ${id}`);
  return found;
};

it('carries the plan without a model: ends done by itself, with machine proof, parallel Actions, one refused claim and a commit that anyone can check', async () => {
  const cwd = await place();
  const ended = await workcenter(cwd, 'demo', '--plan', '--once', '--json', '--dir', 'demo');
  expect(ended.code, ended.stderr).toBe(0);
  const item = lastLine.parse(JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? ''));
  expect(item.status).toBe('done');
  expect(item.criteria.map(({ id, proof, flags }) => [id, proof, flags.includes('red_to_green')])).toEqual([
    ['c1', 'machine', true],
    ['c2', 'machine', true],
    ['c3', 'machine', true],
  ]);

  const rounding = actionOf(item, 'rounding');
  const quotes = actionOf(item, 'quotes');
  expect([rounding.startedAt < quotes.endedAt, quotes.startedAt < rounding.endedAt]).toEqual([true, true]);
  expect([rounding.attempts, quotes.attempts]).toEqual([1, 2]);
  expect(item.actions.flatMap((action) => action.refusedClaims)).toMatchObject([{ criterionId: 'c2', exitCode: 1 }]);
  expect(item.cost.wallMs).toBeGreaterThan(0);

  // The liar saw a green run of its own, said so, and was told why it was not believed.
  const home = join(cwd, 'demo', 'home');
  const [first, second] = quotes.runs;
  const output = (runId = ''): Promise<string> => readFile(join(home, 'runs', runId, 'output.log'), 'utf8');
  expect(first?.summary).toBe('Fixed. All tests pass.');
  expect(await output(first?.id)).toContain('Fixed. All tests pass.');
  expect(await output(second?.id)).toMatch(/did not believe me:\n.*claim_refused/);
  expect(ended.stderr).toContain('claimed "Fixed. All tests pass." and is refused');

  // Nothing of the engine is left in the repository but the branch, and nobody's checkout was moved.
  expect(item.repository).toBe(join(cwd, 'demo', 'repository'));
  expect(await git(item.repository, 'status', '--porcelain', '--branch')).toBe('## main');
  expect(await git(item.repository, 'diff', '--name-only', 'main', item.commit)).toBe('src/csv.js\nsrc/money.js');
  expect(await readdir(cwd)).toEqual(['demo']);

  await git(item.repository, 'checkout', '--quiet', item.commit);
  expect(await runToEnd(item.repository, ['npm', 'ci'])).toMatchObject({ code: 0 });
  expect(await npmTest(item.repository)).toMatchObject({ failing: [], code: 0 });
}, 180_000);

it('refuses a directory that holds something already, and leaves it as it was', async () => {
  const { stdout, code } = await workcenter(await place(), 'demo', '--plan', '--json', '--dir', here);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'directory_not_empty' } });
  expect(await readdir(here)).not.toContain('repository');
});

it('can be interrupted in the middle, and carried on to the same end', async () => {
  const cwd = await place();
  let interrupts = 0;
  const ended = await runToEnd(cwd, [...PROGRAM, 'demo', '--plan', '--dir', 'demo'], {}, (text, child) => {
    if (!text.includes('starts in a clone of its own')) return;
    // A second signal would end it at once.
    if (interrupts === 0) child.kill('SIGINT');
    interrupts += 1;
  });
  expect(ended.code, ended.stderr).toBe(130);
  expect(ended.stdout).toContain('workcenter up --until-idle');

  const data = { WORKCENTER_HOME: join(cwd, 'demo', 'home') };
  expect(await runToEnd(cwd, [...PROGRAM, 'up', '--until-idle'], data)).toMatchObject({ code: 0 });
  const listed = await runToEnd(cwd, [...PROGRAM, 'ls', '--all', '--json'], data);
  expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ lifecycle: 'done', proven: 3, total: 3 }] });
  const branches = await git(join(cwd, 'demo', 'repository'), 'branch', '--list', 'workcenter/*');
  expect(branches).toMatch(/^ {2}workcenter\/\w+$/);
}, 180_000);
