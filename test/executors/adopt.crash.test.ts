import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adoptFinished } from '../../src/executors/command/adopt.ts';
import { commandExecutor } from '../../src/executors/command/command-executor.ts';
import type { Job } from '../../src/executors/executor.ts';
import { findTagged, killTagged } from '../../src/workspace/process/tagged-processes.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { place } from '../workspace/fixture.ts';
import { actionSpec, CANARY, commandJob, recorder, sandboxed, until } from './support.ts';

const FIXTURE = await compiledScript(new URL('./dying-engine.ts', import.meta.url));

/** Runs the job in an engine of its own, which is killed as soon as it has printed `mark`. */
async function dieAt(mark: string, job: Job): Promise<void> {
  const child = spawn(process.execPath, [FIXTURE, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  try {
    await until(`the engine printed ${mark}`, async () => text.includes(mark));
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
}

const jobOf = async (run: string): Promise<Job> => commandJob(await place(), actionSpec(run));
const counted = (job: Job): Promise<string> => readFile(join(job.workspacePath, 'count'), 'utf8');

describe('a command whose engine died', () => {
  it('after it had ended with 0 is taken over by the next attempt, not run twice', async () => {
    const first = await jobOf(`echo once >> count; echo "made with ${CANARY}"`);
    await dieAt('storing', first);
    const finished = await adoptFinished(first);
    expect(finished).toEqual({ exitCode: 0 });
    const io = recorder();
    const next: Job = { ...first, runId: `${first.runId}-next`, runDir: `${first.runDir}-next`, attempt: 2 };
    const adopt = { runDir: first.runDir, exitCode: 0 };
    const { outcome, log, exit } = await commandExecutor().start({ ...next, adopt }, io).ended;
    expect(outcome).toMatchObject({ kind: 'completed', claims: [{ criterionId: 'c1', status: 'passed' }] });
    expect(exit).toMatchObject({ cause: 'exited', exitCode: 0 });
    expect(io.contents.get(log.hash)).toBe('made with [redacted]\n');
    expect(io.spawned()).toBe(0);
    expect(await counted(first)).toBe('once\n');
  });

  it('is taken over with the outcome that it wrote', async () => {
    const first = await jobOf(`echo '{"outcome":"failed","error":"it cannot be done"}' > "$WORKCENTER_OUTCOME"`);
    await dieAt('storing', first);
    const adopt = { runDir: first.runDir, exitCode: 0 };
    const { outcome } = await commandExecutor().start({ ...first, adopt }, recorder()).ended;
    expect(outcome).toMatchObject({ kind: 'failed', error: 'it cannot be done' });
  });

  it.each([
    ['after it had failed', 'echo once >> count; exit 4', 'storing'],
    ['while it ran', 'echo once >> count; echo standing; sleep 600', 'standing'],
  ])('%s is run again', async (_, run, mark) => {
    const job = await jobOf(run);
    await dieAt(mark, job);
    // Without a sandbox the engine's successor does this.
    if (sandboxed.sandbox === 'none') await killTagged({ runId: job.runId });
    await until('nothing of it runs', async () => (await findTagged({ runId: job.runId })).length === 0);
    expect(await adoptFinished(job)).toBeUndefined();
  });
});
