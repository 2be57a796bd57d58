import type { WorkspaceMode } from '../../../core/model/action.ts';
import type { Capability } from '../tool.ts';
import type { Policy, Rule, Verdict } from './policy.ts';
import { commandText, fits, type Part, type Place, partsOf } from './subject.ts';
import { matchesWildcard } from './wildcard.ts';

export interface PermissionCall extends Place {
  readonly tool: string;
  readonly capability: Capability;
  readonly mode: WorkspaceMode;
  /** As `AgentTool.subject` gives it. */
  readonly subject: string;
  /** Whether a person may be asked now. */
  readonly attended: boolean;
}

export interface PermissionDecision {
  readonly decision: Verdict;
  /** The rule that decided; absent where mode and capability did. */
  readonly rule?: Rule;
  /** A sentence for the model and for the person. */
  readonly reason: string;
}

/** What holds where no rule fits. `writes` in the mode `read` is refused before any rule is asked. */
const BY_CAPABILITY: Readonly<Record<Capability, Omit<PermissionDecision, 'rule'>>> = Object.freeze({
  reads: { decision: 'allow', reason: 'Reading is allowed.' },
  writes: { decision: 'allow', reason: 'This Action may write to its workspace.' },
  acts_outside: {
    decision: 'ask',
    reason: 'It can reach what is outside of the workspace, such as the network, and no rule allows that.',
  },
  controls: { decision: 'allow', reason: 'It changes nothing but this Run.' },
});

const STRICTNESS: readonly Verdict[] = ['allow', 'ask', 'deny'];

/**
 * Whether a tool may be used this way. A call of several parts (`git status && rm -rf /`) is as free as its least
 * free one, so nothing that is added to a refused call can free it. No rule widens a mode.
 */
export function decidePermission(policy: Policy, call: PermissionCall): PermissionDecision {
  if (call.capability === 'writes' && call.mode === 'read')
    return { decision: 'deny', reason: 'This Action only reads: its workspace mode is read.' };
  const parts = partsOf(call.tool, call.subject, call);
  const [first = BY_CAPABILITY[call.capability], ...others] = parts.map((part) => decidePart(policy, call, part));
  return whenNobodyAttends(policy, call, others.reduce(stricter, first));
}

function decidePart(policy: Policy, call: PermissionCall, part: Part): PermissionDecision {
  const standard = BY_CAPABILITY[call.capability];
  if (part.kind === 'elsewhere') return decideHidden(policy, call, part, standard);
  if (part.kind === 'opaque') return decideHidden(policy, call, part, leastOfOpaque(policy, call, part.why, standard));
  const index = policy.rules.findIndex((rule) => fits(rule, call.tool, part));
  const rule = policy.rules[index];
  return rule === undefined ? standard : byRule(rule, index, part);
}

/**
 * A line that cannot be taken apart is asked about where it could hide something that somebody guards: an act outside,
 * or a command that a rule keeps. In a sandboxed workspace without such rules it is as free as any other.
 */
function leastOfOpaque(
  { rules }: Policy,
  { tool, capability }: PermissionCall,
  why: string,
  standard: PermissionDecision,
): PermissionDecision {
  const isGuarded = rules.some((rule) => rule.command !== undefined && matchesWildcard(rule.tool, tool));
  if (capability !== 'acts_outside' && !isGuarded) return standard;
  return { decision: 'ask', reason: `${why} Write it more simply, or ask.` };
}

/** It may hide what any rule refuses, so all of them speak, not the first alone. */
function decideHidden(
  policy: Policy,
  call: PermissionCall,
  part: Part & { readonly why: string },
  least: PermissionDecision,
): PermissionDecision {
  return policy.rules
    .map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => fits(rule, call.tool, part))
    .map(({ rule, index }) => ({ ...byRule(rule, index, part), reason: `${part.why} ${ruleReason(rule, index)}` }))
    .reduce(stricter, least);
}

function byRule(rule: Rule, index: number, part: Part): PermissionDecision {
  const what = part.kind === 'command' ? `${commandText(part.command)}: ` : '';
  return { decision: rule.decide, rule, reason: `${what}${ruleReason(rule, index)}` };
}

function ruleReason(rule: Rule, index: number): string {
  const pattern = rule.command ?? rule.path ?? rule.url;
  const where = `rule ${index + 1} (${rule.tool}${pattern === undefined ? '' : ` ${pattern}`})`;
  return rule.reason === undefined ? `${rule.decide} by ${where}.` : `${rule.reason} (${rule.decide} by ${where})`;
}

function stricter(left: PermissionDecision, right: PermissionDecision): PermissionDecision {
  return STRICTNESS.indexOf(right.decision) > STRICTNESS.indexOf(left.decision) ? right : left;
}

function whenNobodyAttends(policy: Policy, call: PermissionCall, made: PermissionDecision): PermissionDecision {
  if (made.decision !== 'ask' || call.attended || policy.unattended === 'ask') return made;
  return {
    ...made,
    decision: 'deny',
    reason: `${made.reason} Nobody attends, and the settings refuse what would ask.`,
  };
}
