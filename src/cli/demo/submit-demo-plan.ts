import type { ItemState } from '../../core/index.ts';
import { type Ground, type Submitted, submitItem } from '../../engine/index.ts';
import { compilePlan } from '../../plan/compile/compile.ts';
import { parsePlan } from '../../plan/read/parse.ts';
import { type App, principalOf } from '../app.ts';
import { newItemId } from '../item-id.ts';
import type { OpenedWorld } from '../world.ts';

export interface PlanToSubmit {
  readonly repository: string;
  /** Text of the plan file, and the name under which it was written. */
  readonly plan: string;
  readonly planPath: string;
}

/** The demo's own wish cannot be refused unless the program is wrong. */
export function accepted(submitted: Submitted): ItemState {
  if ('code' in submitted) throw new Error(`${submitted.code}: ${submitted.message} ${submitted.found ?? ''}`.trim());
  return submitted.state;
}

function compiled({ plan, planPath }: PlanToSubmit, ground: Ground) {
  const parsed = parsePlan(plan, planPath);
  const { directory, base, defaultBranch, workspace } = ground;
  const result = parsed.ok
    ? compilePlan(parsed.plan, {
        directory,
        base,
        workspaceDefault: workspace,
        ...(defaultBranch === undefined ? {} : { defaultBranch }),
      })
    : parsed;
  if (!result.ok) throw new Error(`the plan of the demo: ${result.problems.map((one) => one.message).join('; ')}`);
  const { contract, limits, actions } = result;
  return { contract, plan: result.plan, limits, actions };
}

/** Submits the demo's plan, as `workcenter run` would. */
export async function submitDemoPlan(app: App, { world }: OpenedWorld, wanted: PlanToSubmit): Promise<ItemState> {
  const { store, home, env, now } = world;
  return accepted(
    await submitItem(
      { store, home, env, now, newItemId },
      {
        directory: wanted.repository,
        dirty: 'refuse',
        inPlace: false,
        start: true,
        principal: principalOf(app.shell),
        compile: (ground) => compiled(wanted, ground),
      },
    ),
  );
}
