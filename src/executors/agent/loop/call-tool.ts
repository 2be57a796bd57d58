import { createHash } from 'node:crypto';
import { untrusted } from '../../../context/untrusted.ts';
import type { ToolAnswer, ToolCall } from '../../../model/index.ts';
import type { AgentPorts, Interrupted } from '../agent-ports.ts';
import { canonicalCall } from '../permissions/canonical-call.ts';
import { decidePermission } from '../permissions/decide-permission.ts';
import { patternFor } from '../permissions/pattern-for.ts';
import { type Policy, parsePolicy } from '../permissions/policy.ts';
import type { AgentTool, Capability, ToolContext, ToolOutput } from '../tool.ts';

/** What the calls of one Run share. */
export interface ToolKit {
  readonly tools: readonly AgentTool[];
  readonly context: ToolContext;
  readonly policy: Policy;
  readonly attended: boolean;
  readonly ports: AgentPorts;
  /** Whole results that were cut, by their hash: what `read_output` may page through. */
  readonly kept: Set<string>;
  /** One line for the transcript. */
  note(line: string): Promise<void>;
  /** `<run>:<n>`, for Operations. */
  newOperationId(): string;
}

/** What a call came to; `stop` ends the Run after its answer. */
export interface Called {
  readonly answer: ToolAnswer;
  readonly wrote: boolean;
  readonly stop?: Stop;
}

export type Stop =
  | Readonly<{ kind: 'failed'; code: string; error: string }>
  /** A person has not answered in time (D16). */
  | Readonly<{ kind: 'waiting'; question: string }>
  | Interrupted;

/** A call whose tool and input are known. */
export interface ReadyCall {
  readonly call: ToolCall;
  readonly tool: AgentTool;
  readonly input: unknown;
  readonly capability: Capability;
}

const RESULT_CHARS = 32 * 1024;
const NOTE_CHARS = 200;

const answerOf = ({ id, name }: ToolCall, text: string, isError = false): ToolAnswer => ({
  callId: id,
  name,
  text,
  isError,
});

export const refusal = (call: ToolCall, text: string): Called => ({ answer: answerOf(call, text, true), wrote: false });

/** Finds the tool and reads its input; a call that makes no sense is answered, not carried out. */
export function readyCall(call: ToolCall, kit: ToolKit): ReadyCall | Called {
  const tool = kit.tools.find(({ name }) => name === call.name);
  if (!tool) {
    return refusal(call, `There is no tool ${call.name}. There are: ${kit.tools.map(({ name }) => name).join(', ')}.`);
  }
  if ('unparsable' in call.input)
    return refusal(call, 'The arguments are not JSON. Send them again as one JSON object.');
  const read = tool.input.safeParse(call.input);
  if (!read.success) {
    const problems = read.error.issues
      .slice(0, 8)
      .map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    return refusal(call, `The arguments do not fit ${call.name}:\n${problems.join('\n')}`);
  }
  return { call, tool, input: read.data, capability: tool.capability(read.data, kit.context) };
}

/** Permission, ledger, the call itself, its result: in this order, each before the next (chapter 3 §12.2). */
export async function callTool(ready: ReadyCall, kit: ToolKit): Promise<Called> {
  const { call, tool, input, capability } = ready;
  await kit.note(`» ${call.name} ${tool.subject(input).split('\n')[0]?.slice(0, NOTE_CHARS) ?? ''}`.trimEnd());
  const refused = await permit(ready, kit);
  if (refused) return refused;
  const operationId = capability === 'acts_outside' ? kit.newOperationId() : undefined;
  if (operationId !== undefined) {
    const what = `${call.name} ${tool.subject(input)}`.slice(0, 500);
    const stop = await kit.ports.beginOperation(operationId, what, call.name);
    if (stop) return { ...refusal(call, stop.error), stop };
  }
  const output = await run(ready, kit);
  const uncertain = operationId !== undefined && (await settleOperation(operationId, output, kit));
  const answer = await deliver(call, output, kit);
  await kit.note(noteOf(answer, output));
  const wrote = (output.wrote?.length ?? 0) > 0 || (capability !== 'reads' && output.wrote === undefined);
  if (!uncertain) return { answer, wrote };
  const error = `Nobody knows whether ${call.name} took effect: ${output.text.slice(0, 500)}`;
  return { answer, wrote, stop: { kind: 'failed', code: 'effect_unknown', error } };
}

/** Allowed, allowed by a person before, or asked now; a refusal is an answer to the model (D16). */
async function permit({ call, tool, input, capability }: ReadyCall, kit: ToolKit): Promise<Called | undefined> {
  const { mode, workspacePath, projectPath } = kit.context;
  const subject = tool.subject(input);
  const asked = { tool: call.name, capability, mode, subject, attended: kit.attended, workspacePath, projectPath };
  const { decision, reason } = decidePermission(kit.policy, asked);
  if (decision === 'allow') return undefined;
  if (decision === 'deny') return refusal(call, `Not allowed: ${reason}`);
  const { key: whole, directory } = canonicalCall(call.name, input, projectPath);
  const key = createHash('sha256').update(whole).digest('hex');
  if (await kit.ports.useGrant(key)) return undefined;
  const allowed = widened(kit.policy, await kit.ports.patterns());
  if (decidePermission(allowed, asked).decision === 'allow') return undefined;
  const rule = patternFor({ tool: call.name, subject, workspacePath, projectPath });
  const pattern = rule ? JSON.stringify(rule) : '';
  const line = `${subject || call.name}`.split('\n')[0]?.slice(0, 300) ?? call.name;
  await kit.note(`? asks for leave: ${reason}`);
  const approval = await kit.ports.approve({ tool: call.name, call: line, directory, key, pattern, risk: reason });
  if (approval.kind === 'interrupted') return { ...refusal(call, approval.error), stop: approval };
  if (approval.kind === 'denied') return refusal(call, `A person refused this call. ${approval.words}`.trim());
  if (approval.kind === 'unanswered') {
    const question = `Waits for leave to use ${call.name}: ${line}`;
    return { ...refusal(call, 'Nobody has answered yet.'), stop: { kind: 'waiting', question } };
  }
  if (await kit.ports.useGrant(key)) return undefined;
  return refusal(call, 'The leave for this call was used already. Ask again.');
}

/** Rules that a person allowed for this Action go before the others, and may only allow. */
function widened(policy: Policy, patterns: readonly string[]): Policy {
  const rules = patterns.flatMap((pattern) => {
    const parsed = parsePolicy({ rules: [JSON.parse(pattern)] });
    return parsed.ok ? parsed.policy.rules.filter(({ decide }) => decide === 'allow') : [];
  });
  return { ...policy, rules: [...rules, ...policy.rules] };
}

/** A tool that fails inside, or does not end in time, has an answer too. */
async function run({ tool, input, capability }: ReadyCall, { context }: ToolKit): Promise<ToolOutput> {
  const late = AbortSignal.timeout(tool.timeoutMs);
  const signal = AbortSignal.any([context.signal, late]);
  const mayHaveActed = capability === 'acts_outside' ? { effect: 'unknown' as const } : {};
  try {
    return await tool.run(input, { ...context, signal });
  } catch (error) {
    const why = late.aborted ? `it did not end within ${tool.timeoutMs / 1_000} s` : String(error);
    return { text: `The tool failed: ${why}`, isError: true, ...mayHaveActed };
  }
}

const EFFECTS = { none: 'not_applied', unknown: 'unknown' } as const;

/** Answers whether its effect is unknown: then the Run ends, and a person is asked (E10). */
async function settleOperation(id: string, { effect }: ToolOutput, { ports }: ToolKit): Promise<boolean> {
  const became = effect === undefined ? 'applied' : EFFECTS[effect];
  await ports.endOperation(id, became);
  return became === 'unknown';
}

/** Redacted, marked as foreign where it is, and cut with a pointer to the whole (D38, X6). */
async function deliver(call: ToolCall, output: ToolOutput, { context, kept }: ToolKit): Promise<ToolAnswer> {
  const text = context.redact(output.text);
  const shown = await cut(text, context, kept);
  return {
    callId: call.id,
    name: call.name,
    text: output.foreign ? untrusted(call.name, shown) : shown,
    isError: output.isError ?? false,
    ...(output.images && output.images.length > 0 ? { images: output.images } : {}),
  };
}

async function cut(text: string, context: ToolContext, kept: Set<string>): Promise<string> {
  if (text.length <= RESULT_CHARS) return text;
  const { hash } = await context.putContent(Buffer.from(text));
  kept.add(hash);
  const end = text.slice(-RESULT_CHARS / 4);
  const start = text.slice(0, RESULT_CHARS - end.length);
  return `${start}\n[… ${text.length - RESULT_CHARS} characters left out …]\n${end}\n[the whole: read_output ref ${hash}]`;
}

function noteOf({ text, isError }: ToolAnswer, { wrote }: ToolOutput): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const files = wrote && wrote.length > 0 ? ` wrote ${wrote.slice(0, 5).join(', ')}` : '';
  return `${isError ? '  ✗' : '  ✓'}${files} ${first.slice(0, NOTE_CHARS)}`;
}
