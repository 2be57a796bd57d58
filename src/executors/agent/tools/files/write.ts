import { z } from 'zod';
import { quote, resolvePlace } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { applyChanges } from './apply-changes.ts';
import { notRegular } from './open-file.ts';
import { refused, refusedPath } from './refusal.ts';
import { linesOf } from './text.ts';

const MAX_CONTENT_BYTES = 10 * 1024 * 1024;

const input = z.strictObject({
  path: z.string().describe('File to create or replace, relative to the project folder'),
  content: z.string().describe('The whole text of the file'),
});

type WriteInput = z.infer<typeof input>;

export const writeTool: AgentTool<WriteInput> = {
  name: 'write',
  description:
    'Creates a file or replaces its whole text; missing folders are made. At most 10 MiB. To change a part of a file, use edit or apply_patch.',
  input,
  capability: () => 'writes',
  subject: ({ path }) => path,
  timeoutMs: 30_000,
  run,
};

async function run({ path, content }: WriteInput, context: ToolContext): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_CONTENT_BYTES) {
    return refused('too_large', `Expected at most ${MAX_CONTENT_BYTES} bytes, found ${bytes.length}. Split the file.`);
  }
  const place = await resolvePlace(path, context);
  if (!place.ok) return refusedPath(place.problem);
  const { value: target } = place;
  const wrong = target.stats === undefined ? undefined : notRegular(target);
  if (wrong?.ok === false) return refusedPath(wrong.problem);
  if (path.endsWith('/'))
    return refused('is_directory', `Expected a file, found ${quote(path)}, which names a folder.`);
  const done = await applyChanges([{ kind: 'put', target, content: bytes }], context);
  if (!done.ok) return refusedPath(done.problem);
  const verb = target.stats === undefined ? 'Created' : 'Replaced';
  const text = `${verb} ${quote(target.shown)}: ${linesOf(content).length} lines, ${bytes.length} bytes.`;
  return { text, wrote: [target.shown] };
}
