import { type Cuts, capOf } from '../cuts.ts';
import { ASK, addText, type Draft, named, newDraft } from '../draft.ts';
import type { ContractView, CriterionView, MainlineInput } from '../mainline-input.ts';
import { oneLine } from '../untrusted.ts';

const CRITERION_BYTES = 512;
const CHECK_BYTES = 256;
const EVIDENCE_BYTES = 400;
const GOAL_BYTES = 4_096;
const INSTRUCTIONS_BYTES = 2_048;
const SETUP_BYTES = 1_024;

const STANDINGS: Readonly<Record<CriterionView['standing'], string>> = Object.freeze({
  passed: 'proven',
  failed: 'failed',
  stale: 'stale',
  weak: 'too weakly proven',
  unmet: 'not proven yet',
});

const TARGETS: Readonly<Record<ContractView['delivery']['target'], string>> = Object.freeze({
  response: 'a written answer',
  workspace_files: 'files in the workspace',
  pull_request: 'a pull request, opened by the engine',
  merge: 'a merge into the target branch, made by the engine',
});

/** What the person asked for, how it will be proven, and how far that is. */
export function contractSection(input: MainlineInput, cuts: Cuts): Draft {
  const { contract, instructions } = input;
  const draft = newDraft(`Contract (version ${contract.version})`);
  const add = (label: string, source: string, text: string | undefined, maxBytes: number) =>
    addText(draft, label, { tag: 'task', source, text, maxBytes });
  add('The goal:', 'goal', contract.goal, capOf(cuts, 'goal', GOAL_BYTES));
  const bound = capOf(cuts, 'instructions', INSTRUCTIONS_BYTES);
  add('What the person wants to be kept in mind for this work:', 'instructions', contract.instructions, bound);
  add('What the person wants in all work:', 'standing instructions', instructions.global, bound);
  draft.parts.push(deliverySentence(contract));
  if (contract.setup) {
    const { run, inputs, network } = contract.setup;
    const made = inputs.length > 0 ? `; made anew when these change: ${oneLine(named(inputs), EVIDENCE_BYTES)}` : '';
    add(`Set up by the engine before you start (network: ${network}${made}):`, 'set-up', run, SETUP_BYTES);
  }
  for (const criterion of contract.criteria) addCriterion(draft, input, criterion, cuts);
  return draft;
}

function deliverySentence({ delivery }: ContractView): string {
  const branch = delivery.branch === undefined ? '' : ` (${oneLine(delivery.branch, 256)})`;
  return `Delivery: ${TARGETS[delivery.target]}${branch}.`;
}

function addCriterion(draft: Draft, { action }: MainlineInput, criterion: CriterionView, cuts: Cuts): void {
  const { id, version, text, check, minProof, standing, why, evidence } = criterion;
  const mine = action.for.includes(id) ? ' This Action is for it.' : '';
  const proof = check === undefined ? ` Proof needed: ${minProof}.` : '';
  const heading = `## ${id} (version ${version})\n\nNow ${STANDINGS[standing]}: ${why}.${proof}${mine}`;
  const maxBytes = capOf(cuts, 'criteria', CRITERION_BYTES);
  addText(draft, heading, { tag: 'task', source: `criterion ${id}`, text, maxBytes });
  if (check) addCheck(draft, id, check, capOf(cuts, 'checks', CHECK_BYTES));
  if (evidence === undefined || evidence.trim() === '') return;
  if (cuts.checks > 0) draft.omitted.push({ what: `what was said about ${id}`, why: 'size', how: ASK });
  else
    addText(draft, '', {
      tag: 'untrusted',
      source: `what was said about ${id}`,
      text: oneLine(evidence, EVIDENCE_BYTES),
    });
}

function addCheck(draft: Draft, id: string, check: NonNullable<CriterionView['check']>, maxBytes: number): void {
  const { run, cwd, expectExit, expectOutput, protect } = check;
  const lines = [
    run,
    cwd === undefined ? '' : `in the directory: ${cwd}`,
    expectOutput === undefined ? '' : `output matches: ${expectOutput}`,
    protect.length === 0 ? '' : `put back before it runs: ${named(protect)}`,
  ];
  const text = lines.filter((line) => line !== '').join('\n');
  addText(draft, `Checked by the engine, which expects exit code ${expectExit}:`, {
    tag: 'task',
    source: `check of ${id}`,
    text,
    maxBytes,
  });
}
