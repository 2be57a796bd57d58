import { z } from 'zod';
import { type AgentTool, asTool } from '../../tool.ts';

const input = z.strictObject({
  question: z.string().trim().min(1).max(8_000).describe('One question that a person can answer in a sentence.'),
});

export const ASK_HUMAN = 'ask_human';

/** Ends the Run with a question; the answer starts another one that knows it (D16). */
export const askHumanTool: AgentTool = asTool({
  name: ASK_HUMAN,
  description:
    'Asks a person what only a person can know or decide. The Run ends here; your work is kept, and you go on when the ' +
    'answer has come. Look for the answer in the project first.',
  input,
  capability: () => 'controls',
  subject: () => '',
  timeoutMs: 1_000,
  run: async () => ({ text: '' }),
});

/** The question, or undefined when there is none. */
export function readQuestion(given: unknown): string | undefined {
  const read = input.safeParse(given);
  return read.success ? read.data.question : undefined;
}
