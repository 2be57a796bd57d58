import { join, relative } from 'node:path';
import { z } from 'zod';
import { writeVp } from '../../../../vp/index.ts';
import { type AgentTool, asTool } from '../../tool.ts';

const input = z.strictObject({
  id: z.string().min(1).max(64).describe('Lower-case letters, digits, - and _.'),
  name: z.string().min(1).max(120),
  role: z.string().min(1).max(200).describe('One line: what this VP is for.'),
  capabilities: z.array(z.string().min(1).max(64)).min(1).max(20),
  traits: z.array(z.string().min(1).max(80)).max(20).optional(),
  persona: z.string().min(1).max(12_000).describe('Markdown: how it works, what it never does.'),
});

/** Writes a VP of the project into the workspace (D34); offered to Actions of the type `create_vp` only. */
export function createVpTool(taken: readonly string[]): AgentTool {
  return asTool({
    name: 'create_vp',
    description: 'Writes a new VP file (.workcenter/vps/ID.md) of this project. Refuses ids that exist.',
    input,
    capability: () => 'writes',
    subject: ({ id }) => `.workcenter/vps/${id}.md`,
    timeoutMs: 10_000,
    async run(given, { projectPath, workspacePath }) {
      const { traits, ...rest } = given;
      const folder = join(projectPath, '.workcenter', 'vps');
      const draft = { ...rest, ...(traits === undefined ? {} : { traits }) };
      const written = await writeVp(draft, { kind: 'project', folder, within: projectPath, taken });
      if (written.kind === 'refused') return { text: `${written.message} ${written.next}`, isError: true };
      const path = relative(workspacePath, written.path);
      return { text: `Wrote ${path}.`, wrote: [path] };
    },
  });
}
