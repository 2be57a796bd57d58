import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Setup } from '../../src/core/model/contract.ts';
import type { ExecutorEnd } from '../../src/executors/executor.ts';
import { gitSource } from '../../src/executors/verify/git-source.ts';
import type { BaseResult } from '../../src/executors/verify/run-checks.ts';
import { verifyExecutor } from '../../src/executors/verify/verify-executor.ts';
import { commitAll, scene, write } from '../workspace/fixture.ts';
import { actionSpec, check, commandJob, contract, criterion, type Recorder, recorder } from './support.ts';

interface Verified extends ExecutorEnd {
  readonly learnt: readonly BaseResult[];
}

async function verify(
  run: string,
  more: { setup?: Setup; timeLimitSec?: number; io?: Recorder } = {},
): Promise<Verified> {
  const at = await scene({ 'state.txt': 'red\n' });
  await write(at.source, { 'state.txt': 'green\n' });
  const commit = await commitAll(at.source, 'the work');
  const learnt: BaseResult[] = [];
  const criteria = [
    criterion('c1', { check: check(run) }),
    criterion('c2', { check: check('exit 9') }),
    criterion('c3'),
  ];
  const spec = actionSpec('', { type: 'verify', for: ['c1', 'c2'], executor: { kind: 'verify', writeSeq: 1 } });
  const job = await commandJob(at.root, spec, {
    contract: contract(criteria, more.setup === undefined ? {} : { setup: more.setup }),
    timeLimitSec: more.timeLimitSec ?? 60,
  });
  const executor = verifyExecutor({
    verificationOf: async () => ({
      source: await gitSource({ repo: at.repo, base: at.base, commit, subdirectory: '' }),
      cacheRoot: join(at.root, 'data', 'setups'),
      workRoot: join(at.root, 'data', 'verify'),
      knownBase: [],
    }),
    onBaseResults: async (_, results) => {
      learnt.push(...results);
    },
    engine: '0.0.0-test',
  });
  return { ...(await executor.start(job, more.io ?? recorder()).ended), learnt };
}

describe('the verification of a result', () => {
  it('is completed when every check has answered, whatever they say', async () => {
    const io = recorder();
    const { outcome, receipts, learnt, log } = await verify('grep green state.txt', { io });
    expect(outcome).toMatchObject({
      kind: 'completed',
      summary: '1 of 2 checks passed.',
      claims: [],
      evidence: [{ status: 'passed' }, { status: 'failed' }],
    });
    expect(receipts.map(({ criterionId, verdict }) => [criterionId, verdict])).toEqual([
      ['c1', 'passed'],
      ['c2', 'wrong_exit'],
    ]);
    expect(learnt.map(({ criterionId, verdict }) => [criterionId, verdict])).toEqual([
      ['c1', 'wrong_exit'],
      ['c2', 'wrong_exit'],
    ]);
    expect(io.contents.get(log.hash)).toContain(
      'c1 passed (grep green state.txt, exit 0; base wrong_exit) [red_to_green]',
    );
  });

  it('is tried again when the set-up of the base fails', async () => {
    const setup: Setup = { run: 'echo offline; exit 1', inputs: [], network: 'none', timeoutSec: 60 };
    const { outcome, receipts } = await verify('true', { setup });
    expect(outcome).toMatchObject({
      kind: 'retryable',
      code: 'setup_failed',
      error: expect.stringContaining('offline'),
    });
    expect(receipts).toEqual([]);
  });

  it('ends with its time, and leaves no process and no checkout', async () => {
    const { outcome } = await verify('sleep 600', { timeLimitSec: 0.5 });
    expect(outcome).toMatchObject({ kind: 'retryable', code: 'timed_out' });
  });
});
