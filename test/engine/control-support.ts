import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ActionState,
  type CommandBody,
  type HumanRequest,
  type ItemState,
  sentenceOf,
} from '../../src/core/index.ts';
import { type Engine, wasRefused } from '../../src/engine/index.ts';
import type { Workbench } from './workbench.ts';

type SubmitOptions = Parameters<Workbench['submit']>[1];

/** Submits and answers the id; a refusal fails the test in the refusal's own words. */
export async function submitted(bench: Workbench, plan: string, options?: SubmitOptions): Promise<string> {
  const result = await bench.submit(plan, options);
  if ('code' in result) throw new Error(`${result.code}: ${result.message} ${result.found ?? ''}`);
  return result.state.id;
}

/** An engine that is already at work; `bench.close` stops it. */
export async function started(bench: Workbench): Promise<Engine> {
  const engine = bench.engine();
  await engine.start();
  return engine;
}

/** Submits and carries with options, until only a person can move it. */
export async function carried(bench: Workbench, plan: string, options?: SubmitOptions): Promise<ItemState> {
  const id = await submitted(bench, plan, options);
  const engine = await started(bench);
  const state = await engine.untilSettled(id);
  await engine.stop();
  return state;
}

export async function loaded(bench: Workbench, id: string): Promise<ItemState> {
  const state = await bench.world.store.load(id);
  if (!state) throw new Error(`no item ${id}`);
  return state;
}

/** Issues a command as a person; answers what the store said. */
export const ask = (bench: Workbench, id: string, body: CommandBody) =>
  bench.world.store.execute({ itemId: id, principal: { kind: 'user', name: 'test' }, body });

/** The same, where a refusal would be a defect. */
export async function tell(bench: Workbench, id: string, body: CommandBody): Promise<ItemState> {
  const result = await ask(bench, id, body);
  if (wasRefused(result)) throw new Error(`${body.type}: ${result.code} ${result.message} ${result.found ?? ''}`);
  return result.state;
}

const HANG_GUARD_MS = 40_000;

/** Resolves with the first committed state for which the predicate holds; says where the item was when it never does. */
export async function until(bench: Workbench, id: string, holds: (state: ItemState) => boolean): Promise<ItemState> {
  const now = await bench.world.store.load(id);
  if (now && holds(now)) return now;
  return new Promise((resolve, reject) => {
    let last = now;
    const guard = setTimeout(() => {
      unsubscribe();
      reject(new Error(`never came: ${last ? sentenceOf(last) : 'no item'}; ${bench.logs.slice(-5).join(' | ')}`));
    }, HANG_GUARD_MS);
    const unsubscribe = bench.world.store.onCommit((state) => {
      if (state.id !== id) return;
      last = state;
      if (!holds(state)) return;
      clearTimeout(guard);
      unsubscribe();
      resolve(state);
    });
  });
}

export function actionOf(state: ItemState, id: string): ActionState {
  const action = state.actions.find((candidate) => candidate.id === id);
  if (!action) throw new Error(`no action ${id}`);
  return action;
}

/** The one open request; more or fewer is a defect. */
export function openRequest(state: ItemState): HumanRequest {
  const [request, ...more] = state.requests;
  if (!request || more.length > 0) {
    throw new Error(`expected one request, found ${JSON.stringify(state.requests)}; ${sentenceOf(state)}`);
  }
  return request;
}

/** A file outside every workspace by which a command (without a sandbox) and its test meet. */
export function gate(bench: Workbench, name: string) {
  const path = join(bench.root, name);
  return {
    path,
    /** Shell: says that it has arrived, then waits for the test. */
    wait: `: > '${path}.here'; until [ -e '${path}' ]; do sleep 0.02; done`,
    isReached: () => existsSync(`${path}.here`),
    open: () => writeFile(path, ''),
  };
}

/** Resolves when a command has arrived at the gate. */
export async function reached(place: { isReached(): boolean }): Promise<void> {
  const giveUpAt = Date.now() + HANG_GUARD_MS;
  while (!place.isReached()) {
    if (Date.now() > giveUpAt) throw new Error('no command came to the gate');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
