import { mkdir } from 'node:fs/promises';
import { NO_USAGE, type Outcome } from '../../core/model/outcome.ts';
import { runFiles } from '../command/run-files.ts';
import { type Executor, type ExecutorEnd, type Job, type RunIo, startJob } from '../executor.ts';
import { openRunLog, type RunLog } from '../run-log.ts';
import { type ActiveTime, activeTime } from './active-time.ts';
import type { AgentPorts } from './agent-ports.ts';
import type { AgentSetup, ToolPlace } from './agent-setup.ts';
import { type AgentEnd, agentLoop } from './loop/agent-loop.ts';
import type { ToolKit } from './loop/call-tool.ts';
import { readOutputTool } from './tools/control/read-output.ts';

/** One Run of the built-in agent: what it is made of, where its tools work, what it may ask of the engine. */
export interface AgentRun {
  readonly setup: AgentSetup;
  readonly place: ToolPlace;
  readonly ports: AgentPorts;
  readonly secrets: readonly string[];
  /** Ends what was started for it: MCP servers. Called once, whatever happened. */
  close(): Promise<void>;
}

/** Carries out Actions with the built-in agent (chapter 3 §8). Its transcript is the log of the Run. */
export function agentExecutor(run: AgentRun): Executor {
  return { start: (job, io) => startJob(io, (signal) => runAgent(run, job, io, signal)) };
}

async function runAgent(run: AgentRun, job: Job, io: RunIo, signal: AbortSignal): Promise<ExecutorEnd> {
  await mkdir(job.runDir, { recursive: true });
  const log = await openRunLog({ path: runFiles(job.runDir).log, secrets: run.secrets, io });
  const time = activeTime(job.timeLimitSec * 1_000);
  let end: AgentEnd;
  try {
    end = await work(run, job, log, AbortSignal.any([signal, time.signal]), time);
    if (end.kind === 'outcome') await log.note(`[${end.outcome.kind}] ${wordsOf(end.outcome)}`.trimEnd());
    else await log.note(`[${end.code}] ${end.error}`);
  } catch (error) {
    await log.discard();
    throw error;
  } finally {
    time.stop();
    await run.close();
  }
  return executorEnd(end, await log.store(), time.usedMs());
}

const wordsOf = (outcome: Outcome): string =>
  outcome.kind === 'completed' ? outcome.summary : outcome.kind === 'waiting' ? outcome.question : outcome.error;

async function work(run: AgentRun, job: Job, log: RunLog, signal: AbortSignal, time: ActiveTime): Promise<AgentEnd> {
  const kit = kitOf(run, job, log, signal, time);
  try {
    return await agentLoop({ job, setup: { ...run.setup, tools: kit.tools }, kit, secrets: run.secrets });
  } catch (error) {
    if (time.signal.aborted) return timedOut(job.timeLimitSec);
    if (signal.aborted) return { kind: 'outcome', outcome: ABORTED };
    throw error;
  }
}

/** Never the engine's words: whoever aborted it knows better. */
const ABORTED: Outcome = { kind: 'retryable', code: 'aborted', error: 'It was ended while it worked.' };

const timedOut = (limitSec: number): AgentEnd => ({
  kind: 'outcome',
  outcome: { kind: 'retryable', code: 'timed_out', error: `It did not end within ${limitSec} s of working time.` },
});

function kitOf(
  { setup, place, ports }: AgentRun,
  job: Job,
  log: RunLog,
  signal: AbortSignal,
  time: ActiveTime,
): ToolKit {
  const kept = new Set<string>();
  const attachments = [...place.attachments];
  let operations = 0;
  return {
    tools: [...setup.tools, readOutputTool(ports, kept)],
    context: { ...place, attachments, signal },
    policy: setup.policy,
    attended: setup.attended,
    // Waiting for a person stops the clock of the Run (D16).
    ports: { ...ports, approve: (request) => time.without(() => ports.approve(request)) },
    kept,
    attach: async (files) => {
      attachments.push(...(await ports.layOut(files)));
    },
    note: (line) => log.note(line),
    newOperationId: () => {
      operations += 1;
      return `${job.runId}:${operations}`;
    },
  };
}

function executorEnd(end: AgentEnd, log: ExecutorEnd['log'], usedMs: number): ExecutorEnd {
  // Requests, tokens and money are charged call by call.
  const usage = { ...NO_USAGE, wallMs: Math.round(usedMs) };
  if (end.kind === 'outcome') return { outcome: end.outcome, log, usage, receipts: [] };
  const { code, error, park } = end;
  const interrupted = { code, error, ...(park ? { park } : {}) };
  return { outcome: { kind: 'retryable', code, error }, interrupted, log, usage, receipts: [] };
}
