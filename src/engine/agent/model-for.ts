import type { Effort, ModelPolicy } from '../../model/index.ts';
import type { Vp } from '../../vp/index.ts';
import { type Configuration, modelOfType, policyOf } from '../configuration.ts';

export interface Model {
  readonly policy: ModelPolicy;
  readonly effort?: Effort;
}

/** Types that are worth more thought (A8); the VP's own word goes first. */
const THOROUGH: ReadonlySet<string> = new Set(['triage', 'research', 'design', 'diagnose', 'review']);

/** Which model carries out an Action: what the Action names, else the VP, else the settings of its type. */
export function modelFor(named: string | undefined, vp: Vp, type: string, configuration: Configuration): Model {
  const policy = named === undefined ? (vp.model ?? modelOfType(configuration, type)) : policyOf(named);
  const effort = vp.effort ?? (THOROUGH.has(type) ? 'high' : undefined);
  return { policy, ...(effort === undefined ? {} : { effort }) };
}
