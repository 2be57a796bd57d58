import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ItemState } from '../../core/index.ts';
import { implementer } from '../../vp/built-in/implementer.ts';
import { reviewer } from '../../vp/built-in/reviewer.ts';
import type { App } from '../app.ts';
import type { Budget } from '../budget-text.ts';
import type { Paint } from '../render/paint.ts';
import { itemReport } from '../report.ts';
import type { Carried, DemoRun } from './carry-demo.ts';
import { type DemoModel, readyModel, settingsFor } from './demo-model.ts';
import type { DemoPlaces } from './demo-places.ts';
import { demoPlan } from './demo-plan.ts';
import { type CarryOn, carryGoalOn, carryPlanOn, goalOpening, planOpening } from './demo-words.ts';
import { goalReport } from './goal-report.ts';
import { narrate } from './narrate.ts';
import { talkNarrator } from './narrate-talk.ts';
import { submitDemoGoal } from './submit-demo-goal.ts';
import { submitDemoPlan } from './submit-demo-plan.ts';

/** One of the two ways in which the demo can be told; what they share is in `demo.ts`. */
export interface Story extends Pick<DemoRun, 'submit' | 'narrator'> {
  readonly opening: string;
  /** Added to the environment of the engine. */
  readonly env: Readonly<Record<string, string>>;
  readonly report: (carried: Carried) => Readonly<Record<string, unknown>>;
  /** The command that carries on where this one was interrupted. */
  readonly carryOn: CarryOn;
  close(): Promise<void>;
}

/** A plan that needs no model, carried out by canned commands. */
export async function planStory(places: DemoPlaces, paint: Paint): Promise<Story> {
  const { repository, planPath, agents } = places;
  const plan = demoPlan(agents);
  await writeFile(planPath, plan);
  return {
    opening: planOpening(places, paint),
    env: {},
    submit: (app, opened) => submitDemoPlan(app, opened, { repository, plan, planPath }),
    narrator: () => (state, event) => narrate(state, event, paint),
    report: ({ state, runs }) => itemReport(state, runs),
    carryOn: carryPlanOn(places),
    close: async () => undefined,
  };
}

/** The VPs of the story stand before those that the person has under the same names, which may use fewer tools. */
async function writeVps(config: string): Promise<void> {
  for (const [id, text] of Object.entries({ implementer, reviewer })) {
    const path = join(config, 'vps', `${id}.md`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function unfinished({ store }: App): Promise<ItemState | undefined> {
  const [item] = (await store.list({ limit: 1 })).items;
  return item && store.load(item.id);
}

/** A goal that a Coordinator and agents carry, with the model that was chosen. */
export async function goalStory(
  places: DemoPlaces,
  paint: Paint,
  { model, budget }: { readonly model: DemoModel; readonly budget: Budget },
): Promise<Story> {
  await writeVps(places.config);
  const ready = await readyModel(model);
  return {
    opening: goalOpening(places, model, budget, paint),
    env: { ...ready.env, WORKCENTER_CONFIG: places.config },
    submit: async (app) => {
      const { version } = await app.store.readSettings();
      await app.store.writeSettings(version, settingsFor(model));
      return (await unfinished(app)) ?? submitDemoGoal(app, { repository: places.repository, budget });
    },
    narrator: (store) => talkNarrator(store, paint),
    report: (carried) => goalReport(carried, model),
    carryOn: carryGoalOn(places),
    close: ready.close,
  };
}
