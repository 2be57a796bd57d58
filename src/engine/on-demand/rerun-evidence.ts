import type { ItemState, Receipt } from '../../core/index.ts';
import type { RunIo } from '../../executors/executor.ts';
import { type ChecksResult, runChecks } from '../../executors/verify/run-checks.ts';
import { checksRequest, sourceOf } from '../run/checks.ts';
import type { World } from '../world.ts';
import { unkeptContent } from './unkept-content.ts';

export interface RerunRequest {
  readonly criterionIds?: readonly string[];
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export type Rerun =
  | { readonly kind: 'rerun'; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'impossible'; readonly why: string };

/** Verifies again at the recorded commit, in a clean checkout, without touching the item; nothing of it is kept: anyone may check us. */
export async function rerunEvidence(world: World, state: ItemState, request: RerunRequest = {}): Promise<Rerun> {
  const wanted = request.criterionIds;
  const criteria = state.contract.criteria.filter(
    (criterion) => criterion.check && (wanted === undefined || wanted.includes(criterion.id)),
  );
  if (criteria.length === 0) return { kind: 'impossible', why: 'None of these criteria has a check.' };
  const io: RunIo = {
    onOutput: (_stream, text) => request.onOutput?.(text),
    onSpawned: async () => undefined,
    putContent: unkeptContent,
    signal: request.signal ?? new AbortController().signal,
    now: world.now,
    log: (message) => world.log(message, { item: state.id }),
  };
  const source = await sourceOf(world, state, state.finalResult?.commit ?? state.branch.head);
  const run = { runId: world.newId(), epoch: 1, io };
  return told(await runChecks({ ...(await checksRequest(world, state, source, run)), knownBase: [], criteria }));
}

function told(result: ChecksResult): Rerun {
  switch (result.kind) {
    case 'checked':
      return { kind: 'rerun', receipts: result.receipts };
    case 'setup_failed':
      return { kind: 'impossible', why: `The set-up failed on the base.\n${result.log.tail}` };
    case 'not_started':
      return { kind: 'impossible', why: result.detail };
    case 'stopped':
      return { kind: 'impossible', why: 'It was interrupted.' };
  }
}
