/** What an executor says at the end of a Run (D22), and what the engine itself measured (D23). */

export const OUTCOME_LIMITS = Object.freeze({
  summaryChars: 8_000,
  evidenceMax: 50,
  evidenceChars: 1_000,
  outputsMax: 50,
  errorChars: 8_000,
  tailChars: 4_000,
});

export interface Evidence {
  readonly kind: 'text' | 'tool' | 'test' | 'file' | 'link' | 'pr' | 'commit';
  readonly label: string;
  readonly ref?: string;
  readonly status?: 'completed' | 'passed' | 'failed' | 'error' | 'pending';
}

export type Output = Readonly<{ kind: 'file' | 'link' | 'pr' | 'commit'; ref: string }>;

/** A claim about one criterion, by its id. Criteria that are not named are deferred. */
export interface CriterionClaim {
  readonly criterionId: string;
  readonly status: 'passed' | 'failed' | 'deferred' | 'not_applicable';
  readonly evidence: string;
}

/** What an executor may end with. `interrupted`, `cancelled` and the like are the engine's words, not its. */
export type Outcome = Completed | Waiting | Refused<'retryable'> | Refused<'failed'>;

export interface Completed {
  readonly kind: 'completed';
  readonly summary: string;
  readonly evidence: readonly Evidence[];
  readonly claims: readonly CriterionClaim[];
  readonly outputs: readonly Output[];
  readonly review?: 'approved' | 'changes_requested';
}
type Waiting = Readonly<{ kind: 'waiting'; question: string; summary?: string }>;
type Refused<K> = Readonly<{ kind: K; code: string; error: string; summary?: string }>;

/**
 * What a receipt warns of.
 *
 * | Flag                | Meaning                                                                |
 * | ------------------- | ---------------------------------------------------------------------- |
 * | red_to_green        | failed on the base, passes now: the work made the difference           |
 * | already_green       | passed on the base too: the check may not show what was asked          |
 * | base_unknown        | the base run could not be made                                         |
 * | protected_restored  | protected files had been changed and were put back                     |
 * | tests_changed       | unprotected test files differ from the base                            |
 * | script_changed      | scripts or runner configuration differ from the base                   |
 * | setup_changed       | an input of the set-up changed, so the set-up ran afresh                |
 * | not_sandboxed       | nothing was enforced while the check ran                               |
 * | in_place            | ran in the directory itself, not in a clean checkout                   |
 */
export type ReceiptFlag = BaseFlag | ChangeFlag | 'not_sandboxed' | 'in_place';
type BaseFlag = 'red_to_green' | 'already_green' | 'base_unknown';
type ChangeFlag = 'protected_restored' | 'tests_changed' | 'script_changed' | 'setup_changed';

/** How a check ended; everything but `passed` refuses its criterion. */
export type CheckVerdict = 'passed' | 'wrong_exit' | 'output_mismatch' | 'timed_out' | 'killed' | CannotRun;
type CannotRun = 'not_found' | 'setup_failed';

/** The record of one check, run by the engine; enough to repeat it. */
export interface Receipt {
  readonly criterionId: string;
  readonly criterionVersion: number;
  readonly verdict: CheckVerdict;
  readonly command: string;
  /** Commit, or `content:<hash>` for a directory without git. */
  readonly at: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly base?: { readonly verdict: CheckVerdict; readonly exitCode: number | null; readonly tail: string };
  readonly log: { readonly hash: string; readonly bytes: number; readonly tail: string };
  readonly flags: readonly ReceiptFlag[];
  /** Paths behind `tests_changed`, `script_changed`, `protected_restored`. */
  readonly changed: readonly string[];
  /** Content hash of their diff, where there is one. */
  readonly diffHash?: string;
  readonly engine: string;
}

/**
 * Resources that were used. `tokens` are charged tokens (D26); `costMicros` is money in millionths of a US dollar for
 * all requests whose model has a price, and `unpriced` counts the others. `metered: false` marks an executor that
 * reports nothing itself (D27).
 */
export type Usage = Readonly<{
  wallMs: number;
  requests: number;
  tokens: number;
  costMicros: number;
  unpriced: number;
  metered: boolean;
}>;

export const NO_USAGE: Usage = Object.freeze({
  wallMs: 0,
  requests: 0,
  tokens: 0,
  costMicros: 0,
  unpriced: 0,
  metered: true,
});

export const addUsage = (a: Usage, b: Usage): Usage => ({
  wallMs: a.wallMs + b.wallMs,
  requests: a.requests + b.requests,
  tokens: a.tokens + b.tokens,
  costMicros: a.costMicros + b.costMicros,
  unpriced: a.unpriced + b.unpriced,
  metered: a.metered && b.metered,
});
