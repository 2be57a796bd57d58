import { z } from 'zod';
import type { Outcome } from '../../../../core/model/outcome.ts';
import type { Job } from '../../../executor.ts';
import { parseOutcome } from '../../../outcome/parse-outcome.ts';
import { type AgentTool, asTool } from '../../tool.ts';

/** Flat, because providers want an object at the top; what belongs together is checked afterwards. */
const input = z.object({
  outcome: z.enum(['completed', 'waiting', 'retryable', 'failed']).describe('How this Action ends.'),
  summary: z.string().optional().describe('For people: what was done or found. Required when completed.'),
  evidence: z
    .array(
      z.object({
        kind: z.enum(['text', 'tool', 'test', 'file', 'link', 'pr', 'commit']),
        label: z.string().describe('What you saw, in a sentence.'),
        ref: z.string().optional(),
        status: z.enum(['completed', 'passed', 'failed', 'error', 'pending']).optional(),
      }),
    )
    .optional()
    .describe('What your words rest on; at least one when completed.'),
  claims: z
    .array(
      z.object({
        criterion: z.string().describe('Id of a criterion, such as c1.'),
        status: z.enum(['passed', 'failed', 'deferred', 'not_applicable']),
        evidence: z.string(),
      }),
    )
    .optional()
    .describe('One for each criterion that this Action is for. The engine runs checks itself and believes nobody.'),
  outputs: z
    .array(z.object({ kind: z.enum(['file', 'link', 'pr', 'commit']), ref: z.string() }))
    .optional()
    .describe('Files (relative paths), links, pull requests and commits that you made.'),
  review: z.enum(['approved', 'changes_requested']).optional().describe('Required when a review is completed.'),
  question: z.string().optional().describe('Required when waiting.'),
  error: z.string().optional().describe('Required when retryable or failed.'),
  code: z.string().optional().describe('A short word for the kind of failure.'),
});

export const SUBMIT_OUTCOME = 'submit_outcome';

/** The one way to end a Run (D22). The loop reads its input; it is never run. */
export const submitOutcomeTool: AgentTool = asTool({
  name: SUBMIT_OUTCOME,
  description:
    'Ends this Action. completed: the work is done and you saw that it is; waiting: you need an answer from a person; ' +
    'retryable: something passing went wrong; failed: it cannot be done like this. The engine checks what you claim.',
  input,
  capability: () => 'controls',
  subject: () => '',
  timeoutMs: 1_000,
  run: async () => ({ text: '' }),
});

/** Models fill in what they leave out: null, or no words at all. */
function withoutBlanks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''));
}

/** What only a completed outcome has. */
const OF_COMPLETED: ReadonlySet<string> = new Set(['evidence', 'claims', 'outputs', 'review']);

/** Proof beside another outcome proves nothing, and is not held against it: the tool shows all fields at once. */
function withoutIdleProof(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('outcome' in given)) return given;
  if (given.outcome === 'completed') return given;
  return Object.fromEntries(Object.entries(given).filter(([key]) => !OF_COMPLETED.has(key)));
}

/** The outcome that the model submitted, or what is wrong with it. */
export function readOutcome(
  given: unknown,
  job: Pick<Job, 'spec' | 'contract'>,
  secrets: readonly string[],
): Outcome | readonly string[] {
  const read = parseOutcome(JSON.stringify(withoutIdleProof(withoutBlanks(given))), {
    criterionIds: job.contract.criteria.map(({ id }) => id),
    for: job.spec.for,
    isReview: job.spec.type === 'review',
    needsEvidence: true,
    secrets,
  });
  return read.kind === 'outcome' ? read.outcome : read.complaints;
}
