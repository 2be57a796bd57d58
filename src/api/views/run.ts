import type { Receipt } from '../../core/index.ts';
import type { RunRow } from '../../store/rows.ts';
import { shownFailure } from './shown-failure.ts';

export function receiptView({ base, diffHash, flags, changed, log, ...receipt }: Receipt) {
  return {
    ...receipt,
    base: base ? { ...base } : null,
    log: { ...log },
    flags: [...flags],
    changed: [...changed],
    diffHash: diffHash ?? null,
  };
}

/** A Run in one line: how it went, without what it was made of and what it measured. */
export function runLine(row: RunRow, directory: string) {
  const { runId, actionId, generation, ordinal, status, startedAt, dispatchedAt, endedAt } = row;
  const { base, commit, code, summary, attemptCharged, usage } = row;
  return {
    ...{ id: runId, actionId, generation, ordinal, status, startedAt, dispatchedAt, endedAt },
    ...{ base, commit, code, summary, attemptCharged },
    error: row.error === null ? null : shownFailure(row.error, directory),
    usage: usage ? { ...usage } : null,
  };
}

/** The same with its owner, what was enforced, what the agent was made of, and its receipts. */
export function runView(row: RunRow, directory: string) {
  const { epoch, owner, alone, enforcement, agent, receipts } = row;
  return {
    ...runLine(row, directory),
    ...{ epoch, owner, alone },
    enforcement: enforcement ? { ...enforcement } : null,
    agent: agent ? { ...agent, tools: [...agent.tools], omitted: [...agent.omitted] } : null,
    receipts: receipts.map(receiptView),
  };
}
