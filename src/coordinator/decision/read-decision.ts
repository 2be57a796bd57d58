import type { z } from 'zod';
import type { ModelResponse, ToolCall } from '../../model/index.ts';
import type { Problem } from './complaints.ts';
import { DECIDE_TOOL } from './decide-tool.ts';
import { decisionSchema, type WrittenDecision } from './schema.ts';

/** What the model decided, in its own words; or everything that is wrong with the form of its answer. */
export type Read = Readonly<
  { kind: 'written'; decision: WrittenDecision } | { kind: 'complaints'; complaints: readonly Problem[] }
>;

const complain = (path: string, expected: string, found: string): Read => ({
  kind: 'complaints',
  complaints: [{ path, expected, found }],
});

const ONE_CALL = `exactly one call of ${DECIDE_TOOL.name}`;

/** Reads an answer. Exactly one call of the one tool counts; words beside it are ignored. */
export function readDecision({ toolCalls, text, stop }: ModelResponse): Read {
  const [call, ...others] = toolCalls;
  if (stop === 'length')
    return complain('', `${ONE_CALL}, shorter than the output limit`, 'an answer that was cut off');
  if (!call) return complain('', ONE_CALL, text.trim() === '' ? 'an empty answer' : 'words without a call');
  if (others.length > 0) return complain('', ONE_CALL, `${toolCalls.length} calls`);
  if (call.name !== DECIDE_TOOL.name) return complain('', ONE_CALL, `a call of ${call.name}`);
  return readArguments(call.input);
}

const isUnparsable = (input: ToolCall['input']): input is { readonly unparsable: string } =>
  typeof input.unparsable === 'string' && Object.keys(input).length === 1;

function readArguments(input: ToolCall['input']): Read {
  if (isUnparsable(input)) return complain('', 'arguments that are one JSON object', `${input.unparsable.slice(-120)}`);
  const parsed = decisionSchema.safeParse(input);
  if (parsed.success) return { kind: 'written', decision: parsed.data };
  return { kind: 'complaints', complaints: parsed.error.issues.flatMap((issue) => complaintsOf(issue, input)) };
}

type Issue = z.core.$ZodIssue;

function complaintsOf(issue: Issue, input: unknown): readonly Problem[] {
  const path = pathText(issue.path);
  const found = foundText(valueAt(input, issue.path));
  if (issue.code !== 'unrecognized_keys') return [{ path, expected: expectedText(issue), found }];
  return issue.keys.map((key) => ({
    path: path === '' ? key : `${path}.${key}`,
    expected: 'no such field',
    found: key,
  }));
}

/** In our own words, so that a model reads the same whatever the library says. */
function expectedText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `a value of type ${issue.expected}`;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_union':
      return `one of ${decisionKinds.join(', ')}`;
    default:
      return issue.message;
  }
}

const decisionKinds = decisionSchema.shape.decisions.element.options.map(({ shape }) => [...shape.kind.values].join());

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };
const unitOf = (origin: string): string => (Object.hasOwn(UNITS, origin) ? (UNITS[origin] ?? '') : '');

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    input,
  );
}

function foundText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `${value.length} entries`;
  if (typeof value === 'string') return value.length > 80 ? `${value.length} characters` : JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
