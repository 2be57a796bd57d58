import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { untrusted } from '../../../context/untrusted.ts';
import type { Message } from '../../../core/index.ts';
import type { ToolAnswer, ToolCall } from '../../../model/index.ts';
import type { AgentPorts, Interrupted } from '../agent-ports.ts';
import { canonicalCall } from '../permissions/canonical-call.ts';
import { decidePermission, type PermissionCall } from '../permissions/decide-permission.ts';
import { patternFor } from '../permissions/pattern-for.ts';
import { type Policy, parsePolicy } from '../permissions/policy.ts';
import { briefCall, MOST_CALL_CHARS, wholeCall } from '../permissions/said-call.ts';
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
  /** Lays out what came with a message of a person, where the tools find it. */
  attach(files: Message['attachments']): Promise<void>;
  /** One line for the transcript. */
  note(line: string): Promise<void>;
  /** `<run>:<n>`, for Operations. */
  newOperationId(): string;
}

/** What a call came to; `stop` ends the Run after its answer. */
export interface Called {
  readonly answer: ToolAnswer;
  /** It changed the workspace or the world, or may have: a shell line does not say. */
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
/** What a cut may leave of a character; providers refuse it. */
const HALF_CHARACTER = /\p{Cs}/gu;
/** What a tool that was told to end may take for it: after its own time is over, and when the Run ends. */
const GRACE_MS = Object.freeze({ late: 500, ended: 10_000 });

const answerOf = ({ id, name }: ToolCall, text: string, isError = false): ToolAnswer => ({
  callId: id,
  name,
  text,
  isError,
});

export const refusal = (call: ToolCall, text: string): Called => ({ answer: answerOf(call, text, true), wrote: false });

/** The first line, as far as a note shows it; a cut says so. */
function noteLine(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return line.length <= NOTE_CHARS ? line : `${line.slice(0, NOTE_CHARS - 1).replace(HALF_CHARACTER, '')}…`;
}

/** A call that is not carried out stands in the transcript, so that a person sees what was tried; it may be quoted. */
export async function noteRefusal(refused: Called, { note, context }: ToolKit): Promise<Called> {
  const text = context.redact(refused.answer.text);
  await note(`  ✗ ${refused.answer.name}: ${noteLine(text)}`);
  return { ...refused, answer: { ...refused.answer, text } };
}

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
  await kit.note(`» ${call.name} ${noteLine(tool.subject(input))}`.trimEnd());
  const refused = await permit(ready, kit);
  if (refused) return noteRefusal(refused, kit);
  const operationId = capability === 'acts_outside' ? kit.newOperationId() : undefined;
  if (operationId !== undefined) {
    const stop = await kit.ports.beginOperation(operationId, whatActs(ready, kit), call.name);
    if (stop) return { ...refusal(call, stop.error), stop };
  }
  const output = await run(ready, kit);
  const uncertain = operationId !== undefined && (await settleOperation(operationId, output, kit));
  const answer = await deliver(call, output, kit);
  await kit.note(noteOf(answer, output));
  const wrote = (output.wrote?.length ?? 0) > 0 || (capability !== 'reads' && output.wrote === undefined);
  const stop = stopAfter(call, answer, uncertain, output.abandoned === true && capability !== 'reads');
  return { answer, wrote, ...(stop ? { stop } : {}) };
}

/** Redacted before it is cut, for half a secret is not known as one. */
const saidWhole = ({ call, tool, input }: ReadyCall, { context }: ToolKit): string =>
  context.redact(wholeCall(tool.subject(input), call, input));

const whatActs = (ready: ReadyCall, kit: ToolKit): string =>
  `${ready.call.name} ${briefCall(saidWhole(ready, kit))}`.trimEnd();

/** What may have acted, or may still be writing, is not gone on with (E10). */
function stopAfter({ name }: ToolCall, { text }: ToolAnswer, uncertain: boolean, hangs: boolean): Stop | undefined {
  const said = text.slice(0, 500);
  if (uncertain) {
    const error = `Nobody knows whether ${name} took effect: ${said}`;
    return { kind: 'failed', code: 'effect_unknown', error };
  }
  return hangs ? { kind: 'failed', code: 'tool_hangs', error: `${name} may still be writing: ${said}` } : undefined;
}

const permissionOf = ({ call, tool, input, capability }: ReadyCall, { context, attended }: ToolKit): PermissionCall => {
  const { mode, workspacePath, projectPath } = context;
  return { tool: call.name, capability, mode, subject: tool.subject(input), attended, workspacePath, projectPath };
};

/** Whether it only reads and needs nobody's leave: then it may run beside others. */
export const standsBeside = (ready: ReadyCall, kit: ToolKit): boolean =>
  ready.capability === 'reads' && decidePermission(kit.policy, permissionOf(ready, kit)).decision !== 'ask';

/** Allowed, allowed by a person before, or asked now; a refusal is an answer to the model (D16). */
async function permit(ready: ReadyCall, kit: ToolKit): Promise<Called | undefined> {
  const { call, input } = ready;
  const asked = permissionOf(ready, kit);
  const { subject, workspacePath, projectPath: directory } = asked;
  const { decision, reason } = decidePermission(kit.policy, asked);
  if (decision === 'allow') return undefined;
  if (decision === 'deny') return refusal(call, `Not allowed: ${reason}`);
  // The next generation works in another clone at the same place of the project: its leave still fits.
  const canonical = canonicalCall(call.name, input, relative(workspacePath, directory) || '.');
  const key = createHash('sha256').update(canonical.key).digest('hex');
  if (await kit.ports.useGrant(key)) return undefined;
  const allowed = widened(kit.policy, await kit.ports.patterns());
  if (decidePermission(allowed, asked).decision === 'allow') return undefined;
  const rule = patternFor({ tool: call.name, subject, workspacePath, projectPath: directory });
  const pattern = rule ? JSON.stringify(rule) : '';
  const whole = saidWhole(ready, kit);
  if (whole.length > MOST_CALL_CHARS) return refusal(call, tooLongToAsk(call.name, whole.length));
  const line = briefCall(whole) || call.name;
  await kit.note(`? asks for leave: ${reason}`);
  const approval = await kit.ports.approve({
    tool: call.name,
    call: line,
    whole,
    directory,
    key,
    pattern,
    risk: reason,
  });
  if (approval.kind === 'interrupted') return { ...refusal(call, approval.error), stop: approval };
  if (approval.kind === 'denied') return refusal(call, `A person refused this call. ${approval.words}`.trim());
  if (approval.kind === 'unanswered') {
    const question = `Waits for leave to use ${call.name}: ${line}`;
    return { ...refusal(call, 'Nobody has answered yet.'), stop: { kind: 'waiting', question } };
  }
  if (await kit.ports.useGrant(key)) return undefined;
  return refusal(call, 'The leave for this call was used already. Ask again.');
}

/** Nobody is asked to allow what they cannot be shown in full. */
const tooLongToAsk = (tool: string, chars: number): string =>
  `A person has to allow this call of ${tool}, and reads it in full before: at most ${MOST_CALL_CHARS} characters. ` +
  `It has ${chars}, so nobody was asked and nothing was done. Make smaller calls, or write files first and name them.`;

/** Rules that a person allowed for this Action go before the others, and may only allow. */
function widened(policy: Policy, patterns: readonly string[]): Policy {
  const rules = patterns.flatMap((pattern) => {
    const parsed = parsePolicy({ rules: [JSON.parse(pattern)] });
    return parsed.ok ? parsed.policy.rules.filter(({ decide }) => decide === 'allow') : [];
  });
  return { ...policy, rules: [...rules, ...policy.rules] };
}

/** `abandoned`: it was told to end, and goes on all the same. */
type Ran = ToolOutput & { readonly abandoned?: boolean };

class Abandoned extends Error {}

/** A tool that fails inside, or does not end in time, has an answer too. */
async function run({ tool, input, capability }: ReadyCall, { context }: ToolKit): Promise<Ran> {
  const late = AbortSignal.timeout(tool.timeoutMs);
  const signal = AbortSignal.any([context.signal, late]);
  const mayHaveActed = capability === 'acts_outside' ? { effect: 'unknown' as const } : {};
  try {
    return await unlessAbandoned(tool.run(input, { ...context, signal }), signal, late);
  } catch (error) {
    const why = late.aborted ? `it did not end within ${tool.timeoutMs / 1_000} s` : String(error);
    const left = error instanceof Abandoned ? { abandoned: true } : {};
    return { text: `The tool failed: ${why}`, isError: true, ...mayHaveActed, ...left };
  }
}

/** A tool that ignores its signal is not waited for (E11). */
function unlessAbandoned<T>(work: Promise<T>, signal: AbortSignal, late: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (): void => {
      timer = setTimeout(() => reject(new Abandoned()), late.aborted ? GRACE_MS.late : GRACE_MS.ended);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  });
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
  for (const hash of output.kept ?? []) kept.add(hash);
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
  const end = text.slice(-RESULT_CHARS / 4).replace(HALF_CHARACTER, '');
  const start = text.slice(0, RESULT_CHARS - RESULT_CHARS / 4).replace(HALF_CHARACTER, '');
  return `${start}\n[… ${text.length - RESULT_CHARS} characters left out …]\n${end}\n[the whole: read_output ref ${hash}]`;
}

function noteOf({ text, isError }: ToolAnswer, { wrote }: ToolOutput): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const files = wrote && wrote.length > 0 ? ` wrote ${wrote.slice(0, 5).join(', ')}` : '';
  return `${isError ? '  ✗' : '  ✓'}${files} ${first.slice(0, NOTE_CHARS)}`;
}
