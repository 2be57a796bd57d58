import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { attachmentOf, type Checked, found, problem, quote, resolvePlace } from '../../path-safety.ts';
import type { AgentTool, AttachedFile, ToolContext, ToolOutput } from '../../tool.ts';
import { type FileTarget, readBounded } from './open-file.ts';
import { refused, refusedPath } from './refusal.ts';
import { fitLines, isBinary, linesOf, readableText, sliceChars } from './text.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_LINES = 3_000;
const MAX_OUTPUT_BYTES = 30 * 1024;
/** Of one line among others. */
const MAX_LINE_CHARS = 2_000;
/** Of the one line that is asked for by column; three bytes a character still fit the output. */
const MAX_COLUMN_CHARS = 9_000;

const input = z.strictObject({
  path: z.string().describe('File, relative to the project folder; or attachment:NAME'),
  offset: z.int().min(1).optional().describe('First line to show, from 1'),
  limit: z.int().min(1).max(MAX_LINES).optional().describe('Lines to show, at most 3000'),
  column: z.int().min(1).optional().describe('For one very long line: shows only line `offset`, from this character'),
});

type ReadInput = z.infer<typeof input>;

export const readTool: AgentTool<ReadInput> = {
  name: 'read',
  description:
    'Shows a text file with line numbers. At most 3000 lines and 30 KiB at a time (the answer says where to go on), files up to 10 MiB. Not for pictures (view_image) or folders (list).',
  input,
  capability: () => 'reads',
  subject: ({ path }) => path,
  timeoutMs: 30_000,
  run,
};

async function run(asked: ReadInput, context: ToolContext): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  const target = await fileTarget(asked.path, context);
  if (!target.ok) return refusedPath(target.problem);
  const bytes = await readBounded(target.value, MAX_FILE_BYTES);
  if (!bytes.ok) return refusedPath(bytes.problem);
  if (isBinary(bytes.value)) return binary(asked.path, bytes.value.length);
  const { text, lossy } = readableText(bytes.value);
  const shown = show(linesOf(text), asked);
  return lossy ? { ...shown, text: `${shown.text}\n(Some bytes are not UTF-8 and are shown as \uFFFD.)` } : shown;
}

/** What `read` and `view_image` may open: a file of the workspace, or an attachment. */
export async function fileTarget(path: string, context: ToolContext): Promise<Checked<FileTarget>> {
  const attachment = attachmentOf(path, context.attachments);
  if (attachment === undefined) return resolvePlace(path, context);
  return attachment.ok ? attachedTarget(attachment.value) : attachment;
}

async function attachedTarget(file: AttachedFile): Promise<Checked<FileTarget>> {
  const shown = `attachment:${file.name}`;
  try {
    // Our own folder may be reached through a link; the attachment itself may not be one.
    const real = `${await realpath(dirname(file.path))}${file.path.slice(dirname(file.path).length)}`;
    return found({ real, shown, stats: await lstat(real) });
  } catch {
    return problem('not_found', `The attachment ${quote(file.name)} is gone. Go on without it and say so.`);
  }
}

function binary(path: string, size: number): ToolOutput {
  const advice = 'Use view_image for a picture, or a shell command that understands the format.';
  return refused('binary', `Expected text at ${quote(path)}, found ${size} bytes that are not text. ${advice}`);
}

function show(lines: readonly string[], asked: ReadInput): ToolOutput {
  const { offset = 1, limit = MAX_LINES, column } = asked;
  if (lines.length === 0) return { text: '(The file is empty.)' };
  if (offset > lines.length) {
    return refused(
      'bad_offset',
      `Expected a line up to ${lines.length}, the last one, found ${offset}. Use a smaller offset.`,
    );
  }
  if (column !== undefined) return showColumns(lines[offset - 1] ?? '', offset, column);
  const wanted = lines.slice(offset - 1, offset - 1 + limit).map((line, index) => numbered(line, offset + index));
  const { text, taken } = fitLines(wanted, MAX_OUTPUT_BYTES);
  const next = offset + taken;
  const more = `\n(Lines ${offset} to ${next - 1} of ${lines.length}. Go on with offset ${next}.)`;
  return { text: next <= lines.length ? text + more : text };
}

function numbered(line: string, number: number): string {
  if (line.length <= MAX_LINE_CHARS) return `${number}\t${line}`;
  const start = sliceChars(line, 0, MAX_LINE_CHARS);
  return `${number}\t${start}… (${line.length} characters; the rest with offset ${number}, column ${start.length + 1})`;
}

function showColumns(line: string, number: number, column: number): ToolOutput {
  if (column > line.length) {
    return refused('bad_offset', `Line ${number} has ${line.length} characters; column ${column} is behind its end.`);
  }
  const part = sliceChars(line, column - 1, MAX_COLUMN_CHARS);
  const next = column + part.length;
  const more = `… (${line.length} characters; the rest with offset ${number}, column ${next})`;
  return { text: `${number}\t${part}${next <= line.length ? more : ''}` };
}
