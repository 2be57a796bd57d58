import type { WorkspaceMode } from '../../core/model/action.ts';
import { type Cuts, capOf } from '../cuts.ts';
import { addText, type Draft, named, newDraft } from '../draft.ts';
import type { ActionView, MainlineInput } from '../mainline-input.ts';
import { outcomeRules } from '../prompts/outcome-rules.ts';
import { typePolicy } from '../prompts/type-policies.ts';
import { oneLine } from '../untrusted.ts';

const BRIEF_BYTES = 1_024;
const OBJECTIVE_BYTES = 2_048;
const INSTRUCTIONS_BYTES = 2_048;
const NAME_BYTES = 200;

const MODES: Readonly<Record<WorkspaceMode, string>> = Object.freeze({
  read: 'read (you change nothing)',
  shared: 'shared (nobody else writes while you do)',
  'isolated-write': 'isolated-write (a clone of your own; the engine commits and merges what you leave)',
  integrate: 'integrate (a merge with conflicts; the engine commits what you leave)',
});

/** The Action itself: what it is for, its brief, its bounds, and how to end it. */
export function actionSection({ action, instructions, contract }: MainlineInput, cuts: Cuts): Draft {
  const draft = newDraft(`Your Action: ${oneLine(action.id, NAME_BYTES)} (type ${oneLine(action.type, NAME_BYTES)})`);
  const policy = typePolicy(action.type);
  draft.parts.push(policy.policy, facts(action));
  const add = (label: string, source: string, text: string | undefined, maxBytes: number) =>
    addText(draft, label, { tag: 'task', source, text, maxBytes });
  const type = oneLine(action.type, NAME_BYTES);
  const ofType = capOf(cuts, 'instructions', INSTRUCTIONS_BYTES);
  add(`What the person wants in Actions of this type:`, `instructions for ${type}`, instructions.forType, ofType);
  add('What to do:', 'objective', action.objective, capOf(cuts, 'objective', OBJECTIVE_BYTES));
  const bound = capOf(cuts, 'brief', BRIEF_BYTES);
  add('How:', 'approach', action.approach ?? policy.approach, bound);
  add('What there is at the end:', 'expected outcome', action.expectedOutcome ?? policy.expectedOutcome, bound);
  add('Why now:', 'rationale', action.rationale, bound);
  draft.parts.push(outcomeRules({ type: action.type, target: contract.delivery.target }));
  return draft;
}

function facts(action: ActionView): string {
  const lines = [
    `Name: ${oneLine(action.name, NAME_BYTES)}`,
    `For: ${purpose(action)}`,
    `Workspace: ${MODES[action.workspace]}`,
    action.enforced ?? '',
    `Attempt ${action.attempt} of ${action.maxAttempts}; it is ended after ${action.timeLimitSec} seconds`,
    action.external ? 'It acts on the outside world: do so once, and never repeat what may have happened already' : '',
  ];
  return lines.flatMap((line) => (line === '' ? [] : [`- ${line}`])).join('\n');
}

function purpose({ for: criteria, unblocks, forDelivery }: ActionView): string {
  const parts = [
    criteria.length === 0 ? '' : `criteria ${named(criteria)}`,
    unblocks.length === 0 ? '' : `unblocking ${oneLine(named(unblocks), NAME_BYTES)}`,
    forDelivery ? 'delivery' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'the goal as a whole; no single criterion' : parts.join('; ');
}
