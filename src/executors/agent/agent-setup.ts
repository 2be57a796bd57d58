import type { Effort, UserPart } from '../../model/index.ts';
import type { Policy } from './permissions/policy.ts';
import type { AgentTool, ToolContext } from './tool.ts';

/** Everything that one Run of the agent is made of; frozen, and recorded with the Run before it starts. */
export interface AgentSetup {
  /** `provider/model`. */
  readonly model: string;
  readonly effort?: Effort;
  readonly system: string;
  /** The Mainline, and the pictures that came with the task. */
  readonly task: readonly UserPart[];
  /** How many of the Action's messages the Mainline holds. */
  readonly messages: number;
  readonly tools: readonly AgentTool[];
  readonly policy: Policy;
  /** Whether a person may be asked for leave. */
  readonly attended: boolean;
  readonly maxOutputTokens: number;
  /** What a request may hold, in tokens as we estimate them; older tool results make room. */
  readonly contextTokens: number;
}

/** What stays the same over the calls of a Run, but for the signal of each. */
export type ToolPlace = Omit<ToolContext, 'signal'>;
