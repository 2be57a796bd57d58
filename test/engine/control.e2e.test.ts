import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isMerged } from '../../src/core/derive/graph.ts';
import {
  actionOf,
  ask,
  carried,
  gate,
  loaded,
  openRequest,
  reached,
  started,
  submitted,
  tell,
  until,
} from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n' };

const single = (run: string, more = '') => `
goal: change a
criteria:
  - text: a is changed
    check: grep -qx changed a.txt
actions:
  - id: work
    run: ${JSON.stringify(run)}
    for: [c1]
${more}`;

describe('control from outside', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  const runsOf = async (id: string, actionId: string) => (await bench.world.store.runs(id, { actionId })).toReversed();
  const briefOf = async (runId: string) => readFile(join(bench.world.home.run(runId), 'brief.md'), 'utf8');

  it('D22, D16: a question is answered once, and the answer reaches the next attempt in its brief', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const id = await submitted(
      bench,
      single(
        'if grep -q "the blue one" "$WORKCENTER_BRIEF"; then echo changed > a.txt; else ' +
          'echo \'{"outcome":"waiting","question":"Which one?"}\' > "$WORKCENTER_OUTCOME"; fi',
      ),
    );
    const engine = await started(bench);
    const waiting = await engine.untilSettled(id);
    const request = openRequest(waiting);
    expect(request).toMatchObject({ kind: 'question', question: 'Which one?', subject: { kind: 'action_waiting' } });
    const answer = { type: 'AnswerRequest', requestId: request.id, choice: 'text', text: 'the blue one' } as const;
    const answers = await Promise.all([ask(bench, id, answer), ask(bench, id, answer)]);
    expect(answers.map((reply) => ('code' in reply ? reply.code : 'taken')).sort()).toEqual([
      'request_not_found',
      'taken',
    ]);
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect((await runsOf(id, 'work')).map(({ status }) => status)).toEqual(['waiting', 'completed']);
  });

  it('D15, D31: redirect supersedes a running Run, keeps its work under a private ref, and the brief carries the guidance', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(
      bench,
      single(
        `if grep -q "use the short way" "$WORKCENTER_BRIEF"; then echo changed > a.txt; else ` +
          `echo half > a.txt; echo new > untracked.txt; ${door.wait}; fi`,
      ),
    );
    const engine = await started(bench);
    await reached(door);
    await tell(bench, id, { type: 'RedirectAction', actionId: 'work', generation: 1, guidance: 'use the short way' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect((await runsOf(id, 'work')).map(({ status, generation }) => [status, generation])).toEqual([
      ['superseded', 1],
      ['completed', 2],
    ]);
    await engine.stop();
    const git = (...args: string[]) => bench.git('--git-dir', bench.world.home.repository(id), ...args);
    const kept = (await git('for-each-ref', '--format=%(refname)'))
      .split('\n')
      .filter((ref) => ref.includes('work-g1'));
    expect(kept).toHaveLength(1);
    expect(await git('show', `${kept[0]}:a.txt`, `${kept[0]}:untracked.txt`)).toBe('half\nnew');
    expect(await bench.git('show', `workcenter/${id}:a.txt`)).toBe('changed');
  });

  it('D13: stop ends the running process, keeps its files, cancels what is left; reopen carries on and completes', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const pidFile = join(bench.root, 'pid');
    const id = await submitted(
      bench,
      single(
        `echo kept > kept.txt; echo $$ > '${pidFile}'; ${door.wait}; echo changed > a.txt`,
        '  - id: later\n    run: echo x > later.txt\n    dependsOn: [work]\n',
      ),
    );
    const engine = await started(bench);
    await reached(door);
    await tell(bench, id, { type: 'StopItem', reason: 'enough' });
    const stopped = await engine.untilSettled(id);
    expect(stopped.lifecycle).toBe('cancelled');
    expect(stopped.actions.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    await engine.stop();
    const pid = Number(await readFile(pidFile, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const refs = await bench.git('--git-dir', bench.world.home.repository(id), 'for-each-ref', '--format=%(refname)');
    const kept = refs.split('\n').find((ref) => ref.includes('work-g1')) ?? '';
    expect(await bench.git('--git-dir', bench.world.home.repository(id), 'show', `${kept}:kept.txt`)).toBe('kept');
    await door.open();
    const reopened = await tell(bench, id, { type: 'ReopenItem' });
    expect(reopened.actions.map(({ status, generation }) => [status, generation])).toEqual([
      ['ready', 2],
      ['ready', 2],
    ]);
    const next = await started(bench);
    expect((await next.untilSettled(id)).lifecycle).toBe('done');
  });

  it('D13: reopen and stop are refused on a done item', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const state = await carried(bench, single('echo changed > a.txt'));
    expect(await ask(bench, state.id, { type: 'ReopenItem' })).toMatchObject({ code: 'wrong_state' });
    expect(await ask(bench, state.id, { type: 'StopItem', reason: 'no' })).toMatchObject({ code: 'item_ended' });
  });

  it('D15: retry of a completed Action runs it and all that depends on it again, with the guidance', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(
      bench,
      single(
        'echo "$(cat a.txt)x" > was.txt; echo changed > a.txt',
        `  - id: above\n    run: cat was.txt > above.txt\n    dependsOn: [work]\n  - id: beside\n    run: ${JSON.stringify(`${door.wait}; echo x > beside.txt`)}\n`,
      ),
    );
    const engine = await started(bench);
    await until(bench, id, (now) => {
      const above = actionOf(now, 'above');
      return above.status === 'completed' && isMerged(now, above);
    });
    await reached(door);
    await tell(bench, id, { type: 'RetryAction', actionId: 'work', generation: 1, guidance: 'once more' });
    await door.open();
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(state.actions.slice(0, 3).map((action) => [action.id, action.generation, action.status])).toEqual([
      ['work', 2, 'completed'],
      ['above', 2, 'completed'],
      ['beside', 1, 'completed'],
    ]);
    const runs = await runsOf(id, 'work');
    expect(await briefOf(runs.at(-1)?.runId ?? '')).toContain('once more');
    expect(await bench.git('show', `workcenter/${id}:above.txt`)).toBe('changedx');
  });

  it('D6: a contract edit while running supersedes only what cites the change; retain finishes it', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(
      bench,
      `
goal: change both
criteria:
  - text: a is changed
    check: grep -qx changed a.txt
  - text: b is changed
    check: grep -qx changed b.txt
actions:
  - id: left
    run: ${JSON.stringify(`${door.wait}; echo changed > a.txt`)}
    for: [c1]
  - id: right
    run: ${JSON.stringify(`${door.wait}; echo changed > b.txt; echo more >> b.txt`)}
    for: [c2]
`,
    );
    const engine = await started(bench);
    const running = await until(bench, id, ({ runs }) => runs.length === 2 && runs.every((run) => run.dispatched));
    const { contract, contractVersion } = running;
    const criteria = contract.criteria.map((criterion) =>
      criterion.id === 'c2' && criterion.check
        ? { ...criterion, check: { ...criterion.check, run: 'grep -qx more b.txt' } }
        : criterion,
    );
    const edited = await tell(bench, id, {
      type: 'EditContract',
      contractVersion,
      contract: { ...contract, criteria },
    });
    expect(actionOf(edited, 'left').status).toBe('running');
    expect(actionOf(edited, 'right').status).toBe('superseded');
    await door.open();
    const asked = await engine.untilSettled(id);
    const request = openRequest(asked);
    expect(request.subject).toEqual({ kind: 'replan' });
    expect(request.details).toEqual(['right']);
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'retain', text: '' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect((await runsOf(id, 'left')).map(({ status }) => status)).toEqual(['completed']);
    expect((await runsOf(id, 'right')).map(({ status }) => status)).toEqual(['superseded', 'completed']);
  });

  it('D6: an edit of the title while running disturbs nothing', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(bench, single(`${door.wait}; echo changed > a.txt`));
    const engine = await started(bench);
    await reached(door);
    const { contract, contractVersion } = await loaded(bench, id);
    await tell(bench, id, { type: 'EditContract', contractVersion, contract: { ...contract, title: 'Another name' } });
    await door.open();
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect((await runsOf(id, 'work')).map(({ status }) => status)).toEqual(['completed']);
  });

  it('D9: a hold lets the running Run settle and starts nothing; resume carries on', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(
      bench,
      single(
        `${door.wait}; echo changed > a.txt`,
        '  - id: later\n    run: echo x > later.txt\n    dependsOn: [work]\n',
      ),
    );
    const engine = await started(bench);
    await reached(door);
    await tell(bench, id, { type: 'HoldItem', code: 'user', details: 'wait' });
    await door.open();
    const held = await until(bench, id, (now) => actionOf(now, 'work').status === 'completed' && now.runs.length === 0);
    expect(actionOf(held, 'later').status).toBe('ready');
    const { controlVersion } = await loaded(bench, id);
    await tell(bench, id, { type: 'ResumeItem', controlVersion });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
  });

  it('D26: spent wall clock holds the item; extending does not resume, resuming then completes', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const id = await submitted(
      bench,
      `budget: { wallClock: 1 }\n${single('sleep 1.2; exit 1').trim()}`.replace(
        'sleep 1.2; exit 1',
        'if [ $WORKCENTER_ATTEMPT = 1 ]; then exec sleep 3600; else echo changed > a.txt; fi',
      ),
    );
    const engine = await started(bench);
    const held = await engine.untilSettled(id);
    expect(held.hold?.code).toBe('wall_clock_exhausted');
    expect((await runsOf(id, 'work'))[0]).toMatchObject({ code: 'timed_out' });
    const refused = await ask(bench, id, { type: 'ResumeItem', controlVersion: held.controlVersion });
    expect(refused).toMatchObject({ code: 'budget_exhausted' });
    const { controlVersion } = held;
    const extended = await tell(bench, id, { type: 'ExtendBudget', controlVersion, wallClockSec: 600 });
    expect(extended.hold?.code).toBe('wall_clock_exhausted');
    await tell(bench, id, { type: 'ResumeItem', controlVersion: extended.controlVersion });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
  });

  it('D31: a new attempt of a command starts from a clean workspace; what the last one left is kept under a private ref', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const state = await carried(
      bench,
      single(
        'if [ "$WORKCENTER_ATTEMPT" = 1 ]; then echo half > a.txt; echo new > left.txt; exit 1; fi; ' +
          'test ! -e left.txt && grep -qx a a.txt && echo changed > a.txt',
      ),
    );
    expect(state.lifecycle).toBe('done');
    expect(actionOf(state, 'work').attempts).toBe(2);
    const git = (...args: string[]) => bench.git('--git-dir', bench.world.home.repository(state.id), ...args);
    const kept = (await git('for-each-ref', '--format=%(refname)'))
      .split('\n')
      .filter((ref) => ref.includes('work-g1'));
    expect(kept).toHaveLength(1);
    expect(await git('show', `${kept[0]}:a.txt`, `${kept[0]}:left.txt`)).toBe('half\nnew');
  });

  it('D31: a workspace that cannot be made fails the Action with the cause; it runs nowhere else', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const id = await submitted(bench, single(`echo changed > a.txt; touch '${bench.root}/ran'`));
    // Something else lies where the item's workspaces would go.
    await writeFile(bench.world.home.workspaces(id), 'not a directory');
    const engine = await started(bench);
    const state = await engine.untilSettled(id);
    expect(openRequest(state).subject).toEqual({ kind: 'action_failed', actionId: 'work' });
    expect(actionOf(state, 'work').lastRun).toMatchObject({ code: 'workspace_failed', dispatched: false });
    expect(actionOf(state, 'work').lastRun?.error).toContain('file already exists');
    await expect(readFile(join(bench.root, 'ran'))).rejects.toThrow('ENOENT');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D13, V1, rule 6: stop while the set-up is still being made ends its process; nothing was dispatched, no attempt is charged', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const pidFile = join(bench.root, 'pid');
    const setup = `setup: { run: ${JSON.stringify(`echo $$ > '${pidFile}'; ${door.wait}`)}, inputs: [a.txt] }\n`;
    const id = await submitted(bench, setup + single('echo changed > a.txt').trim());
    const engine = await started(bench);
    await reached(door);
    await tell(bench, id, { type: 'StopItem', reason: 'no' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('cancelled');
    await engine.stop();
    const pid = Number(await readFile(pidFile, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(actionOf(await loaded(bench, id), 'work').attempts).toBe(0);
    expect(await bench.world.store.liveRuns()).toEqual([]);
  });
});
