import { z } from 'zod';
import { untrusted } from '../../../context/untrusted.ts';
import type { Message, Outcome } from '../../../core/index.ts';
import type {
  ModelMessage,
  ModelRequest,
  ModelResponse,
  ToolAnswer,
  ToolCall,
  ToolDefinition,
  UserPart,
} from '../../../model/index.ts';
import type { Job } from '../../executor.ts';
import type { Interrupted } from '../agent-ports.ts';
import type { AgentSetup } from '../agent-setup.ts';
import type { AgentTool } from '../tool.ts';
import { ASK_HUMAN, readQuestion } from '../tools/control/ask-human.ts';
import { readOutcome, SUBMIT_OUTCOME } from '../tools/control/submit-outcome.ts';
import type { Stop, ToolKit } from './call-tool.ts';
import { History } from './history.ts';
import { ProgressWatch } from './no-progress.ts';
import { runBatch } from './run-batch.ts';

/** How a Run of the agent ends: by its own word, or because the engine or the model could not go on. */
export type AgentEnd = Readonly<{ kind: 'outcome'; outcome: Outcome }> | Interrupted;

/**
 * A submission that cannot be used, once in a Run (D22); in a row: words without a call, an answer that was cut off
 * (E13).
 */
const PATIENCE = Object.freeze({ malformed: 1, silent: 1, cutOff: 3 });

export interface LoopJob {
  readonly job: Pick<Job, 'spec' | 'contract'>;
  readonly setup: AgentSetup;
  readonly kit: ToolKit;
  readonly secrets: readonly string[];
}

/** A request was sent, and nobody knows its answer: a person says whether to go on (D11). */
export const LOST_CALL = 'model_call_unknown';

const ended = (outcome: Outcome): AgentEnd => ({ kind: 'outcome', outcome });
const failed = (code: string, error: string): AgentEnd => ended({ kind: 'failed', code, error });
const retryable = (code: string, error: string, summary: string): AgentEnd =>
  ended({ kind: 'retryable', code, error, summary });

/**
 * The built-in agent. Context in, tool calls, safe boundaries, an outcome out:
 *
 * 1. at the boundary: what people have written joins the conversation, old results make room;
 * 2. one durable request to the model;
 * 3. its calls, reads side by side, writes alone; then again from 1,
 *
 * until it submits an outcome, asks a person, or cannot go on. Nothing in here knows clocks, stores or sockets.
 */
export async function agentLoop(loop: LoopJob): Promise<AgentEnd> {
  const { setup, kit } = loop;
  const history = new History(setup.task, setup.contextTokens);
  const watch = new ProgressWatch();
  const left = { ...PATIENCE };
  const tools = setup.tools.map(definitionOf);
  let heard = setup.messages;
  for (let n = 1; ; n += 1) {
    kit.context.signal.throwIfAborted();
    heard = await hear(history, kit, heard);
    const room = history.makeRoom();
    for (const { tool, chars } of room.evicted)
      await kit.note(`[left out of the context: ${chars} characters of ${tool}]`);
    if (!room.fits) return failed('context_too_long', 'What this Action needs at once does not fit into a request.');
    const asked = await kit.ports.ask(requestOf(setup, tools, history), n, heard);
    if (asked.kind === 'interrupted') return asked;
    if (asked.kind === 'lost') return { kind: 'interrupted', code: LOST_CALL, error: asked.error };
    if (asked.kind === 'failed') return failed(asked.code, asked.error);
    const { response } = asked;
    if (response.parts.length > 0) history.add({ role: 'assistant', parts: response.parts });
    if (response.text.trim() !== '') await kit.note(response.text.trim());
    const step = response.toolCalls.length === 0 ? nudge(response, left) : await act(loop, response, watch, left);
    if ('messages' in step) history.add(...step.messages);
    // The last words of a person are heard before it ends by its own word (I7).
    else if (!step.answers || (await kit.ports.messages()).length <= heard) return step.end;
    else history.add({ role: 'tool', results: step.answers });
  }
}

/** `answers`: to all calls of an ending by its own word, which does not count while a person is writing. */
type Step =
  | { readonly end: AgentEnd; readonly answers?: readonly ToolAnswer[] }
  | { readonly messages: readonly ModelMessage[] };

const userText = (text: string) => ({ role: 'user', parts: [{ kind: 'text', text } as const] }) as const;

/** Messages join between turns, never between a call and its answer, each exactly once (D15). */
async function hear(history: History, kit: ToolKit, heard: number): Promise<number> {
  const messages = await kit.ports.messages();
  for (const message of messages.slice(heard)) {
    if (message.attachments.length > 0) await kit.attach(message.attachments);
    history.add({ role: 'user', parts: messageParts(message) });
    await kit.note(`« ${message.text.split('\n')[0] ?? ''}`);
  }
  return Math.max(heard, messages.length);
}

function messageParts({ text, quote, attachments }: Message): readonly UserPart[] {
  const files = attachments.map(({ name }) => `Attached: attachment:${name} (read it with read or view_image)`);
  const said = quote ? untrusted(`quoted from ${quote.from}`, quote.text) : '';
  const words = `A person writes to you while you work:\n\n${text}`;
  return [{ kind: 'text', text: [words, said, ...files].filter((part) => part !== '').join('\n\n') }];
}

function requestOf(setup: AgentSetup, tools: readonly ToolDefinition[], history: History): ModelRequest {
  const { model, effort, system, maxOutputTokens } = setup;
  return {
    model,
    system,
    messages: history.messages,
    tools,
    toolChoice: 'auto',
    maxOutputTokens,
    ...(effort === undefined ? {} : { effort }),
  };
}

/** What the model is shown of a tool. */
export function definitionOf({ name, description, input, inputSchema }: AgentTool): ToolDefinition {
  return { name, description, inputSchema: inputSchema ?? schemaOf(input) };
}

/** Made once for each shape: all of them together would hold up the process at the start of every Run. */
const schemas = new WeakMap<z.ZodType, ToolDefinition['inputSchema']>();

function schemaOf(input: z.ZodType): ToolDefinition['inputSchema'] {
  const known = schemas.get(input);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  schemas.set(input, schema);
  return schema;
}

type Left = { malformed: number; silent: number; cutOff: number };

/** Words alone end nothing: "done" in prose is not done (P10). */
function nudge({ text, stop }: ModelResponse, left: Left): Step {
  if (stop === 'length' && left.cutOff > 0) {
    left.cutOff -= 1;
    return { messages: [userText('Your answer was cut off. Go on where it ended.')] };
  }
  if (left.silent > 0) {
    left.silent -= 1;
    return { messages: [userText(`That ended nothing. Go on with a tool call, or end with ${SUBMIT_OUTCOME}.`)] };
  }
  const error = `It ended without ${SUBMIT_OUTCOME}; what it only says is not believed.`;
  return { end: retryable('no_outcome', error, text.slice(0, 4_000)) };
}

/** Carries out what the model asked for, up to a call that ends the Run. */
async function act(loop: LoopJob, response: ModelResponse, watch: ProgressWatch, left: Left): Promise<Step> {
  const { toolCalls } = response;
  left.silent = PATIENCE.silent;
  left.cutOff = PATIENCE.cutOff;
  const final = toolCalls.findIndex(({ name }) => name === SUBMIT_OUTCOME || name === ASK_HUMAN);
  const before = final === -1 ? toolCalls : toolCalls.slice(0, final);
  const batch = await runBatch(before, loop.kit, watch);
  if (batch.stop) return { end: stopped(batch.stop) };
  const call = toolCalls[final];
  const reminders = batch.reminders.map(userText);
  if (!call) return { messages: [{ role: 'tool', results: batch.answers }, ...reminders] };
  const verdict = finish(loop, call, response.text);
  const rest = toolCalls.slice(final + 1).map((skipped) => answer(skipped, 'Not carried out.'));
  const answers = (text: string) => [...batch.answers, answer(call, text), ...rest];
  if ('end' in verdict) return { ...verdict, answers: answers('Not yet: a person has written to you.') };
  if (left.malformed === 0) return { end: retryable('malformed_outcome', verdict.complaints, response.text) };
  left.malformed -= 1;
  return { messages: [{ role: 'tool', results: answers(`It was not accepted:\n${verdict.complaints}`) }] };
}

const answer = ({ id, name }: ToolCall, text: string): ToolAnswer => ({ callId: id, name, text, isError: true });

function stopped(stop: Stop): AgentEnd {
  if (stop.kind === 'interrupted') return stop;
  if (stop.kind === 'waiting') return ended({ kind: 'waiting', question: stop.question });
  return failed(stop.code, stop.error);
}

type Verdict = { readonly end: AgentEnd } | { readonly complaints: string };

function finish({ job, secrets, kit }: LoopJob, { name, input }: ToolCall, text: string): Verdict {
  if ('unparsable' in input) return { complaints: 'Its arguments are not JSON.' };
  if (name === ASK_HUMAN) {
    const question = readQuestion(input);
    if (question === undefined) return { complaints: 'question: 1..8000 characters' };
    return waiting(kit.context.redact(question), text);
  }
  const outcome = readOutcome(input, job, secrets);
  return 'kind' in outcome ? { end: ended(outcome) } : { complaints: outcome.join('\n') };
}

const waiting = (question: string, summary: string): Verdict => ({
  end: ended({ kind: 'waiting', question, ...(summary.trim() === '' ? {} : { summary: summary.slice(0, 4_000) }) }),
});
