import { z } from 'zod';
import { quote } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { readBounded } from './open-file.ts';
import { fileTarget } from './read.ts';
import { refused, refusedPath } from './refusal.ts';

/** What providers take of one picture. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const KINDS: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const input = z.strictObject({
  path: z.string().describe('Picture, relative to the project folder; or attachment:NAME'),
});

type ViewInput = z.infer<typeof input>;

export const viewImageTool: AgentTool<ViewInput> = {
  name: 'view_image',
  description: 'Shows a picture: PNG, JPEG, GIF or WebP of at most 5 MiB, from the project or an attachment.',
  input,
  capability: () => 'reads',
  subject: ({ path }) => path,
  timeoutMs: 30_000,
  run,
};

async function run({ path }: ViewInput, context: ToolContext): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  const target = await fileTarget(path, context);
  if (!target.ok) return refusedPath(target.problem);
  const bytes = await readBounded(target.value, MAX_IMAGE_BYTES);
  if (!bytes.ok) return refusedPath(bytes.problem);
  // By its first bytes: the name may say anything. Loaded here, since few Runs ever look at a picture.
  const { fileTypeFromBuffer } = await import('file-type');
  const mediaType = (await fileTypeFromBuffer(bytes.value))?.mime;
  if (mediaType === undefined || !KINDS.has(mediaType)) {
    const what = mediaType ?? 'something else';
    return refused(
      'not_an_image',
      `Expected PNG, JPEG, GIF or WebP at ${quote(path)}, found ${what}. Convert it, or use read for text.`,
    );
  }
  const text = `${quote(path)}: ${mediaType}, ${bytes.value.length} bytes.`;
  return { text, images: [{ mediaType, data: bytes.value.toString('base64') }] };
}
