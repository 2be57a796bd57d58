import { z } from 'zod';
import { type Evidence, OUTCOME_LIMITS } from '../../core/model/outcome.ts';

const text = z.string().trim().min(1);
const label = text.transform((value) => value.slice(0, OUTCOME_LIMITS.evidenceChars));
const item = z.union([
  label.transform((value): Evidence => ({ kind: 'text', label: value })),
  z
    .object({ tool: label, isError: z.boolean().optional() })
    .transform(
      ({ tool, isError }): Evidence => ({
        kind: 'tool',
        label: tool,
        status: isError === true ? 'error' : 'completed',
      }),
    ),
  z
    .object({
      kind: z.enum(['text', 'tool', 'test', 'file', 'link', 'pr', 'commit']),
      label,
      ref: text.max(1_000).optional().catch(undefined),
      status: z.enum(['completed', 'passed', 'failed', 'error', 'pending']).optional().catch(undefined),
    })
    .transform(
      ({ kind, label: words, ref, status }): Evidence => ({
        kind,
        label: words,
        ...(ref === undefined ? {} : { ref }),
        ...(status === undefined ? {} : { status }),
      }),
    ),
]);

/** The evidence items that have a usable shape, at most as many as an outcome may carry; others are skipped. */
export function normaliseEvidence(given: readonly unknown[]): Evidence[] {
  const usable = given.flatMap((value) => {
    const parsed = item.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return usable.slice(0, OUTCOME_LIMITS.evidenceMax);
}
