import type { Doom } from '../support/effects.ts';
import { startEngine } from '../support/engine-child.ts';
import { aliveOf, openRig, type Rig } from '../support/rig.ts';
import { carryOn, completions, smallPlan, wrongWith } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

/** What one or more cut lives and their successor came to, for a message that says where it went wrong. */
export interface Verdict {
  /** What each life said when it died; fewer than asked for when one lived to the end. */
  readonly deaths: readonly string[];
  /** Effects of a life that was not cut short. */
  readonly effects: number;
  readonly wrong: readonly string[];
}

/**
 * Engines die one after the other, each at its effect; after each death the store is examined. Then a fresh engine
 * carries the item to its end, and everything is examined again.
 */
export async function crashAt(dooms: readonly Doom[], sandbox = false): Promise<Verdict> {
  const rig = await openRig();
  const wrong: string[] = [];
  const deaths: string[] = [];
  let effects = 0;
  try {
    const world = await rig.world();
    const item = await submitPlan(world, smallPlan(rig), rig.repo);
    const texts: string[] = [];
    for (const doom of dooms) {
      const engine = startEngine({ root: rig.root, options: { sandbox }, untilIdle: true, doom });
      await engine.ended;
      texts.push(engine.text());
      const death = engine.lines().find((line) => line.startsWith('dying '));
      if (death !== undefined) deaths.push(death);
      else if (engine.lines().at(-1) !== 'idle') wrong.push('It ended by itself.');
      effects = Number(
        engine
          .lines()
          .find((line) => line.startsWith('effects '))
          ?.split(' ')[1] ?? 0,
      );
      wrong.push(...(await wrongWith(rig)).map((said) => `after the crash: ${said}`));
    }
    const state = await carryOn(rig, item.id, { sandbox });
    wrong.push(...(await wrongWith(rig)).map((said) => `at the end: ${said}`));
    wrong.push(...(await flawsOf(rig, state.lifecycle, await aliveOf(world.store))));
    if (wrong.length > 0) wrong.push(...texts, ...rig.logs, JSON.stringify(await world.store.runs(item.id)));
    return { deaths, effects, wrong: wrong.length > 0 ? [JSON.stringify(dooms), ...deaths, ...wrong] : [] };
  } finally {
    await rig.close();
  }
}

async function flawsOf(rig: Rig, lifecycle: string, alive: number): Promise<readonly string[]> {
  const flaws: string[] = [];
  if (lifecycle !== 'done') flaws.push(`The item is ${lifecycle}.`);
  if (alive > 0) flaws.push(`${alive} process(es) are alive.`);
  const runs = await completions(rig);
  for (const [name, count] of Object.entries(runs)) if (count !== 1) flaws.push(`${name} completed ${count} times.`);
  if (Object.keys(runs).length !== 2) flaws.push(`Completed: ${JSON.stringify(runs)}`);
  const landed = await rig.git('show', 'main:a.txt', 'main:b.txt');
  if (landed !== 'hello\nhello') flaws.push(`main holds ${landed}`);
  const status = await rig.git('status', '--porcelain');
  if (status !== '') flaws.push(`git status: ${status}`);
  return flaws;
}

/** Two items at a time, each with the deaths of its own; answers what went wrong, and the lives that were cut short. */
export async function crashAtAll(
  cases: readonly (readonly Doom[])[],
  sandbox = false,
): Promise<{ readonly died: number; readonly wrong: readonly string[] }> {
  const todo = [...cases];
  const wrong: string[] = [];
  let died = 0;
  const lane = async (): Promise<void> => {
    for (let dooms = todo.shift(); dooms !== undefined; dooms = todo.shift()) {
      const verdict = await crashAt(dooms, sandbox);
      wrong.push(...verdict.wrong);
      died += verdict.deaths.length;
    }
  };
  await Promise.all([lane(), lane()]);
  return { died, wrong };
}
