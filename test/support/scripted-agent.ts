import type { ModelMessage } from '../../src/model/index.ts';
import type { Reply, ScriptedRequest, ScriptedStep } from '../../src/testing.ts';

/** One decision of a scripted Coordinator. */
export interface ScriptedDecision {
  readonly reply?: string;
  readonly reason?: string;
  readonly title?: string;
  readonly decisions: readonly Readonly<Record<string, unknown>>[];
}

export const decide = ({
  reply = 'Going on.',
  reason = 'It is the next justified step.',
  ...rest
}: ScriptedDecision): Reply => ({ toolCalls: [{ name: 'decide', input: { reply, reason, ...rest } }] });

/** An Action of a scripted Coordinator; what is not said is usual. */
export const commission = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  type: 'implement',
  name: `Work on ${id}`,
  objective: `Make ${id} true`,
  approach: 'Write the smallest change that does it.',
  expectedOutcome: 'The check of the criterion passes.',
  for: [],
  rationale: `Nothing has been done for ${id} yet.`,
  workspaceMode: 'isolated-write',
  ...more,
});

export const create = (...actions: readonly Readonly<Record<string, unknown>>[]) => ({
  kind: 'create_actions',
  actions,
});
export const complete = (summary = 'Everything is proven.') => ({ kind: 'complete', summary, residualRisks: [] });

const isCoordinator = /You are the Coordinator/i;

/** Answers the turns of the Coordinator in their order; the last one again and again. */
export function coordinator(...turns: readonly (Reply | ((request: ScriptedRequest) => Reply))[]): ScriptedStep {
  let at = 0;
  return {
    name: 'coordinator',
    when: { tools: ['decide'] },
    reply: (request) => {
      const turn = turns[Math.min(at, turns.length - 1)];
      at += 1;
      return typeof turn === 'function' ? turn(request) : (turn ?? decide({ decisions: [complete()] }));
    },
  };
}

export { isCoordinator };

/** How many answers the model has given in this conversation. */
export const turnsOf = (messages: readonly ModelMessage[]): number =>
  messages.filter(({ role }) => role === 'assistant').length;

/** An agent that is known by a sentence of its task and answers with one reply after the other. */
export const agent = (
  task: RegExp,
  ...replies: readonly (Reply | ((request: ScriptedRequest) => Reply))[]
): ScriptedStep => ({
  name: `agent ${task.source}`,
  when: { tools: ['submit_outcome'], conversation: task },
  reply: (request) => {
    const reply = replies[Math.min(turnsOf(request.messages), replies.length - 1)];
    return typeof reply === 'function' ? reply(request) : (reply ?? {});
  },
});

export const call = (name: string, input: Readonly<Record<string, unknown>>): Reply => ({
  toolCalls: [{ name, input }],
});
export const write = (path: string, content: string): Reply => call('write', { path, content });

export const submit = (summary = 'Done.', more: Readonly<Record<string, unknown>> = {}): Reply =>
  call('submit_outcome', {
    outcome: 'completed',
    summary,
    evidence: [{ kind: 'text', label: 'I looked at the file that I wrote.' }],
    ...more,
  });
