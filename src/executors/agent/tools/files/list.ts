import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { z } from 'zod';
import { isProtected, resolvePlace } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { type OpenFolder, openFolder } from './open-file.ts';
import { refusedPath } from './refusal.ts';
import { fitLines, oneLine } from './text.ts';

const MAX_ENTRIES = 1_000;
const MAX_OUTPUT_BYTES = 30 * 1024;
const LOOKED_AT_ONCE = 64;

const input = z.strictObject({
  path: z.string().optional().describe('Folder, relative to the project folder; the project folder without it'),
  hidden: z.boolean().optional().describe('Also names that start with a dot; true without it'),
});

type ListInput = z.infer<typeof input>;

export const listTool: AgentTool<ListInput> = {
  name: 'list',
  description:
    'Lists one folder: folders with a slash, links with where they lead, files with their size. At most 1000 entries.',
  input,
  capability: () => 'reads',
  subject: ({ path }) => path ?? '.',
  timeoutMs: 30_000,
  run,
};

async function run({ path = '.', hidden = true }: ListInput, context: ToolContext): Promise<ToolOutput> {
  const place = await resolvePlace(path, context);
  if (!place.ok) return refusedPath(place.problem);
  const folder = await openFolder(place.value);
  if (!folder.ok) return refusedPath(folder.problem);
  try {
    return await listing(folder.value, hidden, context.signal);
  } finally {
    await folder.value.close();
  }
}

async function listing(folder: OpenFolder, hidden: boolean, signal: AbortSignal): Promise<ToolOutput> {
  const names = (await readdir(folder.self))
    .filter((name) => !isProtected(name) && (hidden || !name.startsWith('.')))
    .sort();
  if (names.length === 0) return { text: '(The folder is empty.)' };
  const lines: string[] = [];
  for (let at = 0; at < Math.min(names.length, MAX_ENTRIES); at += LOOKED_AT_ONCE) {
    signal.throwIfAborted();
    const some = names.slice(at, Math.min(at + LOOKED_AT_ONCE, MAX_ENTRIES));
    lines.push(...(await Promise.all(some.map((name) => describe(folder, name)))));
  }
  const { text, taken } = fitLines(lines, MAX_OUTPUT_BYTES);
  const cut = taken < names.length ? `\n(${taken} of ${names.length} entries. Use glob to find the others.)` : '';
  return { text: text + cut };
}

async function describe(folder: OpenFolder, name: string): Promise<string> {
  const stats = await lstat(folder.at(name)).catch(() => undefined);
  if (stats === undefined) return `${oneLine(name)} (gone)`;
  if (stats.isSymbolicLink()) return `${oneLine(name)} -> ${oneLine(await readlink(folder.at(name)).catch(() => '?'))}`;
  return `${oneLine(name)}${kindOf(stats)}`;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return '/';
  return stats.isFile() ? `  ${stats.size} bytes` : '  (device, pipe or socket)';
}
