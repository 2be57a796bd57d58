import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ActionSpec, Contract, Message } from '../../src/core/index.ts';
import type { AgentPorts, Approval, ApprovalRequest, Asked } from '../../src/executors/agent/agent-ports.ts';
import type { AgentSetup } from '../../src/executors/agent/agent-setup.ts';
import { type AgentEnd, agentLoop } from '../../src/executors/agent/loop/agent-loop.ts';
import type { ToolKit } from '../../src/executors/agent/loop/call-tool.ts';
import { DEFAULT_POLICY, type Policy } from '../../src/executors/agent/permissions/policy.ts';
import { type AgentTool, asTool, type Capability, type ToolOutput } from '../../src/executors/agent/tool.ts';
import { askHumanTool } from '../../src/executors/agent/tools/control/ask-human.ts';
import { readOutputTool } from '../../src/executors/agent/tools/control/read-output.ts';
import { submitOutcomeTool } from '../../src/executors/agent/tools/control/submit-outcome.ts';
import type { ModelMessage, ModelRequest, ModelResponse, ToolAnswer, ToolCall } from '../../src/model/index.ts';
import { bare } from '../support/sandboxes.ts';

/** One answer of the model: words, calls (`name` and arguments), why it stopped. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, input: ToolCall['input']])[];
  readonly stop?: ModelResponse['stop'];
}

export const calls = (...list: NonNullable<Said['calls']>): Said => ({ calls: list });

export const submitted = (more: Readonly<Record<string, unknown>> = {}): Said =>
  calls([
    'submit_outcome',
    { outcome: 'completed', summary: 'Done.', evidence: [{ kind: 'text', label: 'I looked.' }], ...more },
  ]);

export function responseOf({ text = '', calls: made = [], stop }: Said, n: number): ModelResponse {
  const toolCalls = made.map(([name, input], index): ToolCall => {
    return { kind: 'tool_call', id: `c${n}-${index + 1}`, name, input };
  });
  const words = text === '' ? [] : [{ kind: 'text', text } as const];
  return { text, toolCalls, parts: [...words, ...toolCalls], stop: stop ?? (made.length > 0 ? 'tool_use' : 'end') };
}

/** A tool that does what a test says; it takes any object. */
export const tool = (
  name: string,
  capability: Capability,
  run: (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => ToolOutput | Promise<ToolOutput>,
  more: Partial<Pick<AgentTool, 'timeoutMs' | 'input' | 'inputSchema'>> = {},
): AgentTool =>
  asTool<Record<string, unknown>>({
    name,
    description: `Does what ${name} says.`,
    input: z.record(z.string(), z.unknown()),
    capability: () => capability,
    subject: ({ path, command, url }) => String(path ?? command ?? url ?? ''),
    timeoutMs: 60_000,
    run: async (input, { signal }) => run(input, signal),
    ...more,
  } as AgentTool<Record<string, unknown>>);

/** One Run of the loop, without engine, store or model: everything that it asks for is given by the test. */
export interface Stage {
  readonly tools?: readonly AgentTool[];
  /** The last one is repeated. A function is given the number of the request, from 1, and the request. */
  readonly says: readonly (Said | ((n: number, request: ModelRequest) => Said))[];
  readonly policy?: Policy;
  readonly spec?: Partial<ActionSpec>;
  readonly contextTokens?: number;
  readonly task?: string;
  /** Messages of people; a test adds to it while the loop runs. */
  readonly inbox?: readonly Message[];
  /** How many of them the Mainline holds already. */
  readonly told?: number;
  readonly approve?: (request: ApprovalRequest) => Approval | Promise<Approval>;
  readonly ports?: Partial<AgentPorts>;
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Played {
  readonly end: AgentEnd;
  /** Every request as it was when it was made. */
  readonly requests: readonly ModelRequest[];
  readonly notes: readonly string[];
  /** `begin id what`, `end id effect`, `grant key`. */
  readonly ledger: readonly string[];
  readonly approvals: readonly ApprovalRequest[];
  readonly grants: Set<string>;
  readonly attached: readonly string[];
}

export const message = (id: string, text: string, more: Partial<Message> = {}): Message => ({
  id,
  text,
  attachments: [],
  ...more,
});

const NEVER_ASKED = (): Approval => {
  throw new Error('no approval was expected');
};

export async function play(stage: Stage): Promise<Played> {
  const requests: ModelRequest[] = [];
  const notes: string[] = [];
  const ledger: string[] = [];
  const approvals: ApprovalRequest[] = [];
  const attached: string[] = [];
  const contents = new Map<string, Uint8Array>();
  const grants = new Set<string>();
  const secrets = stage.secrets ?? [];
  const ports: AgentPorts = {
    ask: async (request, n): Promise<Asked> => {
      requests.push(structuredClone(request));
      const said = stage.says[Math.min(n, stage.says.length) - 1];
      return {
        kind: 'responded',
        response: responseOf(typeof said === 'function' ? said(n, request) : (said ?? {}), n),
      };
    },
    messages: async () => [...(stage.inbox ?? [])],
    layOut: async (files) =>
      files.map(({ name, mediaType, bytes }) => ({ name, path: `/run/${name}`, mediaType, bytes })),
    beginOperation: async (id, what) => void ledger.push(`begin ${id} ${what}`),
    endOperation: async (id, effect) => void ledger.push(`end ${id} ${effect}`),
    useGrant: async (key) => grants.delete(key),
    patterns: async () => [],
    approve: async (request) => {
      approvals.push(request);
      const answer = await (stage.approve ?? NEVER_ASKED)(request);
      if (answer.kind === 'granted') grants.add(request.key);
      return answer;
    },
    getContent: async (hash) => contents.get(hash),
    ...stage.ports,
  };
  const kept = new Set<string>();
  let operations = 0;
  const own = [readOutputTool(ports, kept), askHumanTool, submitOutcomeTool];
  const kit: ToolKit = {
    tools: [...(stage.tools ?? []), ...own],
    policy: stage.policy ?? DEFAULT_POLICY,
    attended: true,
    ports,
    kept,
    attach: async (files) => void attached.push(...files.map(({ name }) => name)),
    note: async (line) => void notes.push(line),
    newOperationId: () => {
      operations += 1;
      return `run:${operations}`;
    },
    context: {
      signal: stage.signal ?? new AbortController().signal,
      mode: stage.spec?.workspace ?? 'isolated-write',
      workspacePath: '/w',
      projectPath: '/w',
      runDir: '/run',
      confinement: {
        enforcement: bare,
        parentEnvironment: {},
        hidden: [],
        readable: [],
        userHome: '/home/test',
        toolPaths: [],
        secrets,
      },
      network: 'none',
      env: {},
      attachments: [],
      skillRoots: [],
      putContent: async (bytes) => {
        const hash = createHash('sha256').update(bytes).digest('hex');
        contents.set(hash, bytes);
        return { hash, bytes: bytes.byteLength };
      },
      redact: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text),
      onSpawned: async () => undefined,
      now: () => 0,
    },
  };
  const end = await agentLoop({
    job: { spec: specOf(stage.spec), contract: CONTRACT },
    setup: setupOf(stage, kit.tools),
    kit,
    secrets,
  });
  return { end, requests, notes, ledger, approvals, grants, attached };
}

const setupOf = (stage: Stage, tools: readonly AgentTool[]): AgentSetup => ({
  model: 'scripted/test',
  system: 'You are a test.',
  task: [{ kind: 'text', text: stage.task ?? 'The task.' }],
  messages: stage.told ?? 0,
  tools,
  policy: stage.policy ?? DEFAULT_POLICY,
  attended: true,
  maxOutputTokens: 1_000,
  contextTokens: stage.contextTokens ?? 100_000,
});

export const CONTRACT: Contract = {
  title: 'Test',
  goal: 'A test.',
  criteria: [
    { id: 'c1', version: 1, text: 'One.', minProof: 'self' },
    { id: 'c2', version: 1, text: 'Two.', minProof: 'self' },
  ],
  delivery: { target: 'response' },
  directory: '/p',
  workspace: 'isolated',
};

export const specOf = (more: Partial<ActionSpec> = {}): ActionSpec => ({
  type: 'implement',
  name: 'Test it',
  brief: { objective: 'Test.' },
  for: ['c1'],
  dependsOn: [],
  workspace: 'isolated-write',
  executor: { kind: 'agent', vp: 'implementer', assigned: 'fixed' },
  effects: 'none',
  env: {},
  timeoutSec: 600,
  silenceSec: 0,
  maxAttempts: 3,
  sandbox: { network: 'none', readable: [], writable: [] },
  ...more,
});

/** What a request shows the model of the calls before it, in order. */
export const answersIn = ({ messages }: Pick<ModelRequest, 'messages'>): readonly ToolAnswer[] =>
  messages.flatMap((each) => (each.role === 'tool' ? each.results : []));

export const userTexts = ({ messages }: Pick<ModelRequest, 'messages'>): readonly string[] =>
  messages.flatMap((each) =>
    each.role === 'user' ? each.parts.map((part) => ('text' in part ? part.text : `(${part.kind})`)) : [],
  );

/** What is wrong with the pairing of calls and answers; nothing when each call is answered at once, in order. */
export function pairingProblems(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap((each, at) => {
    if (each.role === 'tool') return messages[at - 1]?.role === 'assistant' ? [] : [`answers without calls at ${at}`];
    if (each.role !== 'assistant') return [];
    const made = each.parts.flatMap((part) => (part.kind === 'tool_call' ? [part.id] : []));
    const next = messages[at + 1];
    const answered = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
    const isSame = made.length === answered.length && made.every((id, index) => id === answered[index]);
    return isSame ? [] : [`calls ${made.join()} at ${at} were answered by ${answered.join()}`];
  });
}
