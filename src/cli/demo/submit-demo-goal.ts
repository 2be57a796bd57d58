import { DEFAULT_LIMITS, type ItemState } from '../../core/index.ts';
import { type App, principalOf } from '../app.ts';
import type { Budget } from '../budget-text.ts';
import { submitWith } from '../submit-with.ts';
import { DEMO_CRITERIA, DEMO_GOAL, DEMO_INSTRUCTIONS, DEMO_SETUP } from './demo-goal.ts';
import { accepted } from './submit-demo-plan.ts';

/** Submits the demo's goal, as `workcenter new` would. */
export async function submitDemoGoal(
  app: App,
  wanted: { readonly repository: string; readonly budget: Budget },
): Promise<ItemState> {
  return accepted(
    await submitWith(app)({
      directory: wanted.repository,
      dirty: 'refuse',
      inPlace: false,
      start: true,
      principal: principalOf(app.shell),
      goal: {
        goal: DEMO_GOAL,
        criteria: DEMO_CRITERIA,
        setup: DEMO_SETUP,
        delivery: { target: 'workspace_files' },
        instructions: DEMO_INSTRUCTIONS,
        limits: { ...DEFAULT_LIMITS, ...wanted.budget },
        attachments: [],
        reuseMemory: true,
      },
    }),
  );
}
