import type { ItemState } from '../../src/core/index.ts';
import { attend, finish, openStage, type Stage } from './agent-scenario.ts';
import { ledgerFlaws } from './call-ledger.ts';
import { type LifeEnd, liveUntil } from './die-at.ts';
import type { Moment } from './moments.ts';
import { aliveOf, complaints } from './rig.ts';

/** What lives that were cut short and their successor came to. */
export interface Verdict {
  readonly deaths: readonly string[];
  readonly lives: readonly LifeEnd[];
  /** Sentences, and then what helps to understand them; none when all is well. */
  readonly wrong: readonly string[];
}

/**
 * Engines carry a goal and die one after the other, each at its moment; a person answers whatever is asked. After each
 * death the store is examined; a last engine finishes, and both books are compared.
 */
export async function dieAndFinish(moments: readonly (Moment | undefined)[]): Promise<Verdict> {
  const stage = await openStage();
  const lives: LifeEnd[] = [];
  const wrong: string[] = [];
  try {
    for (const moment of moments) {
      const order = { root: stage.rig.root, options: stage.options, ...(moment ? { moment } : {}) };
      lives.push(await liveUntil(order, (over) => attend(stage, over)));
      wrong.push(...(await complaints(stage.world.store)).map((said) => `after the death: ${said}`));
    }
    const state = await finish(stage);
    wrong.push(...(await flawsOf(stage, state)));
    if (wrong.length > 0) wrong.unshift(JSON.stringify(moments));
    if (wrong.length > 0) wrong.push(...lives.map(({ text }) => text), ...stage.rig.logs, await historyOf(stage));
  } finally {
    const leaked = await stage.close();
    if (leaked > 0) wrong.push(`${leaked} process(es) leaked`);
  }
  return { deaths: lives.flatMap(({ died }) => died ?? []), lives, wrong };
}

async function flawsOf(stage: Stage, state: ItemState): Promise<readonly string[]> {
  const { world, item, rig, model } = stage;
  const events = await world.store.events(item.id, { limit: 10_000 });
  const times = (type: string): number => events.filter(({ body }) => body.type === type).length;
  const executed = (await rig.noted()).length;
  const alive = await aliveOf(world.store);
  const is = (holds: boolean, flaw: string): readonly string[] => (holds ? [] : [flaw]);
  return [
    ...is(state.lifecycle === 'done', `the item is ${state.lifecycle}: ${JSON.stringify(state.hold)}`),
    ...is(model.unmatched.length === 0, `not in the script: ${model.unmatched.map(({ problem }) => problem)}`),
    ...is(executed >= 1 && executed <= times('OperationBegun'), `acted outside ${executed} times`),
    ...is(times('OperationBegun') <= times('GrantUsed'), 'an operation began without a leave'),
    ...is(times('GrantUsed') <= times('GrantGiven'), 'a leave was used twice'),
    ...is(
      state.operations.every(({ effect }) => effect !== 'pending'),
      'an operation is still pending',
    ),
    ...is(alive === 0, `${alive} process(es) are alive`),
    ...(await ledgerFlaws(stage)),
    ...(await complaints(world.store)),
  ];
}

async function historyOf({ world, item }: Stage): Promise<string> {
  const events = await world.store.events(item.id, { limit: 10_000 });
  return events.map(({ seq, body }) => `${seq} ${JSON.stringify(body).slice(0, 400)}`).join('\n');
}

/** Two goals at a time, each with deaths of its own. */
export async function dieAtAll(cases: readonly (readonly Moment[])[]) {
  const todo = [...cases];
  const wrong: string[] = [];
  let died = 0;
  const lane = async (): Promise<void> => {
    for (let moments = todo.shift(); moments; moments = todo.shift()) {
      const verdict = await dieAndFinish(moments);
      wrong.push(...verdict.wrong);
      died += verdict.deaths.length;
    }
  };
  await Promise.all([lane(), lane()]);
  return { died, wrong };
}
