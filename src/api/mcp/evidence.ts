import { type CriterionGoal, goalOf, type ItemState, type Receipt } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';
import type { Refusal } from './result.ts';

/** Of a longer log the end is shown: that is where a check says how it went. */
const LOG_BYTES = 32 * 1024;

/** What stands for or against a criterion, without the words of any log. */
const standingView = ({ criterion, standing, proof, flags, claim, staledBy }: CriterionGoal) => ({
  ...{ id: criterion.id, text: criterion.text, check: criterion.check?.run ?? null, minProof: criterion.minProof },
  ...{ standing, proof: proof ?? null, flags, staledBy: staledBy?.actionId ?? null },
  claim: claim ? { by: claim.by, status: claim.status, evidence: claim.evidence, runId: claim.runId } : null,
});

/** All criteria with the verdict of each receipt; bounded, however much the checks printed. */
export const evidenceView = (state: ItemState) => ({
  id: state.id,
  criteria: goalOf(state).criteria.map((goal) => ({ ...standingView(goal), receipt: verdictView(goal) })),
});

function verdictView({ claim }: CriterionGoal) {
  if (!claim?.receipt) return null;
  const { verdict, command, exitCode, at } = claim.receipt;
  return { verdict, command, exitCode, at };
}

/** One criterion with its whole receipt and the end of its log; `receipt` is null where nothing was run. */
export async function receiptView(store: Store, state: ItemState, criterionId: string) {
  const { criteria } = goalOf(state);
  const goal = criteria.find(({ criterion }) => criterion.id === criterionId);
  if (!goal) return criterionNotFound(state, criterionId);
  const receipt = goal.claim?.receipt;
  const shown = receipt ? { receipt, log: await logView(store, receipt) } : { receipt: null, log: null };
  return { itemId: state.id, ...standingView(goal), ...shown };
}

/** The end of the log from the content store; the receipt's own tail where the body is gone. */
async function logView(store: Store, { log }: Receipt) {
  const bytes = await store.getContent(log.hash);
  if (!bytes) return { text: log.tail, cut: log.bytes > Buffer.byteLength(log.tail) };
  return { text: new TextDecoder().decode(bytes.subarray(-LOG_BYTES)), cut: bytes.length > LOG_BYTES };
}

function criterionNotFound({ id, contract }: ItemState, found: string): Refusal {
  const expected = `one of: ${contract.criteria.map((criterion) => criterion.id).join(', ')}`;
  return { code: 'criterion_not_found', message: `Item ${id} has no criterion ${found}.`, expected, found };
}
