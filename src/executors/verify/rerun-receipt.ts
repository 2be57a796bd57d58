import type { Receipt } from '../../core/model/outcome.ts';
import { type ChecksRequest, type ChecksResult, runChecks } from './run-checks.ts';

export type RerunResult =
  | {
      readonly kind: 'rerun';
      readonly receipt: Receipt;
      /** Verdict and exit code are those of the receipt. */
      readonly agrees: boolean;
    }
  /** The criterion was edited since, or is gone: its check is another one now. */
  | { readonly kind: 'criterion_changed' }
  /** The source given is not the state that the receipt speaks of. */
  | { readonly kind: 'other_state'; readonly at: string }
  | Exclude<ChecksResult, { kind: 'checked' }>;

/** Repeats the check behind a receipt on the same state, base included. `request.source` must be that state. */
export async function rerunReceipt(request: ChecksRequest, receipt: Receipt): Promise<RerunResult> {
  const at = request.source.at('result');
  if (at !== receipt.at) return { kind: 'other_state', at };
  const criterion = request.criteria.find(({ id }) => id === receipt.criterionId);
  if (criterion?.version !== receipt.criterionVersion || criterion.check?.run !== receipt.command)
    return { kind: 'criterion_changed' };
  const result = await runChecks({ ...request, criteria: [criterion], knownBase: [] });
  if (result.kind !== 'checked') return result;
  const [again] = result.receipts;
  if (again === undefined) return { kind: 'criterion_changed' };
  const agrees = again.verdict === receipt.verdict && again.exitCode === receipt.exitCode;
  return { kind: 'rerun', receipt: again, agrees };
}
