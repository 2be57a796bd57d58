import { z } from 'zod';
import type { Place } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { applyChanges, type FileChange } from './apply-changes.ts';
import { type PlannedFile, planFile } from './plan-patch.ts';
import { type FilePatch, readPatch } from './read-patch.ts';
import { refused, refusedPath } from './refusal.ts';

const MAX_PATCH_CHARS = 1024 * 1024;
const MAX_FILES = 200;

const input = z.strictObject({
  patch: z
    .string()
    .max(MAX_PATCH_CHARS)
    .describe('Unified diff with --- and +++ lines, paths relative to the project folder'),
});

type PatchInput = z.infer<typeof input>;

/** `beforeEach` is for tests: see {@link applyChanges}. */
export function createApplyPatchTool(
  hooks: { readonly beforeEach?: (target: Place) => Promise<void> } = {},
): AgentTool<PatchInput> {
  return {
    name: 'apply_patch',
    description:
      'Applies a unified diff to one or more files: changes, new files (--- /dev/null), deletions (+++ /dev/null), git renames. Every hunk is checked first; all files are changed or none.',
    input,
    capability: () => 'writes',
    subject: ({ patch }) => pathsOf(patch).join('\n'),
    timeoutMs: 60_000,
    run: ({ patch }, context) => run(patch, context, hooks),
  };
}

export const applyPatchTool = createApplyPatchTool();

/** Every path that the patch names, as it names it. */
function pathsOf(patch: string): string[] {
  const files = readPatch(patch);
  if (!files.ok) return [];
  return [...new Set(files.value.flatMap(({ from, to }) => [from, to]).filter((path) => path !== undefined))];
}

async function run(
  text: string,
  context: ToolContext,
  hooks: { readonly beforeEach?: (target: Place) => Promise<void> },
): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  const files = readPatch(text);
  if (!files.ok) return refusedPath(files.problem);
  if (files.value.length > MAX_FILES) {
    return refused('bad_patch', `Expected at most ${MAX_FILES} files, found ${files.value.length}. Split the patch.`);
  }
  const planned = await planAll(files.value, context);
  if (planned.problems.length > 0) {
    return refused(
      'bad_patch',
      `Nothing was changed. ${planned.problems.join('\n')}\nRead the files and make the patch anew.`,
    );
  }
  const changes = planned.files.flatMap((file) => file.changes);
  const twice = namedTwice(changes);
  if (twice !== undefined)
    return refused('bad_patch', `Nothing was changed. ${twice} is in the patch twice; put its hunks together.`);
  const done = await applyChanges(changes, { ...context, ...hooks });
  if (!done.ok) return refusedPath(done.problem);
  return {
    text: planned.files.map((file) => file.summary).join('\n'),
    wrote: changes.map(({ target }) => target.shown),
  };
}

/** Looks at every file, so that one answer tells all that is wrong. */
async function planAll(patches: readonly FilePatch[], context: ToolContext) {
  const files: PlannedFile[] = [];
  const problems: string[] = [];
  for (const patch of patches) {
    context.signal.throwIfAborted();
    const planned = await planFile(patch, context);
    if (planned.ok) files.push(planned.value);
    else problems.push(`${planned.problem.code}: ${planned.problem.message}`);
  }
  return { files, problems };
}

function namedTwice(changes: readonly FileChange[]): string | undefined {
  const shown = changes.map(({ target }) => target.shown);
  return shown.find((path, index) => shown.indexOf(path) !== index);
}
