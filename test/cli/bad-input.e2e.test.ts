import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { compiledProgram, type Ended, type Installation, install } from './program.ts';

compiledProgram();

const PLAN = `goal: Fix it
criteria:
  - text: It is fixed
    check: grep -q fixed a.txt
actions:
  - id: fix
    run: echo fixed > a.txt
`;

const STACK_TRACE = /^\s+at .+:\d+:\d+\)?$/m;

interface Refusal {
  readonly error: { readonly code: string; readonly expected: unknown; readonly found: string; readonly next: string };
}

/** Exit code and code of the failure, asked twice: as text for people, as a document for programs. */
async function refusal(made: Installation, args: readonly string[], options = {}): Promise<unknown> {
  const said = await made.run(args, options);
  expect(said.err).not.toMatch(STACK_TRACE);
  expect(said.out).toBe('');
  const { code, data } = await made.json(args, options);
  expect(code).toBe(said.code);
  const { error } = data as Refusal;
  for (const said of [error.found, error.next]) expect(said).toMatch(/\S/);
  return [code, error.code];
}

describe('bad input is refused with what was expected, found and what to do next', () => {
  test('an unknown command, option or argument is wrong usage', async () => {
    const made = await install();
    expect(await refusal(made, ['sho'])).toEqual([2, 'usage']);
    expect(await refusal(made, ['ls', '--lanes'])).toEqual([2, 'usage']);
    expect(await refusal(made, ['show'])).toEqual([2, 'usage']);
    expect(await refusal(made, ['ls', '--lane', 'urgent'])).toEqual([2, 'invalid_option']);
    expect(await refusal(made, ['ls', '--cursor', 'nonsense'])).toEqual([2, 'invalid_option']);
    expect((await made.run(['sho'])).err).toContain('Did you mean show?');
  });

  test('an unknown id, Action, request, criterion or Run is not found', async () => {
    const made = await install();
    const repo = await made.repository();
    const plan = await made.write('plan.yaml', PLAN);
    expect(await refusal(made, ['show', 'zzz'])).toEqual([4, 'item_not_found']);
    const { data } = await made.json(['run', plan, '--repo', repo, '--draft']);
    const { id } = data as { id: string };
    expect(await refusal(made, ['retry', id, 'nope'])).toEqual([4, 'action_not_found']);
    expect(await refusal(made, ['answer', id, 'r7', 'retry'])).toEqual([4, 'request_not_found']);
    expect(await refusal(made, ['evidence', id, 'c9'])).toEqual([4, 'criterion_not_found']);
    expect(await refusal(made, ['output', id, 'fix'])).toEqual([4, 'run_not_found']);
    expect(await refusal(made, ['run', 'no-such-plan.yaml'])).toEqual([4, 'plan_unreadable']);
  });

  test('blank words, and places that a file cannot be in, are refused before anything is done', async () => {
    const made = await install();
    const repo = await made.repository();
    const plan = await made.write('plan.yaml', PLAN);
    const { data } = await made.json(['run', plan, '--repo', repo, '--draft']);
    const { id } = data as { id: string };
    expect(await refusal(made, ['close', id, 'fix', '--reason', ' '])).toEqual([2, 'invalid_option']);
    expect(await refusal(made, ['redirect', id, 'fix', '--note', ''])).toEqual([2, 'invalid_option']);
    expect(await refusal(made, ['backup', join(repo, 'nowhere', 'copy.db')])).toEqual([4, 'directory_not_found']);
    expect(await refusal(made, ['backup', repo])).toEqual([2, 'file_exists']);
    expect(await refusal(made, ['init', '--repo', plan])).toEqual([4, 'directory_not_found']);
    expect(await refusal(made, ['run', repo])).toEqual([2, 'plan_unreadable']);
    expect((await made.run(['show'])).err).toContain('workcenter show --help');
  });

  test('a path beneath the home directory may be opened to an Action', async () => {
    const made = await install();
    const repo = await made.repository();
    const plan = await made.write('plan.yaml', `${PLAN}    sandbox: { writable: [~/.agent] }\n`);
    expect((await made.run(['run', plan, '--repo', repo, '--draft'])).code).toBe(0);
  });

  const PLANS: readonly (readonly [string, string, string])[] = [
    ['broken YAML', 'goal: [x\ncriteria: - y', ':2:'],
    ['a negative time limit', PLAN.replace('check: grep -q fixed a.txt', 'check: { run: x, timeoutSec: -5 }'), ':4:'],
    ['a cycle', `${PLAN}    dependsOn: [b]\n  - id: b\n    run: "true"\n    dependsOn: [fix]\n`, 'without a cycle'],
    ['a criterion that nothing can prove', PLAN.replace('    check: grep -q fixed a.txt\n', ''), ':3:'],
    ['an unknown key', PLAN.replace('goal:', 'gaol: x\ngoal:'), ':1:1'],
  ];

  test.each(PLANS)('a plan with %s is refused with its place, and nothing is submitted', async (_name, text, place) => {
    const made = await install();
    const repo = await made.repository();
    const plan = await made.write('plan.yaml', text);
    const { code, err } = await made.run(['run', plan, '--repo', repo]);
    expect([code, err.includes('plan.yaml:'), err.includes(place)]).toEqual([2, true, true]);
    expect(err).toContain('nothing was submitted');
    expect(err).not.toMatch(STACK_TRACE);
    const { data } = await made.json(['ls', '--all']);
    expect(data).toMatchObject({ items: [] });
  });

  test('a directory that is missing, a file, dirty or without git is refused with advice', async () => {
    const made = await install();
    const repo = await made.repository();
    const plan = await made.write('plan.yaml', PLAN);
    expect(await refusal(made, ['run', plan, '--repo', join(made.root, 'nowhere')])).toEqual([2, 'invalid_field']);
    expect(await refusal(made, ['run', plan, '--repo', plan])).toEqual([2, 'invalid_field']);
    await writeFile(join(repo, 'a.txt'), 'my own edit\n');
    const dirty = await made.run(['run', plan, '--repo', repo]);
    expect([dirty.code, dirty.err.includes('a.txt'), dirty.err.includes('--dirty snapshot')]).toEqual([2, true, true]);
    expect(dirty.err).toContain('(uncommitted_work)');
    await made.write('plain/a.txt', 'broken\n');
    const isolated = await made.write('isolated.yaml', `${PLAN}workspace: isolated\n`);
    const plain = await made.run(['run', isolated, '--repo', join(made.root, 'plain')]);
    expect([plain.code, plain.err.includes('isolated.yaml:8:')]).toEqual([2, true]);
  });

  test('a database that is damaged, or of a newer schema, is a store problem and stays as it is', async () => {
    const made = await install();
    await writeFile(join(made.home, 'workcenter.db'), 'not a database, but long enough to be read as one'.repeat(100));
    expect((await made.run(['ls'])).code).toBe(7);
    const report = await made.run(['doctor']);
    expect([report.code, /fail\s+store/.test(report.out)]).toEqual([7, true]);
    const newer = await install();
    expect((await newer.run(['ls'])).code).toBe(0);
    const db = new Database(join(newer.home, 'workcenter.db'));
    db.prepare('INSERT INTO schema_migrations VALUES (99, ?, ?, 1, 0)').run('from-the-future', 'x');
    db.close();
    expect(await refusal(newer, ['ls'])).toEqual([7, 'store_newer_schema']);
  });

  test('a data directory that cannot be made is a store problem', async () => {
    const made = await install();
    const file = await made.write('a-file', 'x');
    // Beneath a file, and where the system refuses a directory as if it were missing.
    for (const home of [join(file, 'home'), '/proc/nowhere/home']) {
      const answer = await refusal(made, ['ls'], { env: { WORKCENTER_HOME: home }, cwd: made.root });
      expect(answer, home).toEqual([7, 'file_system']);
    }
  });

  test("commands that need a person's authority are refused inside of a Run", async () => {
    const made = await install();
    const inside = { env: { WORKCENTER_RUN: 'run-1' } };
    for (const args of [
      ['stop', 'x'],
      ['answer', 'x', 'r1', 'retry'],
      ['settings', 'set', 'sandbox', 'off'],
      ['gc', '--apply'],
      ['edit', 'x', '--goal', 'y'],
      ['up'],
    ]) {
      expect([args[0], await refusal(made, args, inside)]).toEqual([args[0], [3, 'user_required']]);
    }
    expect((await made.run(['ls'], inside)).code).toBe(0);
  });

  test('an edit against a contract that changed meanwhile is refused (FENCE-4)', async () => {
    const made = await install();
    const repo = await made.repository();
    const plan = await made.write('plan.yaml', PLAN);
    const { data } = await made.json(['run', plan, '--repo', repo, '--draft']);
    const { id } = data as { id: string };
    const edit = made.start(['edit', id, '--yes'], {
      env: {
        EDITOR: `sh -c 'echo EDITING; while [ ! -e "${made.root}/go" ]; do sleep 0.05; done; echo "title: mine" >> "$1"; sed -i "0,/^title/{/^title/d}" "$1"' editor`,
      },
    });
    await edit.says('EDITING');
    expect((await made.run(['edit', id, '--goal', 'Something else', '--yes'])).code).toBe(0);
    await made.write('go', '');
    const { code, err }: Ended = await edit.ended;
    expect([code, err.includes('contract_version_stale')]).toEqual([3, true]);
  });

  test('a setting that does not exist, or a value out of range, is refused with the list', async () => {
    const made = await install();
    const unknown = await made.run(['settings', 'set', 'colour', 'red']);
    expect([unknown.code, unknown.err.includes('concurrency, notify')]).toEqual([2, true]);
    expect(await refusal(made, ['settings', 'set', 'concurrency', '0'])).toEqual([2, 'invalid_setting']);
    expect((await made.run(['settings', 'get', 'concurrency'])).out).toBe('3\n');
  });
});
