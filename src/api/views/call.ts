import type { CallRow } from '../../store/talk-rows.ts';
import { shownFailure } from './shown-failure.ts';

/** Null until the provider has told them. */
function tokensOf({ input, output, cacheRead, cacheWrite, reasoning }: CallRow) {
  if (input === null) return null;
  const rest = { output: output ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
  return { input, ...rest, reasoning: reasoning ?? 0 };
}

/** A model request: whose, how it went, what it cost; its bytes are content under the hashes. */
export function callView(row: CallRow, directory: string) {
  const { callId: id, seq, n, model, status, tries, requestHash, responseHash, stop, code } = row;
  const { preparedAt, dispatchedAt, endedAt, chargedTokens, chargedCostMicros } = row;
  return {
    ...{ id, seq, n, model, status, tries, requestHash, responseHash, stop, code },
    error: row.error === null ? null : shownFailure(row.error, directory),
    ...{ preparedAt, dispatchedAt, endedAt },
    owner: { kind: row.ownerKind, id: row.ownerId, actionId: row.actionId },
    tokens: tokensOf(row),
    estimate: { tokens: row.estimateTokens, costMicros: row.estimateCostMicros },
    charged: chargedTokens === null ? null : { tokens: chargedTokens, costMicros: chargedCostMicros },
  };
}
