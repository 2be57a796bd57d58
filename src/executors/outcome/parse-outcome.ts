import { z } from 'zod';
import { type CriterionClaim, OUTCOME_LIMITS, type Outcome } from '../../core/model/outcome.ts';
import { redact } from '../../text/redact.ts';
import { normaliseEvidence } from './normalise-evidence.ts';
import { normaliseOutputs } from './normalise-outputs.ts';

const summary = z.string().max(OUTCOME_LIMITS.summaryChars);
const said = z.string().trim().min(1).max(OUTCOME_LIMITS.errorChars);
const code = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a short word such as rate_limited');
const claim = z.strictObject({
  criterion: z.string(),
  status: z.enum(['passed', 'failed', 'deferred', 'not_applicable']),
  evidence: z.string().trim().min(1).max(OUTCOME_LIMITS.evidenceChars),
});
const output = z.strictObject({ kind: z.enum(['file', 'link', 'pr', 'commit']), ref: z.string().min(1) });

/** What an executor says at its end: the file named by `WORKCENTER_OUTCOME`, the input of `submit_outcome` (D22). */
const outcomeFile = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('completed'),
    summary: summary.trim().min(1),
    evidence: z.array(z.unknown()).optional(),
    claims: z.array(claim).optional(),
    outputs: z.array(output).optional(),
    review: z.enum(['approved', 'changes_requested']).optional(),
  }),
  z.strictObject({ outcome: z.literal('waiting'), question: said, summary: summary.optional() }),
  z.strictObject({ outcome: z.literal('retryable'), error: said, code: code.optional(), summary: summary.optional() }),
  z.strictObject({ outcome: z.literal('failed'), error: said, code: code.optional(), summary: summary.optional() }),
]);
type OutcomeFile = z.infer<typeof outcomeFile>;

export interface OutcomeContext {
  /** Every criterion of the contract. */
  readonly criterionIds: readonly string[];
  /** Those the Action is for; claims about others are left out (they count as deferred). */
  readonly for: readonly string[];
  /** A review has to say what it decided. */
  readonly isReview: boolean;
  /** Whether a completed outcome has to name what it rests on; a command's log does that. */
  readonly needsEvidence?: boolean;
  readonly secrets: readonly string[];
}

/** An outcome, or what is wrong with it: one sentence each, for whoever has to say it again. */
export type OutcomeParsed =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'malformed'; readonly complaints: readonly string[] };

/** The outcome that a text states, or precise complaints about it; both redacted. Pure. */
export function parseOutcome(text: string, context: OutcomeContext): OutcomeParsed {
  const read = parse(text, context);
  if (read.kind !== 'malformed') return read;
  return malformed(read.complaints.map((complaint) => redact(complaint, context.secrets)));
}

function parse(text: string, context: OutcomeContext): OutcomeParsed {
  let json: unknown;
  try {
    // String by string: redacting the text itself could break its quoting.
    json = JSON.parse(text.replace(/^\uFEFF/, ''), (_, value: unknown) =>
      typeof value === 'string' ? redact(value, context.secrets) : value,
    );
  } catch (error) {
    return malformed([`The outcome is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`]);
  }
  const parsed = outcomeFile.safeParse(json);
  if (!parsed.success) return malformed(parsed.error.issues.slice(0, 10).map(sentence));
  const complaints = meaningProblems(parsed.data, context);
  if (complaints.length > 0) return malformed(complaints);
  return { kind: 'outcome', outcome: toOutcome(parsed.data, context) };
}

function meaningProblems(file: OutcomeFile, context: OutcomeContext): string[] {
  if (file.outcome !== 'completed') return [];
  const claimed = (file.claims ?? []).map((entry) => entry.criterion);
  const unknown = claimed.filter((id) => !context.criterionIds.includes(id));
  const twice = claimed.filter((id, index) => claimed.indexOf(id) !== index);
  return [
    ...unknown.map((id) => `claims: there is no criterion ${id}; there are ${context.criterionIds.join(', ')}.`),
    ...twice.map((id) => `claims: criterion ${id} is named twice.`),
    ...(context.isReview && file.review === undefined
      ? ['review: a completed review must say approved or changes_requested.']
      : []),
    ...(context.needsEvidence && (file.evidence ?? []).length === 0
      ? ['evidence: name at least one thing you saw: a command and its result, a file, a finding.']
      : []),
  ];
}

function toOutcome(file: OutcomeFile, context: OutcomeContext): Outcome {
  if (file.outcome === 'waiting') return { kind: 'waiting', question: file.question, ...optionalSummary(file) };
  if (file.outcome !== 'completed') {
    const fallback = file.outcome === 'failed' ? 'reported_failed' : 'reported_retryable';
    return { kind: file.outcome, code: file.code ?? fallback, error: file.error, ...optionalSummary(file) };
  }
  const { outputs, refused } = normaliseOutputs(file.outputs ?? []);
  const claims = (file.claims ?? []).filter((entry) => context.for.includes(entry.criterion));
  return {
    kind: 'completed',
    summary: file.summary,
    evidence: normaliseEvidence([...refused, ...(file.evidence ?? [])]),
    claims: claims.map(
      ({ criterion, status, evidence }): CriterionClaim => ({ criterionId: criterion, status, evidence }),
    ),
    outputs,
    ...(file.review === undefined ? {} : { review: file.review }),
  };
}

function optionalSummary(file: { readonly summary?: string | undefined }): { summary?: string } {
  return file.summary === undefined ? {} : { summary: file.summary };
}

function sentence(issue: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  const at = issue.path.map(String).join('.');
  return at === '' ? issue.message : `${at}: ${issue.message}`;
}

function malformed(complaints: readonly string[]): OutcomeParsed {
  return { kind: 'malformed', complaints };
}
