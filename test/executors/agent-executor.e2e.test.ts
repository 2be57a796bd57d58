import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentRun } from '../../src/executors/agent/agent-executor.ts';
import { agentExecutor } from '../../src/executors/agent/agent-executor.ts';
import type { AgentPorts } from '../../src/executors/agent/agent-ports.ts';
import { DEFAULT_POLICY } from '../../src/executors/agent/permissions/policy.ts';
import type { AgentTool } from '../../src/executors/agent/tool.ts';
import { submitOutcomeTool } from '../../src/executors/agent/tools/control/submit-outcome.ts';
import type { ExecutorEnd } from '../../src/executors/executor.ts';
import { bare } from '../support/sandboxes.ts';
import { CONTRACT, calls, responseOf, type Said, specOf, submitted, tool } from './agent-support.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'wc-agent-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

interface Ran {
  readonly end: ExecutorEnd;
  readonly transcript: string;
  readonly closed: number;
  readonly offered: readonly string[];
}

const confinement = {
  enforcement: bare,
  parentEnvironment: {},
  hidden: [],
  readable: [],
  userHome: '/home/test',
  toolPaths: [],
  secrets: [],
};

/** One Run with its files in a real directory; the model answers one after the other. */
async function carry(
  says: readonly Said[],
  { tools = [], timeLimitSec = 600, signal }: { tools?: AgentTool[]; timeLimitSec?: number; signal?: AbortSignal } = {},
): Promise<Ran> {
  const contents = new Map<string, Buffer>();
  const putContent = async (bytes: Uint8Array) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    contents.set(hash, Buffer.from(bytes));
    return { hash, bytes: bytes.length };
  };
  let closed = 0;
  let offered: readonly string[] = [];
  const ports: AgentPorts = {
    ask: async (request, n) => {
      offered = request.tools.map(({ name }) => name);
      return { kind: 'responded', response: responseOf(says[n - 1] ?? {}, n) };
    },
    messages: async () => [],
    layOut: async () => [],
    beginOperation: async () => undefined,
    endOperation: async () => undefined,
    useGrant: async () => false,
    patterns: async () => [],
    approve: async () => ({ kind: 'denied', words: '' }),
    getContent: async (hash) => contents.get(hash),
  };
  const place = { mode: 'isolated-write', workspacePath: root, projectPath: root, runDir: join(root, 'run') } as const;
  const run: AgentRun = {
    setup: {
      model: 'scripted/test',
      system: '',
      task: [{ kind: 'text', text: 'The task.' }],
      messages: 0,
      tools: [...tools, submitOutcomeTool],
      policy: DEFAULT_POLICY,
      attended: true,
      maxOutputTokens: 1_000,
      contextTokens: 100_000,
    },
    place: {
      ...place,
      confinement,
      network: 'none',
      env: {},
      attachments: [],
      skillRoots: [],
      putContent,
      redact: (text) => text,
      onSpawned: async () => undefined,
      now: () => 0,
    },
    ports,
    secrets: ['hunter2'],
    close: async () => {
      closed += 1;
    },
  };
  const job = {
    ...place,
    itemId: 'w1',
    actionId: 'a',
    runId: 'r1',
    epoch: 1,
    attempt: 1,
    spec: specOf(),
    contract: CONTRACT,
    guidance: [],
    timeLimitSec,
    confinement,
  };
  const io = {
    onOutput: () => undefined,
    onSpawned: async () => undefined,
    putContent,
    signal: signal ?? new AbortController().signal,
    now: () => 0,
    log: () => undefined,
  };
  const end = await agentExecutor(run).start(job, io).ended;
  return { end, transcript: contents.get(end.log.hash)?.toString('utf8') ?? '', closed, offered };
}

/** A tool that works until it is told to stop. */
const patient = (begun: () => void = () => undefined): AgentTool =>
  tool(
    'patient',
    'reads',
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        begun();
      }),
  );

describe('a Run of the built-in agent', () => {
  it('leaves a transcript of words, calls, results and its end, redacted; what was started for it is closed', async () => {
    const look = tool('look', 'reads', ({ path }) => ({ text: `saw ${path} hunter2` }));
    const { end, transcript, closed, offered } = await carry(
      [{ text: 'I look first.', ...calls(['look', { path: 'a.txt' }]) }, submitted()],
      { tools: [look] },
    );
    expect(end.outcome).toMatchObject({ kind: 'completed', summary: 'Done.' });
    expect(transcript.split('\n')).toEqual([
      'I look first.',
      '» look a.txt',
      expect.stringMatching(/^ {2}✓ saw a\.txt /),
      '[completed] Done.',
      '',
    ]);
    expect(transcript).not.toContain('hunter2');
    expect(closed).toBe(1);
    expect(offered).toEqual(['look', 'submit_outcome', 'read_output']);
  });

  it('that takes too long is ended, its tool with it: timed_out', async () => {
    const { end, closed } = await carry([calls(['patient', {}])], { tools: [patient()], timeLimitSec: 0.02 });
    expect(end.outcome).toMatchObject({ kind: 'retryable', code: 'timed_out' });
    expect(closed).toBe(1);
  });

  it('that the engine ends says aborted, whatever its tool was doing', async () => {
    const abort = new AbortController();
    const stop = patient(() => abort.abort(new Error('stop')));
    const { end, closed } = await carry([calls(['patient', {}])], { tools: [stop], signal: abort.signal });
    expect(end.outcome).toMatchObject({ kind: 'retryable', code: 'aborted' });
    expect(closed).toBe(1);
  });

  it('counts its working time only: requests, tokens and money are charged call by call', async () => {
    const { end } = await carry([submitted()]);
    expect(end.usage).toMatchObject({ requests: 0, tokens: 0, costMicros: 0 });
    expect(end.usage.wallMs).toBeGreaterThanOrEqual(0);
  });
});
