import type { ItemState, Network, OpenTurn } from '../../core/index.ts';
import type { Assigned, AssignmentFailure, AssignmentPolicy, Vp } from '../../vp/index.ts';

/** What the words of a model are compiled against. */
export interface CompileInput {
  readonly state: ItemState;
  readonly turn: OpenTurn;
  readonly vps: readonly Vp[];
  readonly assign: (policy: AssignmentPolicy, vps: readonly Vp[]) => Assigned | AssignmentFailure;
  readonly defaults: ActionDefaults;
}

/** What a created Action gets where the model is silent, and the most it may reach. */
export interface ActionDefaults {
  readonly timeoutSec: number;
  readonly silenceSec: number;
  readonly maxAttempts: number;
  /** Most that an Action may ask for. */
  readonly network: Network;
}

export const ACTION_DEFAULTS: ActionDefaults = Object.freeze({
  timeoutSec: 3_600,
  silenceSec: 900,
  maxAttempts: 2,
  network: 'all',
});
