import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { until as eventually } from '../support/until.ts';
import { ENV, openWorldAt } from '../support/world.ts';
import { actionOf, carried, gate, openRequest, reached, started, submitted, tell } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const run = promisify(execFile);
const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n' };
const AS = 'git -c user.name=t -c user.email=t@example.invalid';

/** One Action for one criterion, which has a check where one is given. */
const single = (command: string, { check, more = '' }: { check?: string; more?: string } = {}): string => `
goal: change a
criteria:
  - text: it is done
${check ? `    check: ${JSON.stringify(check)}\n` : ''}actions:
  - id: work
    run: ${JSON.stringify(command)}
    for: [c1]
    maxAttempts: 1
${more}`;

describe('scenarios of users of neighbouring tools, without a model', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  async function script(name: string, text: string): Promise<string> {
    const path = join(bench.root, name);
    await writeFile(path, `#!/bin/sh\n${text}\n`);
    await chmod(path, 0o755);
    return path;
  }

  /** A bare repository that takes nothing; its path. */
  async function refusingRemote(says: string): Promise<string> {
    const remote = join(bench.root, 'remote.git');
    await run('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: ENV });
    await mkdir(join(remote, 'hooks'), { recursive: true });
    await chmod(await script('remote.git/hooks/pre-receive', `echo '${says}' >&2; exit 1`), 0o755);
    return remote;
  }

  const commitAndPush = (remote: string): string =>
    `echo changed > a.txt; ${AS} commit -qam "The work"; git push -q '${remote}' HEAD:refs/heads/fix`;
  const isPushed = (remote: string): string => `git ls-remote --exit-code '${remote}' refs/heads/fix`;

  it('the agent says "pushed" but the pre-receive hook exited 1: not done, the work kept, the hook quoted', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const remote = await refusingRemote('No release notes, no push.');
    const lie = `${commitAndPush(remote)}; echo "pushed"; exit 0`;
    const state = await carried(bench, single(lie, { check: isPushed(remote) }));
    expect([state.lifecycle, actionOf(state, 'work').lastRun?.code]).toEqual(['open', 'claim_refused']);
    expect(openRequest(state).subject).toEqual({ kind: 'action_failed', actionId: 'work' });
    expect(openRequest(state).details.join('\n')).toContain('No release notes, no push.');
    const workspace = bench.world.home.workspace(state.id, 'work-g1');
    expect((await run('git', ['log', '-1', '--format=%s'], { cwd: workspace, env: ENV })).stdout).toBe('The work\n');
    expect((await run('git', ['-C', remote, 'for-each-ref'], { env: ENV })).stdout).toBe('');
  });

  it('a push that a pre-receive hook refused fails with the words of the hook', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const remote = await refusingRemote('No release notes, no push.');
    const state = await carried(bench, single(commitAndPush(remote), { check: isPushed(remote) }));
    expect(actionOf(state, 'work').lastRun?.error).toContain('No release notes, no push.');
    expect(openRequest(state).details.join('\n')).toContain('No release notes, no push.');
  });

  const signed = (program: string): string =>
    `echo changed > a.txt; ${AS} -c gpg.program='${program}' commit -qam Signed --gpg-sign=me`;

  it('a git commit whose signing prompt finds no terminal fails at once with the words of git', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const program = await script('sign', 'printf "Passphrase: " > /dev/tty && read -r word < /dev/tty');
    const state = await carried(bench, single(signed(program)));
    expect(actionOf(state, 'work').lastRun?.code).toBe('exit_128');
    expect(actionOf(state, 'work').lastRun?.error).toContain('gpg failed to sign the data');
  });

  it('a git commit that waits for a signing prompt is ended by the no-output watchdog, with that as the cause', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const program = await script('sign', 'exec sleep 987654');
    const state = await carried(bench, single(signed(program), { more: '    silenceSec: 1\n' }));
    expect(actionOf(state, 'work').lastRun?.code).toBe('silent');
    expect(openRequest(state).details.join('\n')).toContain('waiting for an answer');
  });

  it('a command that reads a password from standard input gets no answer, and its own words are the cause', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const ask = 'cat > /dev/null; echo "Password:"; read -r word || { echo "Nobody answered."; exit 9; }';
    const state = await carried(bench, single(ask));
    expect(actionOf(state, 'work').lastRun?.code).toBe('exit_9');
    expect(actionOf(state, 'work').lastRun?.error).toContain('Nobody answered.');
  });

  it('two Actions share a directory, A has staged files, B commits: the result of B has only its own paths', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const asks = `echo '{"outcome":"waiting","question":"Which one?"}' > "$WORKCENTER_OUTCOME"`;
    const stages = `echo staged > a.txt; echo new > new.txt; git add -A; grep -q "this one" "$WORKCENTER_BRIEF" || ${asks}`;
    const commits = `echo mine > b.txt; git add b.txt; ${AS} commit -qm "Only mine"`;
    const plan = `
goal: share a clone
criteria: [both are changed]
actions:
  - { id: a, workspace: shared, for: [c1], run: ${JSON.stringify(stages)} }
  - { id: b, workspace: shared, run: ${JSON.stringify(commits)} }
`;
    const id = await submitted(bench, plan);
    const engine = await started(bench);
    const parked = await engine.untilSettled(id);
    expect(parked.actions.map(({ status }) => status)).toEqual(['waiting', 'completed']);
    expect(actionOf(parked, 'b').result?.changedPaths).toEqual(['b.txt']);
    await tell(bench, id, {
      type: 'AnswerRequest',
      requestId: openRequest(parked).id,
      choice: 'text',
      text: 'this one',
    });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    const [ofA, ofB] = [`workcenter/${id}`, `workcenter/${id}~1`];
    expect(await bench.git('diff', '--name-only', 'main', ofB)).toBe('b.txt');
    expect(await bench.git('diff', '--name-only', ofB, ofA)).toBe('a.txt\nnew.txt');
  });

  it('a silent compile that lasts many leases, beside a second engine, is one Run with one result', async () => {
    const LEASE_MS = 400;
    bench = await openWorkbench({ sandbox: false, files: FILES, leaseMs: LEASE_MS });
    const compiled = gate(bench, 'compiled');
    const id = await submitted(bench, single(`${compiled.wait}; echo changed > a.txt`));
    const engine = await started(bench);
    const other = await openWorldAt(bench.root, { leaseMs: LEASE_MS });
    const beside = openEngine(other);
    await beside.start();
    await reached(compiled);
    const [first] = await bench.world.store.liveRuns();
    await leasedUntil((first?.expiresAt ?? 0) + 3 * LEASE_MS);
    await compiled.open();
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    await beside.stop();
    await other.store.close();
    const runs = await bench.world.store.runs(id, { actionId: 'work' });
    expect(runs.map(({ runId, status }) => [runId, status])).toEqual([[first?.runId, 'completed']]);
  });

  /** Waits until a live lease reaches as far as this: its owner has renewed it. */
  async function leasedUntil(atMs: number): Promise<void> {
    await eventually('the lease was renewed', async () => {
      const [live] = await bench.world.store.liveRuns();
      return (live?.expiresAt ?? 0) >= atMs;
    });
  }

  it('very long paths are worked on, checked and landed like short ones', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const path = `${Array.from({ length: 10 }, (_, n) => `${n}${'x'.repeat(199)}`).join('/')}/leaf.txt`;
    const make = `mkdir -p "$(dirname ${path})" && echo deep > ${path}`;
    const plan = single(make, { check: `test "$(cat ${path})" = deep`, more: 'delivery: merge\n' });
    const state = await carried(bench, plan);
    expect(state.finalResult?.outputs.map(({ ref }) => ref)).toEqual([path]);
    expect(state.lifecycle).toBe('done');
    expect(await readFile(join(bench.repo, path), 'utf8')).toBe('deep\n');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });
});
