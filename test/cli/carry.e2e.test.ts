import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledProgram, type Installation, install } from './program.ts';

compiledProgram();

const FIX = 'echo fixed > a.txt';

/** One criterion with a check, one Action with this command. */
const plan = (run: string, more = ''): string => `goal: Fix it
criteria:
  - text: It is fixed
    check: grep -q fixed a.txt
actions:
  - id: fix
    name: Fix the file
    run: ${JSON.stringify(run)}
    for: c1
${more}`;

interface Report {
  readonly id: string;
  readonly status: string;
  readonly branch: string | null;
  readonly actions: readonly { readonly id: string; readonly refusedClaims: readonly unknown[] }[];
}

const reportOf = (data: unknown): Report => data as Report;

async function ready(run: string, more = ''): Promise<{ made: Installation; repo: string; file: string }> {
  const made = await install();
  const repo = await made.repository();
  return { made, repo, file: await made.write('plan.yaml', plan(run, more)) };
}

/** Waits in the shell until the file is there. */
const until = (path: string): string => `while [ ! -e '${path}' ]; do sleep 0.05; done`;

describe('run', () => {
  test('carries a plan to done, tells every event, and leaves the result in a branch (exit 0)', async () => {
    const { made, repo, file } = await ready(FIX);
    const { code, out, err } = await made.run(['run', file, '--repo', repo]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/fix: Run #1 begins\.[\s\S]*Done\. 1 criterion is proven\.[\s\S]*Proof {2}■/);
    expect(await made.git(repo, 'branch', '--list', '--format=%(refname:short)')).toMatch(/^main\nworkcenter\//);
    expect(await made.git(repo, 'status', '--porcelain')).toBe('');
  });

  test('with --json prints one document, which names a claim that the engine refused (D23)', async () => {
    const { made, repo, file } = await ready(`if [ $WORKCENTER_ATTEMPT -gt 1 ]; then ${FIX}; fi`);
    const { code, data } = await made.json(['run', file, '--repo', repo]);
    const { status, branch, actions } = reportOf(data);
    expect([code, status, branch?.startsWith('workcenter/')]).toEqual([0, 'done', true]);
    expect(actions[0]).toMatchObject({ id: 'fix', attempts: 2, refusedClaims: [{ criterionId: 'c1', ordinal: 1 }] });
  });

  test('ends with exit 5 where a person is needed, says how to answer, and goes on after the answer', async () => {
    const { made, repo, file } = await ready(`test -e ../../../../allowed && ${FIX} || exit 78`);
    const first = await made.run(['run', file, '--repo', repo]);
    expect(first.code).toBe(5);
    const listed = (await made.json(['ls', '--lane', 'needs_you'])).data as { items: readonly Report[] };
    const id = listed.items[0]?.id ?? '';
    expect(first.out).toContain(`workcenter answer ${id} r1 retry | close | stop`);
    expect((await made.run(['answer', id, 'r1', 'maybe'])).code).toBe(2);
    const answered = await made.run(['answer', id, 'r1', 'retry', 'try', 'again']);
    expect([answered.code, answered.out.includes('workcenter up')]).toEqual([0, true]);
    expect((await made.run(['up', '--until-idle'])).code).toBe(0);
    expect((await made.run(['watch', id])).code).toBe(5);
    expect((await made.run(['log', id])).out).toContain('r1 was answered: retry, try again.');
  });

  test('the same submission under the same key is the same item', async () => {
    const { made, repo, file } = await ready(FIX);
    const submit = ['run', file, '--repo', repo, '--draft', '--key', 'nightly'];
    const ids = [reportOf((await made.json(submit)).data).id, reportOf((await made.json(submit)).data).id];
    expect(ids[0]).toBe(ids[1]);
    expect((await made.json(['ls'])).data).toMatchObject({ counts: { draft: 1 } });
  });

  test('the first signal stops in good order and charges nothing; up carries on (D12)', async () => {
    const { made, repo, file } = await ready(`echo RUNNING; ${until('/nowhere')}`);
    const running = made.start(['run', file, '--repo', repo]);
    await running.says('works from');
    running.child.kill('SIGINT');
    const { code, out } = await running.ended;
    expect([code, out.includes('workcenter up')]).toEqual([130, true]);
    const { items } = (await made.json(['ls'])).data as { items: readonly Report[] };
    const { data } = await made.json(['show', items[0]?.id ?? '']);
    expect(data).toMatchObject({ status: 'ready', actions: [{ attempts: 0, runs: [{ status: 'interrupted' }] }] });
  });

  test('beside a server it submits and watches; the server tells the same story and stops in good order', async () => {
    const { made, repo, file } = await ready(FIX);
    const server = made.start(['up']);
    await server.says('Carrying');
    await server.says('Ctrl-C stops');
    const { code, out } = await made.run(['run', file, '--repo', repo]);
    expect([code, out.includes('Done. 1 of 1 proven')]).toEqual([0, true]);
    server.child.kill('SIGTERM');
    const ended = await server.ended;
    expect([ended.code, ended.out.includes('Done. 1 criterion is proven.')]).toEqual([130, true]);
  });

  test('--detach without a server says who will carry it', async () => {
    const { made, repo, file } = await ready(FIX);
    const { code, out } = await made.run(['run', file, '--repo', repo, '--detach']);
    expect([code, out.includes('Next: workcenter up')]).toEqual([0, true]);
    const up = await made.run(['up', '--until-idle']);
    expect([up.code, up.out.includes('Done. 1 criterion is proven.')]).toEqual([0, true]);
  });
});

describe('a finished item', () => {
  test('shows diff, output, evidence and log, and its checks can be run again', async () => {
    const { made, repo, file } = await ready(`echo working; ${FIX}`);
    const { id } = reportOf((await made.json(['run', file, '--repo', repo])).data);
    const short = id.slice(0, 4);
    expect((await made.run(['diff', short])).out).toContain('+fixed');
    expect((await made.run(['diff', short, 'fix'])).out).toContain('-broken');
    expect((await made.run(['output', short, 'fix'])).out).toBe('working\n');
    expect((await made.run(['output', short])).out).toBe((await made.run(['output', short, 'verify-1'])).out);
    expect((await made.run(['evidence', short, 'c1'])).out).toMatch(/before +failed, exit 1[\s\S]*red→green/);
    const rerun = await made.json(['evidence', short, '--rerun']);
    expect(rerun).toMatchObject({ code: 0, data: { passed: true, receipts: [{ criterionId: 'c1' }] } });
    const { data } = await made.json(['log', short]);
    const { events } = data as { events: readonly { seq: number }[] };
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect((await made.run(['land', short])).code).toBe(3);
    expect((await made.run(['gc', '--older-than', '1s'])).code).toBe(0);
    expect((await made.run(['doctor'])).out).toMatch(/ok\s+store/);
    const copy = join(made.root, 'copy/workcenter.db');
    await made.write('copy/.keep', '');
    expect((await made.run(['backup', copy])).code).toBe(0);
    expect(
      (await made.json(['ls', '--all'], { env: { WORKCENTER_HOME: join(made.root, 'copy') } })).data,
    ).toMatchObject({ items: [{ id }] });
  });
});

describe('steering', () => {
  test('a draft is edited, started, stopped and reopened', async () => {
    const { made, repo, file } = await ready(FIX);
    const { id } = reportOf((await made.json(['run', file, '--repo', repo, '--draft'])).data);
    const edited = await made.run([
      'edit',
      id,
      '--check',
      'c1=grep -q "fixed" a.txt',
      '--criterion',
      'c1=It says fixed',
      '--yes',
    ]);
    expect([edited.code, edited.out.includes('+     text: It says fixed')]).toEqual([0, true]);
    expect((await made.run(['edit', id, '--goal', 'Other'])).code).toBe(3);
    // The edit took out what was for the criterion; whether it is to run under the new words is a person's to say (D6).
    expect((await made.run(['start', id])).out).toContain('Waiting for you');
    expect((await made.run(['answer', id, 'r1', 'retain'])).out).toContain('workcenter up');
    expect((await made.run(['start', id])).code).toBe(3);
    expect((await made.run(['stop', id, '--reason', 'later'])).code).toBe(0);
    expect((await made.run(['watch', id])).code).toBe(6);
    expect((await made.run(['reopen', id])).code).toBe(0);
    expect((await made.run(['up', '--until-idle'])).code).toBe(0);
    expect((await made.json(['show', id])).data).toMatchObject({
      status: 'done',
      criteria: [{ text: 'It says fixed' }],
    });
  });

  test('a budget that is used up holds the item; extending and resuming lets it go on (D26, D28)', async () => {
    const { made, repo, file } = await ready(`${until('/nowhere')}`, 'budget: { wallClock: 1s }\n');
    const first = await made.json(['run', file, '--repo', repo]);
    const { id } = reportOf(first.data);
    expect(first).toMatchObject({ code: 5, data: { hold: { code: 'wall_clock_exhausted' } } });
    expect((await made.run(['show', id])).out).toContain(`workcenter extend ${id} --wall-clock 1h --resume`);
    expect((await made.run(['resume', id])).code).toBe(3);
    expect((await made.json(['extend', id, '--wall-clock', '1h', '--resume'])).data).toMatchObject({ hold: null });
    expect((await made.run(['redirect', id, 'fix', '--note', 'differently'])).code).toBe(0);
    expect((await made.run(['close', id, 'fix', '--reason', 'not needed'])).code).toBe(0);
  });
});

describe('land', () => {
  test('tries a landing again that the user’s own edit was in the way of (D32)', async () => {
    const { made, repo, file } = await ready(FIX, 'delivery: merge\n');
    const { id } = reportOf((await made.json(['run', file, '--repo', repo, '--detach'])).data);
    await made.write(join(repo, 'a.txt'), 'my own words\n');
    expect((await made.run(['up', '--until-idle'])).code).toBe(0);
    expect((await made.run(['show', id])).out).toContain('in the way');
    await made.git(repo, 'checkout', '--', 'a.txt');
    expect((await made.run(['land', id])).code).toBe(0);
    expect((await made.run(['up', '--until-idle'])).code).toBe(0);
    expect((await made.run(['land', id])).out).toContain('Landed already');
    expect(await made.git(repo, 'show', 'main:a.txt')).toBe('fixed');
    expect(await made.git(repo, 'status', '--porcelain')).toBe('');
  });
});

describe('init', () => {
  test('writes a plan that can be submitted as it is, and does not overwrite one', async () => {
    const made = await install();
    const repo = await made.repository({ 'package.json': '{"scripts":{"test":"true"}}', 'package-lock.json': '{}' });
    const { code, out } = await made.run(['init', '--goal', 'Make it fast'], { cwd: repo });
    expect([code, out.includes('npm test')]).toEqual([0, true]);
    expect((await made.run(['init'], { cwd: repo })).code).toBe(3);
    const draft = await made.run(['run', 'workcenter.yaml', '--draft'], { cwd: repo });
    expect([draft.code, draft.out.includes('Make it fast')]).toEqual([0, true]);
  });
});

describe('up', () => {
  test('serves the API on this machine, says where, and lets go of it when it is stopped', async () => {
    const made = await install();
    const server = made.start(['up', '--port', '0']);
    await server.says('/openapi.json describes it');
    const said: Promise<string> = server.ended.then(({ err }) => err);
    server.child.kill('SIGINT');
    const url = /HTTP: (http:\/\/127\.0\.0\.1:\d+)/.exec(await said)?.[1] ?? '';
    expect((await server.ended).code).toBe(130);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('goes on without the API where its port is taken', async () => {
    const made = await install();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const { code, err } = await made.run(['up', '--until-idle', '--port', port]);
    other.close();
    expect([code, err.includes(`No HTTP: port ${port} cannot be had (EADDRINUSE)`)]).toEqual([0, true]);
  });
});
