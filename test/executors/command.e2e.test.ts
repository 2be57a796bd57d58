import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ActionSpec } from '../../src/core/model/action.ts';
import { commandExecutor } from '../../src/executors/command/command-executor.ts';
import type { ExecutorEnd, Job } from '../../src/executors/executor.ts';
import { spawnGuarded } from '../../src/workspace/process/spawn-guarded.ts';
import { place } from '../workspace/fixture.ts';
import { manualTimers } from '../workspace/process/manual-timers.ts';
import {
  actionSpec,
  bare,
  CANARY,
  commandJob,
  confinementIn,
  contract,
  criterion,
  type Recorder,
  recorder,
  sandboxed,
} from './support.ts';

const noSandbox = sandboxed.sandbox === 'none';

interface Done extends ExecutorEnd {
  readonly io: Recorder;
  readonly job: Job;
}

async function carryOut(
  run: string | readonly string[],
  more: Partial<ActionSpec> = {},
  about: Parameters<typeof commandJob>[2] = {},
): Promise<Done> {
  const job = await commandJob(await place(), actionSpec(run, more), about);
  const io = recorder();
  return { ...(await commandExecutor().start(job, io).ended), io, job };
}

const reporting = (outcome: unknown, exit = 0): string =>
  `cat > "$WORKCENTER_OUTCOME" <<'END'\n${typeof outcome === 'string' ? outcome : JSON.stringify(outcome)}\nEND\nexit ${exit}`;

describe('a command without an outcome file (D22)', () => {
  it.each([
    ['0', 'echo done', { kind: 'completed' }],
    ['3', 'exit 3', { kind: 'retryable', code: 'exit_3' }],
    ['78', 'exit 78', { kind: 'failed', code: 'exit_78' }],
    ['126', '/etc/passwd', { kind: 'retryable', code: 'exit_126' }],
    ['127', 'no-such-program-here', { kind: 'failed', code: 'command_not_found' }],
    ['of a signal', 'kill -9 $$', { kind: 'retryable', code: 'exit_137' }],
  ])('that ends with exit code %s', async (_, run, expected) => {
    expect((await carryOut(run)).outcome).toMatchObject(expected);
  });

  it('passes the criteria it is for with the end of its log as evidence', async () => {
    const { outcome, usage } = await carryOut('echo all is well', { for: ['c2'] });
    expect(outcome).toMatchObject({ claims: [{ criterionId: 'c2', status: 'passed', evidence: 'all is well' }] });
    expect(usage.metered).toBe(false);
  });

  it('says what was not found', async () => {
    const byShell = await carryOut('no-such-program-here --now');
    const byVector = await carryOut(['no-such-program-here', '--now']);
    for (const { outcome } of [byShell, byVector])
      expect(outcome).toMatchObject({ error: expect.stringContaining('no-such-program-here') });
  });

  it('is no review without a verdict', async () => {
    const { outcome } = await carryOut('echo fine', { type: 'review' });
    expect(outcome).toMatchObject({ kind: 'retryable', code: 'no_outcome' });
  });

  it('that cannot start says why', async () => {
    const root = await place();
    const job = await commandJob(root, actionSpec('true'), { projectPath: join(root, 'not there') });
    const { outcome, exit } = await commandExecutor().start(job, recorder()).ended;
    expect(outcome).toMatchObject({ kind: 'retryable', code: 'spawn_failed' });
    expect(exit).toMatchObject({ cause: 'spawn_failed', exitCode: null });
  });
});

describe('a command with an outcome file (D22)', () => {
  const completed = { outcome: 'completed', summary: 'made it' };
  it.each([
    ['completed and exit 0', completed, 0, { kind: 'completed', summary: 'made it', claims: [] }],
    ['completed and exit 1: not believed', completed, 1, { kind: 'retryable', code: 'exit_1' }],
    ['completed and exit 78', completed, 78, { kind: 'failed', code: 'exit_78' }],
    ['failed and exit 0: the file wins', { outcome: 'failed', error: 'no' }, 0, { kind: 'failed', error: 'no' }],
    [
      'retryable with a code',
      { outcome: 'retryable', code: 'rate_limited', error: 'later' },
      1,
      { kind: 'retryable', code: 'rate_limited' },
    ],
    ['waiting', { outcome: 'waiting', question: 'which?' }, 0, { kind: 'waiting', question: 'which?' }],
    ['not JSON', '{"outcome": ', 0, { kind: 'retryable', code: 'malformed_outcome' }],
    [
      'an unknown field',
      { ...completed, sumary: 'x' },
      0,
      { code: 'malformed_outcome', error: expect.stringContaining('sumary') },
    ],
    [
      'a wrong type',
      { ...completed, outputs: 'x' },
      0,
      { code: 'malformed_outcome', error: expect.stringContaining('outputs') },
    ],
    [
      'an unknown criterion',
      { ...completed, claims: [{ criterion: 'c9', status: 'passed', evidence: 'e' }] },
      0,
      { code: 'malformed_outcome', error: expect.stringContaining('no criterion c9') },
    ],
    [
      'a claim beyond its task',
      { ...completed, claims: [{ criterion: 'c2', status: 'passed', evidence: 'e' }] },
      0,
      { kind: 'completed', claims: [] },
    ],
  ])('that says %s', async (_, file, exit, expected) => {
    expect((await carryOut(reporting(file, exit))).outcome).toMatchObject(expected);
  });

  it.each([
    ['a link to something of ours', 'ln -s /etc/passwd "$WORKCENTER_OUTCOME"'],
    ['a named pipe', 'mkfifo "$WORKCENTER_OUTCOME"'],
    ['a directory', 'mkdir "$WORKCENTER_OUTCOME"'],
    ['more than a mebibyte', 'head -c 1048577 /dev/zero > "$WORKCENTER_OUTCOME"'],
  ])('does not follow, wait for or swallow %s', async (_, run) => {
    expect((await carryOut(run)).outcome).toMatchObject({ kind: 'retryable', code: 'malformed_outcome' });
  });

  it('names the outputs that were not accepted', async () => {
    const outputs = [
      { kind: 'file', ref: './dist\\über.js' },
      { kind: 'file', ref: '/etc/passwd' },
      { kind: 'pr', ref: 'https://example.org/ada/x/pull/7' },
    ];
    const { outcome } = await carryOut(reporting({ ...completed, outputs }));
    expect(outcome).toMatchObject({
      outputs: [{ kind: 'file', ref: 'dist/über.js' }, outputs[2]],
      evidence: [{ label: expect.stringContaining('/etc/passwd') }],
    });
  });

  it('of a review carries its verdict', async () => {
    const file = { ...completed, review: 'changes_requested' };
    const { outcome } = await carryOut(reporting(file), { type: 'review' });
    expect(outcome).toMatchObject({ kind: 'completed', review: 'changes_requested' });
  });
});

describe('what a command is given', () => {
  it('is the same brief on standard input and in a file', async () => {
    const job = await commandJob(await place(), actionSpec('cat > got; cmp got "$WORKCENTER_BRIEF" && cat got'), {
      guidance: ['Mind the umlauts'],
      contract: contract([criterion('c1', { text: 'The suite is green' })]),
      lastRun: {
        id: 'r0',
        generation: 1,
        ordinal: 1,
        status: 'retryable',
        code: 'exit_2',
        summary: '',
        endedSeq: 4,
        error: 'It broke at line 12',
        dispatched: true,
        receipts: [],
      },
    });
    const io = recorder();
    const { outcome } = await commandExecutor().start(job, io).ended;
    expect(outcome.kind).toBe('completed');
    for (const words of [
      'Make it work',
      'Write the file',
      'The suite is green',
      'Mind the umlauts',
      'exit_2',
      'It broke at line 12',
      'WORKCENTER_OUTCOME',
    ])
      expect(io.output()).toContain(words);
  });

  it('is what the Actions it depends on left, or why they were closed (D2)', async () => {
    const job = await commandJob(await place(), actionSpec('cat'), {
      earlier: [
        { actionId: 'look', how: 'completed', words: 'Queue B loses messages', outputs: ['notes/b.md'] },
        { actionId: 'docs', how: 'closed', words: 'Not for this release', outputs: [] },
      ],
    });
    const io = recorder();
    await commandExecutor().start(job, io).ended;
    for (const words of ['Queue B loses messages', 'notes/b.md', '**docs** was closed', 'Not for this release'])
      expect(io.output()).toContain(words);
  });

  it.each([
    ['in the sandbox', sandboxed],
    ['without one', bare],
  ])('is a home where the logins that the plan opens are found, %s', async (_, enforcement) => {
    const root = await place();
    const { userHome } = await confinementIn(root, enforcement);
    await mkdir(join(userHome, '.agent', 'deep'), { recursive: true });
    await writeFile(join(userHome, '.agent', 'login'), 'ada');
    await writeFile(join(userHome, '.private'), 'mine');
    const writable = [join(userHome, '.agent'), join(userHome, '.agent/deep'), join(userHome, '.absent')];
    const run = 'cat ~/.agent/login; echo refreshed > ~/.agent/deep/token; ls -A ~';
    const spec = actionSpec(run, { sandbox: { network: 'none', readable: [], writable } });
    const io = recorder();
    const { outcome } = await commandExecutor().start(await commandJob(root, spec, { enforcement }), io).ended;
    expect(outcome.kind).toBe('completed');
    expect(io.output()).toContain('ada.agent');
    expect(io.output()).not.toMatch(/private|absent/);
    expect(await readFile(join(userHome, '.agent/deep/token'), 'utf8')).toBe('refreshed\n');
  });

  it('is an environment without the secrets of the engine', async () => {
    const { io } = await carryOut('env', { env: { MODE: 'fast', WORKCENTER_RUN: 'forged:1' } });
    expect(io.output()).toContain('MODE=fast');
    expect(io.output()).not.toContain('SECRET_OF_ENGINE');
    expect(io.output()).not.toContain('forged');
  });

  it.skipIf(noSandbox)('is a workspace it cannot write to in mode read', async () => {
    const written = await carryOut('touch here', { workspace: 'isolated-write' });
    const refused = await carryOut('touch here', { workspace: 'read' });
    expect(written.outcome.kind).toBe('completed');
    expect(refused.outcome).toMatchObject({ kind: 'retryable', error: expect.stringMatching(/read-only/i) });
  });

  it.skipIf(noSandbox)('is neither the log nor the brief to write to', async () => {
    const run =
      'd=$(dirname "$WORKCENTER_BRIEF"); (echo x >> "$WORKCENTER_BRIEF") || (echo x >> "$d/output.log") || exit 9';
    expect((await carryOut(run)).outcome).toMatchObject({ code: 'exit_9' });
  });
});

describe('the output of a command', () => {
  it.each([
    ['in the sandbox', sandboxed],
    ['without one', bare],
  ])('shows no declared secret anywhere, %s', async (_, enforcement) => {
    const run = [
      `printf 'canary-7f3e'; sleep 0.05; echo '-do-not-print'`,
      'echo "mine: $DEPLOY_TOKEN" >&2',
      reporting({
        outcome: 'completed',
        summary: `used ${CANARY}`,
        evidence: [{ kind: 'text', label: `saw ${CANARY}` }],
        claims: [{ criterion: 'c1', status: 'passed', evidence: CANARY }],
      }),
    ].join('\n');
    const done = await carryOut(run, { env: { DEPLOY_TOKEN: 'declared-secret-1' } }, { enforcement });
    const file = await readFile(join(done.job.runDir, 'output.log'), 'utf8');
    const all = [done.io.everything(), file, JSON.stringify({ ...done, io: null, job: null })].join('\n');
    expect(done.outcome.kind).toBe('completed');
    expect(all).toContain('[redacted]');
    expect(all).not.toContain(CANARY);
    expect(all).not.toContain('declared-secret-1');
  });

  it('is kept whole, with its end at hand', async () => {
    const { io, log } = await carryOut('i=0; while [ $i -lt 5000 ]; do echo "line $i ü"; i=$((i+1)); done');
    expect(io.contents.get(log.hash)).toContain('line 0 ü\nline 1 ü\n');
    expect(io.contents.get(log.hash)?.split('\n')).toHaveLength(5_001);
    expect(log.tail).toContain('line 4999 ü');
    expect(log.tail.length).toBeLessThanOrEqual(4_000);
  });
});

describe('the end of a command', () => {
  it.each([
    ['timed_out', { timeLimitSec: 30 }, 30_000],
    ['silent', {}, 20_000],
  ])('is %s when that limit runs out, whatever its file says', async (code, about, limitMs) => {
    const timers = manualTimers();
    const spawn: typeof spawnGuarded = (spec) => spawnGuarded({ ...spec, timers });
    const run = `${reporting({ outcome: 'completed', summary: 'x' }).replace('exit 0', 'echo standing')}; sleep 600`;
    const job = await commandJob(await place(), actionSpec(run, { silenceSec: 20 }), about);
    const io = recorder();
    const running = commandExecutor({ spawn }).start(job, io);
    await io.printed('standing');
    timers.fire(limitMs);
    const { outcome, exit } = await running.ended;
    expect(exit?.cause).toBe(code);
    expect(outcome).toMatchObject({ kind: 'retryable', code, error: expect.stringContaining(`${limitMs} ms`) });
  });

  it('comes at once when it is aborted, and leaves no process', async () => {
    const job = await commandJob(await place(), actionSpec('(setsid sleep 600 &) ; echo standing; sleep 600'));
    const io = recorder();
    const running = commandExecutor().start(job, io);
    await io.printed('standing');
    running.abort('the person stopped it');
    const { outcome, exit } = await running.ended;
    expect(outcome).toMatchObject({
      kind: 'retryable',
      code: 'aborted',
      error: expect.stringContaining('the person stopped it'),
    });
    expect(exit?.cause).toBe('aborted');
  });
});

it('works in folders with spaces and umlauts and on files with CRLF', async () => {
  const root = await place();
  const projectPath = join(root, 'data', 'wörk space', 'ünter ordner');
  await mkdir(projectPath, { recursive: true });
  await writeFile(join(projectPath, 'zwölf.txt'), 'eins\r\nzwei\r\n');
  const job = await commandJob(root, actionSpec('cat zwölf.txt; pwd'), { projectPath });
  const { outcome, log } = await commandExecutor().start(job, recorder()).ended;
  expect(outcome.kind).toBe('completed');
  expect(log.tail).toContain('eins\r\nzwei\r\n');
  expect(log.tail).toContain('wörk space/ünter ordner');
});
