import { stringify } from 'yaml';
import type { Check, Contract, Criterion } from '../core/model/contract.ts';
import { compileContract } from '../plan/compile/compile-contract.ts';
import { parsePlan } from '../plan/read/parse.ts';
import type { Failure } from './answer.ts';
import { planFailure } from './plan-source.ts';

const HEADER = `# The contract, in the words of a plan file. Save and leave the editor to see what would change.
# Editing a criterion makes its proof stale; editing goal, instructions or set-up, all of it.
`;

/** An Action that stands in for those of the item, so that the reader of plan files can be used. */
const STAND_IN = '\nactions:\n  - run: "true"\n';

const checkEntry = (check: Check): unknown => ({
  run: check.run,
  ...(check.cwd === undefined ? {} : { cwd: check.cwd }),
  ...(check.env === undefined ? {} : { env: check.env }),
  timeoutSec: check.timeoutSec,
  expectExit: check.expectExit,
  ...(check.expectOutput === undefined ? {} : { expectOutput: check.expectOutput }),
  ...(check.protect.length === 0 ? {} : { protect: check.protect }),
  network: check.network,
});

const criterionEntry = (criterion: Criterion): unknown => ({
  id: criterion.id,
  text: criterion.text,
  ...(criterion.check === undefined ? {} : { check: checkEntry(criterion.check) }),
  minProof: criterion.minProof,
});

/** A contract as a person edits it. `readContract` turns the text back into the same contract. */
export function contractText(contract: Contract): string {
  const { title, goal, instructions, criteria, setup, delivery } = contract;
  const document = {
    title,
    goal,
    ...(instructions === undefined ? {} : { instructions }),
    ...(setup === undefined ? {} : { setup: { ...setup } }),
    criteria: criteria.map(criterionEntry),
    delivery: { ...delivery },
  };
  return HEADER + stringify(document, { lineWidth: 100 });
}

/** The edited contract. Versions of criteria are the engine's to count; directory and workspace stay. */
export function readContract(text: string, before: Contract): Contract | Failure {
  const file = { fileName: 'contract.yaml', text };
  const parsed = parsePlan(text + STAND_IN, file.fileName);
  if (!parsed.ok) return planFailure(file, parsed.problems);
  const { directory, workspace } = before;
  return compileContract(parsed.plan.document, { directory, workspace, defaultBranch: before.delivery.branch });
}
