/** A tool as it was called, and what it answered when that is known. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** What a stored answer of a model says. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | ({ readonly kind: 'tool_call' } & ToolUse);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

function partOf({ kind, text, id, name, input }: Fields): readonly AnswerPart[] {
  if (kind === 'text' || kind === 'reasoning') return textOf(text).trim() === '' ? [] : [{ kind, text: textOf(text) }];
  return kind === 'tool_call' ? [{ kind, id: textOf(id), name: textOf(name), input }] : [];
}

/** The parts of a stored answer in their order; none of bytes that are no answer. */
export const partsOf = (response: string): readonly AnswerPart[] => listOf(parsed(response).parts).flatMap(partOf);

/** What tools answered, by the id of the call, as a stored request repeats it. */
export function answersIn(request: string): ReadonlyMap<string, ToolAnswer> {
  const results = listOf(parsed(request).messages).flatMap(({ results: each }) => listOf(each));
  return new Map(
    results.map(({ callId, text, isError }) => [textOf(callId), { text: textOf(text), isError: isError === true }]),
  );
}

const TELLING = [
  'command',
  'cmd',
  'path',
  'pattern',
  'query',
  'url',
  'question',
  'summary',
  'outcome',
  'name',
  'operation',
] as const;
const MOST_CHARS = 160;

/** The files that a patch writes, or takes away, in its order. */
function patched(patch: string): string {
  const paths = patch.matchAll(/^(?:\+\+\+ b\/|--- a\/|\*\*\* \w+ File: )(?<path>[^\t\n]+)/gm);
  return [...new Set([...paths].map(({ groups }) => groups?.path ?? ''))].join(' ');
}

/** A tool's input in one line: the field that says most, else all of it. */
export function inputLine(input: unknown): string {
  if (!isFields(input)) return textOf(input);
  const telling = TELLING.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '');
  const line = textOf(telling) || patched(textOf(input.patch)) || JSON.stringify(input);
  const flat = line.replace(/\s+/g, ' ').trim();
  return flat.length > MOST_CHARS ? `${flat.slice(0, MOST_CHARS)}…` : flat;
}

/** JSON for reading; anything else as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
