import { z } from 'zod';
import type { AgentPorts } from '../../agent-ports.ts';
import { type AgentTool, asTool } from '../../tool.ts';

const PAGE_CHARS = 24_000;
const HALF_CHARACTER = /\p{Cs}/gu;
/** Two units make one character; a page ends behind the second. */
const FIRST_HALF_LAST = /[\ud800-\udbff]$/;

const input = z.strictObject({
  ref: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The reference that stood where a result was cut.'),
  offset: z.number().int().min(0).default(0).describe('Characters to skip.'),
});

export const READ_OUTPUT = 'read_output';

/** Pages through a result that was cut: nothing an agent has caused to be printed is out of its reach (M7). */
export function readOutputTool({ getContent }: Pick<AgentPorts, 'getContent'>, known: ReadonlySet<string>): AgentTool {
  return asTool({
    name: READ_OUTPUT,
    description: 'Reads more of a tool result that was cut, by the reference in its last line.',
    input,
    capability: () => 'reads',
    subject: () => '',
    timeoutMs: 10_000,
    async run({ ref, offset }) {
      const body = known.has(ref) ? await getContent(ref) : undefined;
      if (!body) return { text: `No result of this Run has the reference ${ref}.`, isError: true };
      const text = Buffer.from(body).toString('utf8');
      const page = text.slice(offset, offset + PAGE_CHARS).replace(FIRST_HALF_LAST, '');
      const left = text.length - offset - page.length;
      const more = left > 0 ? `\n[${left} characters more; offset ${offset + page.length}]` : '';
      // Whose words they are is not on record any more; the strictest holds.
      return { text: `${page.replace(HALF_CHARACTER, '')}${more}`, foreign: true };
    },
  });
}
