import { z } from 'zod';
import { quote, resolvePlace } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { applyChanges } from './apply-changes.ts';
import { readBounded } from './open-file.ts';
import { refused, refusedPath } from './refusal.ts';
import { exactText, isBinary } from './text.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const SHOWN_LINES = 10;

const input = z.strictObject({
  path: z.string().describe('File to change, relative to the project folder'),
  old: z.string().describe('Text to replace, exactly as in the file, without line numbers; unique unless `all`'),
  new: z.string().describe('Text to put in its place'),
  all: z.boolean().optional().describe('Replace every occurrence'),
});

type EditInput = z.infer<typeof input>;

export const editTool: AgentTool<EditInput> = {
  name: 'edit',
  description:
    'Replaces one text in a file by another. `old` must be in the file exactly once (add surrounding lines until it is), or set `all`. Line ends of the file are kept.',
  input,
  capability: () => 'writes',
  subject: ({ path }) => path,
  timeoutMs: 30_000,
  run,
};

async function run(asked: EditInput, context: ToolContext): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  if (asked.old === '')
    return refused('empty_old', 'Expected a text to replace, found none. Use write for a new file.');
  if (asked.old === asked.new) return refused('no_change', 'Expected two different texts, found `old` equal to `new`.');
  const place = await resolvePlace(asked.path, context);
  if (!place.ok) return refusedPath(place.problem);
  const { value: target } = place;
  const bytes = await readBounded(target, MAX_FILE_BYTES);
  if (!bytes.ok) return refusedPath(bytes.problem);
  const text = isBinary(bytes.value) ? undefined : exactText(bytes.value);
  if (text === undefined)
    return refused('binary', `Expected UTF-8 text at ${quote(asked.path)}, found other bytes. Use a command.`);
  const edited = replaceIn(text, asked);
  if (!edited.ok) return edited.refusal;
  if (edited.text === text) return refused('no_change', 'The replacement would leave the file as it is.');
  const done = await applyChanges([{ kind: 'put', target, content: Buffer.from(edited.text) }], context);
  if (!done.ok) return refusedPath(done.problem);
  const where = edited.lines.length === 1 ? `line ${edited.lines[0]}` : `${edited.lines.length} places`;
  return { text: `Edited ${quote(target.shown)} at ${where}.`, wrote: [target.shown] };
}

type Edited =
  | { readonly ok: true; readonly text: string; readonly lines: readonly number[] }
  | { readonly ok: false; readonly refusal: ToolOutput };

function replaceIn(text: string, asked: EditInput): Edited {
  const { before, after } = withLineEnds(text, asked);
  const starts = occurrences(text, before);
  if (starts.length === 0) return { ok: false, refusal: notFound(text, asked) };
  const lines = lineNumbers(text, starts);
  if (starts.length > 1 && asked.all !== true) return { ok: false, refusal: notUnique(lines) };
  if (text.length + starts.length * (after.length - before.length) > MAX_FILE_BYTES) {
    const refusal = refused('too_large', `Expected a result of at most ${MAX_FILE_BYTES} bytes. Replace less.`);
    return { ok: false, refusal };
  }
  return { ok: true, text: text.split(before).join(after), lines };
}

/** Models write bare line feeds; where the file has CRLF, both texts are taken to mean that. */
function withLineEnds(text: string, asked: EditInput): { readonly before: string; readonly after: string } {
  const asIs = { before: asked.old, after: asked.new };
  if (!text.includes('\r\n') || asked.old.includes('\r') || asked.new.includes('\r')) return asIs;
  const mixed = /(^|[^\r])\n/.test(text);
  if (mixed && text.includes(asked.old)) return asIs;
  return { before: asked.old.replaceAll('\n', '\r\n'), after: asked.new.replaceAll('\n', '\r\n') };
}

function occurrences(text: string, part: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) starts.push(at);
  return starts;
}

function lineNumbers(text: string, starts: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return starts.map((start) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) {
      line += 1;
      from = at + 1;
    }
    return line;
  });
}

function notUnique(lines: readonly number[]): ToolOutput {
  const some = lines.slice(0, SHOWN_LINES).join(', ') + (lines.length > SHOWN_LINES ? ', …' : '');
  const advice = 'Add surrounding lines to `old`, or set `all`.';
  return refused('not_unique', `Expected \`old\` once, found it ${lines.length} times, at lines ${some}. ${advice}`);
}

function notFound(text: string, asked: EditInput): ToolOutput {
  const squeezed = (value: string) => value.replace(/\s+/g, ' ').trim();
  const near = squeezed(asked.old) !== '' && squeezed(text).includes(squeezed(asked.old));
  const what = near ? 'It is there with other white space.' : 'Nothing like it is there.';
  return refused(
    'old_not_found',
    `Expected \`old\` in ${quote(asked.path)}. ${what} Read the file and copy the text exactly.`,
  );
}
