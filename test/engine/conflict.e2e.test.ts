import { afterEach, describe, expect, it } from 'vitest';
import { actionOf, carried, loaded, openRequest, started, submitted, tell } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

/** Both change the one line of a.txt; the second one to be merged meets a conflict. */
const actions = (more = '') => `
goal: change the line
criteria:
  - text: the line is not what it was
    check: '! grep -qx a a.txt'
actions:
  - id: left
    run: echo left > a.txt
    for: [c1]
  - id: right
    run: echo right > a.txt
    for: [c1]
${more}`;

const integrate = (run: string) =>
  actions(`  - id: both
    run: |
      ${run}
    workspace: integrate
    dependsOn: [left, right]
    for: [c1]
`);

describe('two results that change the same line', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('D32: are a conflict that names the path and both sides, and a person is asked', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, actions());
    const request = openRequest(state);
    expect(request.subject.kind).toBe('merge_conflict');
    expect(request.choices).toEqual(['retry', 'close', 'stop']);
    const [conflicted] = state.actions.filter((action) => action.merge.kind === 'conflict');
    if (conflicted?.merge.kind !== 'conflict') throw new Error('no conflict');
    const { paths, ours, theirs } = conflicted.merge;
    expect(paths).toEqual(['a.txt']);
    expect(request.details).toEqual(['a.txt', `ours ${ours}`, `theirs ${theirs}`]);
    const show = (commit: string) =>
      bench.git('--git-dir', bench.world.home.repository(state.id), 'show', `${commit}:a.txt`);
    expect([await show(ours), await show(theirs)].sort()).toEqual(['left', 'right']);
  });

  it('D32: an integrate Action finds both sides in its workspace and its resolution is merged', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(
      bench,
      integrate('grep -q "^<<<<<<<" a.txt && grep -v "^[<=>|]" a.txt | grep -vx a | sort > r && mv r a.txt'),
    );
    expect(state.requests).toEqual([]);
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${state.id}:a.txt`)).toBe('left\nright');
    for (const action of state.actions.filter(({ id }) => id !== 'verify-1')) {
      const { result } = action;
      await bench.git('merge-base', '--is-ancestor', result?.commit ?? '', `workcenter/${state.id}`);
    }
  });

  it('D32: an integrate Action that leaves the markers in is refused with their path', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, integrate('true').replace('id: both', 'id: both\n    maxAttempts: 1'));
    expect(openRequest(state).subject).toEqual({ kind: 'action_failed', actionId: 'both' });
    expect(actionOf(state, 'both').lastRun).toMatchObject({ code: 'unresolved_conflict' });
    expect(actionOf(state, 'both').lastRun?.error).toContain('a.txt');
  });

  it('D31: the next attempt at an integrate Action meets the conflict as it was, and the last try is kept', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(
      bench,
      integrate(
        'if [ $WORKCENTER_ATTEMPT = 1 ]; then echo botched > a.txt; git add a.txt; exit 1; fi; ' +
          'grep -q "^<<<<<<<" a.txt && echo both > a.txt',
      ),
    );
    expect(state.lifecycle).toBe('done');
    expect(actionOf(state, 'both').attempts).toBe(2);
    expect(await bench.git('show', `workcenter/${state.id}:a.txt`)).toBe('both');
    const git = (...args: string[]) => bench.git('--git-dir', bench.world.home.repository(state.id), ...args);
    const kept = (await git('for-each-ref', '--format=%(refname)'))
      .split('\n')
      .filter((ref) => ref.includes('both-g1'));
    expect(await git('show', `${kept[0]}:a.txt`)).toBe('botched');
  });

  it('D32: an integrate Action that gives the merge up for our side is merged, and its evidence says so', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, integrate('git checkout -q --ours a.txt'));
    expect(state.lifecycle).toBe('done');
    const { result } = actionOf(state, 'both');
    expect(JSON.stringify(result?.outcome)).toContain('exactly the side of the item branch');
  });

  it('D32: where three collide, what the integrate Action did not meet asks by itself, and closing it leads to done', async () => {
    bench = await openWorkbench({ sandbox: false });
    const three = integrate('echo resolved > a.txt')
      .replace('  - id: both', '  - id: third\n    run: echo third > a.txt\n    for: [c1]\n  - id: both')
      .replace('[left, right]', '[left, right, third]');
    const id = await submitted(bench, three);
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    expect(openRequest(asked).subject.kind).toBe('merge_conflict');
    await tell(bench, id, { type: 'AnswerRequest', requestId: openRequest(asked).id, choice: 'close', text: '' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${id}:a.txt`)).toBe('resolved');
  });

  it('D2: retry runs the conflicted Action again on the branch that holds the other side, and leads to done', async () => {
    bench = await openWorkbench({ sandbox: false });
    const plan = actions().replace(/echo (left|right) > a.txt/g, 'echo $1 >> a.txt; sed -i /^a$/d a.txt');
    const id = await submitted(bench, plan);
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    await tell(bench, id, { type: 'AnswerRequest', requestId: openRequest(asked).id, choice: 'retry', text: '' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
  });

  it('D2: close leaves the conflicted result out, says so in the final result, and leads to done', async () => {
    bench = await openWorkbench({ sandbox: false });
    const id = await submitted(bench, actions());
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    const conflicted = asked.actions.find((action) => action.merge.kind === 'conflict');
    await tell(bench, id, {
      type: 'AnswerRequest',
      requestId: openRequest(asked).id,
      choice: 'close',
      text: 'the other one is enough',
    });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(actionOf(state, conflicted?.id ?? '')).toMatchObject({
      status: 'closed',
      closeReason: 'the other one is enough',
    });
    expect(state.finalResult?.summary).toContain(`Left out: ${conflicted?.id}`);
    const kept = conflicted?.id === 'left' ? 'right' : 'left';
    expect(await bench.git('show', `workcenter/${id}:a.txt`)).toBe(kept);
  });

  it('D13: stop in the middle of a conflict ends cancelled with nothing published, and holds no lease', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, actions());
    await tell(bench, state.id, { type: 'StopItem', reason: 'enough' });
    expect((await loaded(bench, state.id)).lifecycle).toBe('cancelled');
    expect(await bench.git('branch', '--list', 'workcenter/*')).toBe('');
    expect(await bench.world.store.liveRuns()).toEqual([]);
  });

  it('D1: a dependant sees the files of what it depends on, and only those that are merged', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(
      bench,
      `
goal: build on one another
criteria:
  - text: the second is made of the first
    check: test "$(cat second.txt)" = "made of one"
actions:
  - id: first
    run: echo one > first.txt
  - id: second
    run: echo "made of $(cat first.txt)" > second.txt
    dependsOn: [first]
    for: [c1]
`,
    );
    expect(state.lifecycle).toBe('done');
    expect(actionOf(state, 'second').attempts).toBe(1);
    expect(await bench.git('show', `workcenter/${state.id}:second.txt`)).toBe('made of one');
  });

  it('D2: a failed Action stops its dependants and not its siblings; close --cascade closes the dependants too', async () => {
    bench = await openWorkbench({ sandbox: false });
    const id = await submitted(
      bench,
      `
goal: fail locally
criteria:
  - text: the sibling did its work
    check: test -e sibling.txt
actions:
  - id: bad
    run: exit 78
  - id: above
    run: echo x > above.txt
    dependsOn: [bad]
  - id: top
    run: echo x > top.txt
    dependsOn: [above]
  - id: sibling
    run: echo x > sibling.txt
    for: [c1]
`,
    );
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    expect(openRequest(asked).subject).toEqual({ kind: 'action_failed', actionId: 'bad' });
    expect(asked.actions.map((action) => [action.id, action.status])).toEqual([
      ['bad', 'failed'],
      ['above', 'ready'],
      ['top', 'ready'],
      ['sibling', 'completed'],
    ]);
    const { generation } = actionOf(asked, 'bad');
    await tell(bench, id, { type: 'CloseAction', actionId: 'bad', generation, reason: 'not needed', cascade: true });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(['bad', 'above', 'top'].map((name) => actionOf(state, name).status)).toEqual(['closed', 'closed', 'closed']);
  });

  it('D29, chapter 2 C16: shared Actions of an item work one at a time, each on the files of the one before', async () => {
    bench = await openWorkbench({ sandbox: false });
    const line = (n: number) => `  - id: s${n}
    workspace: shared
    run: test ! -e busy && touch busy && cat count > was || exit 1; echo ${n} >> count; rm busy was
    for: [c1]
`;
    const state = await carried(
      bench,
      `
goal: count together
criteria:
  - text: all counted
    check: test "$(wc -l < count)" -eq 4
actions:
  - id: zero
    workspace: shared
    run: echo 0 > count
${[1, 2, 3].map((n) => `${line(n)}    dependsOn: [zero]\n`).join('')}`,
    );
    expect(state.lifecycle).toBe('done');
    expect(state.actions.filter(({ id }) => id.startsWith('s')).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });
});
