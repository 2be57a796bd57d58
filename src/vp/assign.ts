import { capabilityScore, tagOf } from './capabilities.ts';
import { byId, type Vp } from './vp.ts';

/**
 * Who may carry out an Action.
 *
 * | Mode    | Chooses among               | Which                                                                  |
 * | ------- | --------------------------- | ---------------------------------------------------------------------- |
 * | auto    | all VPs                     | best score for the capability, else for the type, else the lowest id |
 * | pool    | those of `candidateIds`     | best score for the capability, else the lowest id                    |
 * | planned | those of `candidateIds`     | the first in the listed order                                          |
 * | fixed   | the one in `candidateIds`   | it, or nobody                                                          |
 *
 * Equal scores go to the lowest id. Nobody who is to be kept separate is ever chosen.
 */
export interface AssignmentPolicy {
  readonly mode: 'auto' | 'pool' | 'fixed' | 'planned';
  /** Any wording; compared word by word. Blank means the type of the Action. */
  readonly capability: string;
  /** The type of the Action: what `auto` falls back to, and says so. */
  readonly actionType?: string;
  readonly candidateIds: readonly string[];
  /** Why the decider wants these; kept with what was chosen. */
  readonly reason?: string;
  /** VPs that wrote the results under review, and nobody else: a failed or unrelated Run makes no author. */
  readonly separateFrom: readonly string[];
}

export interface Assigned {
  readonly vp: Vp;
  /** Mode, capability, score and fallback, to be kept with the Run; at most 1,000 characters on one line. */
  readonly reason: string;
}

/** Trying again changes nothing: the decider has to. All texts are bounded and safe to show to a model. */
export interface AssignmentFailure {
  readonly code: AssignmentCode;
  readonly mode: AssignmentPolicy['mode'];
  readonly capability: string;
  /** Sorted; those of the policy, or everybody for `auto`. */
  readonly candidates: readonly string[];
  /** Sorted. */
  readonly excluded: readonly string[];
  readonly message: string;
  readonly next: string;
}

export type AssignmentCode = 'no_vps' | 'policy_invalid' | 'vp_unavailable' | 'separation_exhausted';

/** Chooses a VP, or says why nobody fits. Pure; the same input gives the same answer in any order of `vps`. */
export function assign(policy: AssignmentPolicy, vps: readonly Vp[]): Assigned | AssignmentFailure {
  const fault = policyFault(policy);
  if (fault !== undefined) return failure('policy_invalid', policy, vps, fault);
  if (vps.length === 0) return failure('no_vps', policy, vps, 'no VP is available');
  const available = policy.mode === 'auto' ? [...vps].sort(byId) : listed(policy.candidateIds, vps);
  if (available.length === 0) return failure('vp_unavailable', policy, vps, 'none of the candidates is available');
  const excluded = new Set(policy.separateFrom);
  const eligible = available.filter(({ id }) => !excluded.has(id));
  if (eligible.length === 0) return failure('separation_exhausted', policy, vps, 'only authors of the work are left');
  const { vp, why } = choose(policy, eligible);
  return { vp, reason: reasonText(policy, why) };
}

function policyFault({ mode, candidateIds }: AssignmentPolicy): string | undefined {
  if (mode === 'auto') return candidateIds.length === 0 ? undefined : 'auto takes no candidates';
  if (mode === 'fixed') return candidateIds.length === 1 ? undefined : 'fixed takes exactly one candidate';
  return candidateIds.length > 0 ? undefined : `${mode} needs candidates`;
}

/** In the listed order, each once. */
function listed(ids: readonly string[], vps: readonly Vp[]): readonly Vp[] {
  const known = new Map(vps.map((vp) => [vp.id, vp]));
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? []);
}

interface Choice {
  readonly vp: Vp;
  readonly why: string;
}

function choose(policy: AssignmentPolicy, eligible: readonly Vp[]): Choice {
  const [first] = eligible;
  if (first === undefined) throw new Error('choose needs somebody to choose from');
  switch (policy.mode) {
    case 'fixed':
      return { vp: first, why: `the only one allowed is ${first.id}` };
    case 'planned':
      return { vp: first, why: `${first.id} is the first available of ${names(policy.candidateIds).join(', ')}` };
    case 'pool':
    case 'auto':
      return ranked(policy, eligible);
  }
}

function ranked(policy: AssignmentPolicy, eligible: readonly Vp[]): Choice {
  const capability = capabilityOf(policy);
  const { vp, score } = best(eligible, capability);
  if (score > 0) return { vp, why: `capability ${shown(capability)}, score ${score}` };
  const type = tagOf(policy.actionType ?? '');
  const isWorthAsking = policy.mode === 'auto' && type !== '' && type !== capability;
  const byType = isWorthAsking ? best(eligible, type) : { vp, score: 0 };
  if (byType.score > 0) {
    return { vp: byType.vp, why: `nobody declares ${shown(capability)}; type ${shown(type)}, score ${byType.score}` };
  }
  const asked = isWorthAsking ? `${shown(capability)} or ${shown(type)}` : shown(capability);
  return { vp, why: `nobody declares ${asked}; lowest id` };
}

const capabilityOf = ({ capability, actionType = '' }: AssignmentPolicy): string =>
  tagOf(capability) || tagOf(actionType);

function best(eligible: readonly Vp[], capability: string): { readonly vp: Vp; readonly score: number } {
  const scored = eligible.map((vp) => ({ vp, score: capabilityScore(vp.capabilities, capability) }));
  const [top] = scored.sort((a, b) => b.score - a.score || byId(a.vp, b.vp));
  if (top === undefined) throw new Error('best needs somebody to choose from');
  return top;
}

const REASON_CHARS = 1_000;

function reasonText(policy: AssignmentPolicy, why: string): string {
  const separate = policy.separateFrom.length === 0 ? '' : `; separate from ${names(policy.separateFrom).join(', ')}`;
  const given = (policy.reason ?? '').replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim();
  const text = `${policy.mode}: ${why}${separate}${given === '' ? '' : `. ${given}`}`;
  return text.length <= REASON_CHARS ? text : `${text.slice(0, REASON_CHARS - 1)}…`;
}

const NEXT: Readonly<Record<AssignmentCode, string>> = Object.freeze({
  no_vps: 'Add a VP, or repair the files that could not be read.',
  policy_invalid: 'Correct the assignment of the Action.',
  vp_unavailable: 'Name VPs that exist, or let one be chosen by capability.',
  separation_exhausted: 'Name or add a VP that wrote none of the results under review.',
});

function failure(
  code: AssignmentCode,
  policy: AssignmentPolicy,
  vps: readonly Vp[],
  problem: string,
): AssignmentFailure {
  const { mode } = policy;
  const capability = shown(capabilityOf(policy));
  const candidates = names(mode === 'auto' ? vps.map(({ id }) => id) : policy.candidateIds).sort();
  const excluded = names(policy.separateFrom).sort();
  const message = [
    `${mode} assignment for ${capability}: ${problem}`,
    `candidates: ${candidates.join(', ') || 'none'}`,
    `kept separate: ${excluded.join(', ') || 'none'}`,
  ].join('; ');
  return { code, mode, capability, candidates, excluded, message, next: NEXT[code] };
}

const MAX_NAMES = 24;

/** Each once and safe to show, the first few and how many more. */
function names(ids: readonly string[]): string[] {
  const all = [...new Set(ids.map(shown))];
  return all.length <= MAX_NAMES ? all : [...all.slice(0, MAX_NAMES), `and ${all.length - MAX_NAMES} more`];
}

/** Ids and capabilities may come from a model: letters, digits and `-_.` only, at most 128. */
const shown = (value: string): string => value.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 128) || 'none';
