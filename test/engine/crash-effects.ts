import type { Doom } from '../support/effects.ts';
import { startEngine } from '../support/engine-child.ts';
import { aliveOf, openRig, type Rig, submitPlan } from '../support/rig.ts';
import { carryOn, completions, smallPlan, wrongWith } from '../support/scenario.ts';

/** What one life and its successor came to, for a message that says where it went wrong. */
export interface Verdict {
  /** The line it said when it died; undefined when it lived to the end. */
  readonly died: string | undefined;
  /** Effects of a life that was not cut short. */
  readonly effects: number;
  readonly wrong: readonly string[];
}

/**
 * One engine dies at the chosen effect; then the store is examined, a fresh engine carries the item to its end, and
 * everything is examined again.
 */
export async function crashOnce(doom: Doom): Promise<Verdict> {
  const rig = await openRig();
  const wrong: string[] = [];
  try {
    const world = await rig.world();
    const item = await submitPlan(world, smallPlan(rig), rig.repo);
    const engine = startEngine({ root: rig.root, options: {}, untilIdle: true, doom });
    await engine.ended;
    const died = engine.lines().find((line) => line.startsWith('dying '));
    if (died === undefined && engine.lines().at(-1) !== 'idle') wrong.push(`It ended by itself:\n${engine.text()}`);
    wrong.push(...(await wrongWith(rig)).map((said) => `after the crash: ${said}`));
    const state = await carryOn(rig, item.id);
    wrong.push(...(await wrongWith(rig)).map((said) => `at the end: ${said}`));
    wrong.push(...(await flawsOf(rig, state.lifecycle, await aliveOf(world.store))));
    if (wrong.length > 0) wrong.push(engine.text(), ...rig.logs, JSON.stringify(await world.store.runs(item.id)));
    const effects = Number(
      engine
        .lines()
        .find((line) => line.startsWith('effects '))
        ?.split(' ')[1] ?? 0,
    );
    return { died, effects, wrong: wrong.length > 0 ? [`${doom.phase} ${doom.at}: ${died}`, ...wrong] : [] };
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

/** Dies at each of the effects, two engines at a time; answers what went wrong and how many died. */
export async function crashAtAll(dooms: readonly Doom[]): Promise<{ died: number; wrong: readonly string[] }> {
  const todo = [...dooms];
  const wrong: string[] = [];
  let died = 0;
  const lane = async (): Promise<void> => {
    for (let doom = todo.shift(); doom !== undefined; doom = todo.shift()) {
      const verdict = await crashOnce(doom);
      wrong.push(...verdict.wrong);
      if (verdict.died !== undefined) died += 1;
    }
  };
  await Promise.all([lane(), lane()]);
  return { died, wrong };
}
