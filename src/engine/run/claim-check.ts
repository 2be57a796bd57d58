import type { ActionState, Criterion, ItemState, Outcome, Receipt } from '../../core/index.ts';
import type { RunIo } from '../../executors/executor.ts';
import { runChecks } from '../../executors/verify/run-checks.ts';
import { inSpan } from '../telemetry.ts';
import type { World } from '../world.ts';
import { checksRequest, rememberBase, sourceOf } from './checks.ts';

export interface CheckedClaim {
  readonly receipts: readonly Receipt[];
  /** What the Run ends with instead of the claim; absent when the claim stands. */
  readonly refusal?: Extract<Outcome, { kind: 'retryable' }>;
}

/**
 * Criteria that this Action alone is for: nobody else can make them true, so its claim can be judged on its own
 * commit. What several Actions are for is judged when all of them are merged.
 */
function ownCriteria(state: ItemState, action: ActionState): readonly Criterion[] {
  const others = state.actions.filter((other) => other.id !== action.id && other.spec.executor.kind !== 'verify');
  return state.contract.criteria.filter(
    (criterion) =>
      criterion.check !== undefined &&
      action.spec.for.includes(criterion.id) &&
      !others.some((other) => other.spec.for.includes(criterion.id)),
  );
}

const TAIL_CHARS = 600;

function sayRefusal(receipts: readonly Receipt[]): string {
  return receipts
    .map((receipt) => {
      const exit = receipt.exitCode === null ? '' : ` (exit ${receipt.exitCode})`;
      return `${receipt.criterionId}: ${receipt.verdict}${exit} from \`${receipt.command}\`\n${receipt.log.tail.slice(-TAIL_CHARS)}`;
    })
    .join('\n');
}

/** A completed claim is believed only after the engine's own run of its checks, in a clean checkout (D23). */
export async function checkClaims(
  world: World,
  state: ItemState,
  action: ActionState,
  run: { readonly runId: string; readonly epoch: number; readonly io: RunIo },
  commit: string,
): Promise<CheckedClaim> {
  const criteria = ownCriteria(state, action);
  if (criteria.length === 0) return { receipts: [] };
  const source = await sourceOf(world, state, commit);
  const request = { ...(await checksRequest(world, state, source, run)), criteria };
  const about = { 'workcenter.item': state.id, 'workcenter.action': action.id };
  const result = await inSpan('workcenter.check', about, () => runChecks(request));
  switch (result.kind) {
    case 'checked': {
      rememberBase(state.id, result.baseResults);
      const refused = result.receipts.filter((receipt) => receipt.verdict !== 'passed');
      if (refused.length === 0) return { receipts: result.receipts };
      const error = `The claim was refused by the engine's own check.\n${sayRefusal(refused)}`;
      return { receipts: result.receipts, refusal: { kind: 'retryable', code: 'claim_refused', error } };
    }
    case 'setup_failed':
      return refuse(
        'setup_failed',
        `The set-up failed on the base (exit ${result.exitCode ?? 'none'}).\n${result.log.tail}`,
      );
    case 'not_started':
      return refuse('check_not_started', result.detail);
    case 'stopped':
      return refuse('aborted', 'The check was ended.');
  }
}

const refuse = (code: string, error: string): CheckedClaim => ({
  receipts: [],
  refusal: { kind: 'retryable', code, error },
});
