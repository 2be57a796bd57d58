import type {
  Attachment,
  BackgroundMessage,
  Contract,
  Criterion,
  Delivery,
  Limits,
  Origin,
  Principal,
  Setup,
} from '../../core/index.ts';
import { titleOf, worded } from '../../text/worded.ts';
import { type Payload, type Submitted, type SubmitWorld, submitItem } from './submit-item.ts';
import type { Ground, SurveyRequest } from './survey.ts';

/** What a person asks for, before the directory is known; the Coordinator plans the rest (D1). */
export interface Goal {
  readonly goal: string;
  /** Without one it is made from the goal, and the Coordinator may give a better one. */
  readonly title?: string;
  readonly criteria: readonly Criterion[];
  readonly setup?: Setup;
  /** `branch` is left out where the person named none: then it is the one that is checked out. */
  readonly delivery: Delivery;
  readonly instructions?: string;
  readonly limits: Limits;
  /** Their bytes are content already. */
  readonly attachments: readonly Attachment[];
  readonly reuseMemory: boolean;
  readonly origin?: Origin;
  readonly background?: readonly BackgroundMessage[];
}

export interface GoalSubmission extends SurveyRequest {
  readonly goal: Goal;
  readonly start: boolean;
  readonly principal: Principal;
  readonly idempotencyKey?: string;
}

const withBranch = (delivery: Delivery, branch: string | undefined): Delivery => {
  const takesOne = delivery.target === 'merge' || delivery.target === 'pull_request';
  return takesOne && delivery.branch === undefined && branch !== undefined ? { ...delivery, branch } : delivery;
};

function contractOf(goal: Goal, { directory, workspace, defaultBranch }: Ground): Contract {
  return {
    title: goal.title === undefined ? titleOf(goal.goal) : worded(goal.title),
    goal: worded(goal.goal),
    criteria: goal.criteria,
    ...(goal.setup === undefined ? {} : { setup: goal.setup }),
    delivery: withBranch(goal.delivery, defaultBranch),
    ...(goal.instructions === undefined ? {} : { instructions: goal.instructions.trim() }),
    directory,
    workspace,
  };
}

/** The coordinated item that a goal becomes on this ground; rules are checked by the core, not here. */
export function compileGoal(goal: Goal, ground: Ground): Payload {
  const { limits, attachments, reuseMemory, origin, background } = goal;
  return {
    contract: contractOf(goal, ground),
    plan: { kind: 'coordinated' },
    limits,
    actions: [],
    titlePending: goal.title === undefined,
    attachments,
    reuseMemory,
    ...(origin === undefined ? {} : { origin }),
    ...(background === undefined ? {} : { background }),
  };
}

/** Creates a coordinated item; survey, pin and refusals are those of every submission ({@link submitItem}). */
export function submitGoal(world: SubmitWorld, submission: GoalSubmission): Promise<Submitted> {
  const { goal, ...rest } = submission;
  return submitItem(world, { ...rest, compile: (ground) => compileGoal(goal, ground) });
}
