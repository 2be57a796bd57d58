import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { statusOf } from '../../core/derive/status.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { DirtyPolicy } from '../../plan/compile/compile.ts';
import { answer, type Failure, isFailure, type Outcome } from '../answer.ts';
import { type App, principalOf, viewOf, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { rejected } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { followItem } from '../follow.ts';
import { newItemId } from '../item-id.ts';
import { argument, choiceOption, flagOption, type Input, textOption } from '../options.ts';
import { compiling, planFailure, readPlan, wishes } from '../plan-source.ts';
import { openProgress } from '../progress.ts';
import { itemText } from '../render/item.ts';
import { itemReport } from '../report.ts';
import { liveServers } from '../servers.ts';
import { exitOf, isSettled } from '../settled.ts';
import type { Shell } from '../shell.ts';
import { userHomeOf } from '../user-home.ts';
import { engineOptions, openWorld } from '../world.ts';

const DIRTY = ['refuse', 'snapshot', 'in-place'] as const;

/** A plan becomes an item: nothing runs yet. */
async function submit(app: App, input: Input): Promise<ItemState | Failure> {
  const { shell, store, home } = app;
  const chosen = choiceOption<DirtyPolicy>(input, 'dirty', DIRTY);
  if (isFailure(chosen)) return chosen;
  const plan = await readPlan(argument(input, 0), shell);
  if (isFailure(plan)) return plan;
  const wished = wishes(plan);
  const dirty = chosen ?? wished.dirty;
  const { compile, problems } = compiling(plan, dirty, userHomeOf(app.shell));
  const { submitItem } = await import('../../engine/submit/submit-item.ts');
  const key = textOption(input, 'key');
  const submitted = await submitItem(
    { store, home, env: shell.env, now: shell.now, newItemId },
    {
      directory: resolve(shell.cwd, textOption(input, 'repo') ?? '.'),
      dirty,
      inPlace: wished.inPlace,
      start: !flagOption(input, 'draft'),
      principal: principalOf(shell),
      planFile: await realpath(resolve(shell.cwd, plan.fileName)).catch(() => resolve(shell.cwd, plan.fileName)),
      compile,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    },
  );
  if (!('code' in submitted)) return submitted.state;
  return problems().length > 0 ? planFailure(plan, problems()) : rejected(submitted);
}

async function report(app: App, state: ItemState, before: readonly string[] = []): Promise<Outcome> {
  const runs = await app.store.runs(state.id, { limit: 1_000 });
  const text = [...before, itemText(state, runs, viewOf(app.shell))].join('\n');
  return answer(text, itemReport(state, runs), exitOf(state));
}

/** Waits for an item that this process, or a server, carries. */
export async function attend(app: App, itemId: string, signal: AbortSignal, after = 0): Promise<ItemState | undefined> {
  const progress = openProgress(app, after);
  try {
    return await followItem(app, itemId, { show: progress.show, isOver: isSettled }, signal);
  } finally {
    progress.close();
  }
}

const interruptedAnswer = (state: ItemState): Outcome =>
  answer(
    `Stopped carrying ${state.id}; nothing is lost. Carry on: workcenter up`,
    { id: state.id, status: statusOf(state), interrupted: true, next: 'workcenter up' },
    EXIT.interrupted,
  );

/** Carries the item with an engine of this process's own. */
async function carry(app: App, state: ItemState): Promise<Outcome> {
  const signal = app.shell.interruptible();
  const opened = await openWorld(app, { embedded: true });
  const { openEngine } = await import('../../engine/index.ts');
  const engine = openEngine(opened.world, await engineOptions(opened, new Set([state.id])));
  await engine.start();
  let last: ItemState | undefined;
  try {
    last = await attend(app, state.id, signal);
    if (signal.aborted) app.shell.err('Stopping; once more to stop at once.');
  } finally {
    await engine.stop();
  }
  const now = (await app.store.load(state.id)) ?? last ?? state;
  return signal.aborted && !isSettled(now) ? interruptedAnswer(now) : report(app, now);
}

async function watchServer(app: App, state: ItemState): Promise<Outcome> {
  const signal = app.shell.interruptible();
  const last = (await attend(app, state.id, signal)) ?? state;
  if (!signal.aborted) return report(app, last);
  const text = `No longer watching ${state.id}; the server carries on. workcenter watch ${state.id}`;
  return answer(text, itemReport(last, await app.store.runs(state.id)), EXIT.interrupted);
}

async function detached(app: App, state: ItemState, served: boolean): Promise<Outcome> {
  const next = served ? `workcenter watch ${state.id}` : 'workcenter up';
  const who = served ? 'A server carries it.' : 'Nothing carries it yet.';
  const runs = await app.store.runs(state.id);
  return answer(`${state.id}  ${state.contract.title}\n${who} Next: ${next}`, itemReport(state, runs));
}

async function submitAndCarry(app: App, input: Input): Promise<Outcome> {
  const state = await submit(app, input);
  if (isFailure(state)) return state;
  if (state.lifecycle === 'draft') {
    const text = `${state.id}  ${state.contract.title}\nDraft, not started. Next: workcenter start ${state.id}`;
    return answer(text, itemReport(state, []));
  }
  const served = (await liveServers(app)).length > 0;
  if (flagOption(input, 'detach')) return detached(app, state, served);
  if (isSettled(state)) return report(app, state);
  return served ? watchServer(app, state) : carry(app, state);
}

export const run: CommandModule = {
  define: (command) =>
    void command
      .argument('<plan>', 'plan file (YAML)')
      .option('--repo <dir>', 'project directory; this one by default')
      .option('--detach', 'submit only; a server carries it')
      .option('--draft', 'create it without starting')
      .option('--dirty <policy>', `uncommitted work: ${DIRTY.join(', ')}`)
      .option('--key <key>', 'idempotency key: the same submission again is the same item'),
  examples: [
    'workcenter run workcenter.yaml',
    'workcenter run plan.yaml --repo ../app --dirty snapshot',
    'workcenter run plan.yaml --detach --key nightly-2026-05-01',
  ],
  userOnly: false,
  run: (shell: Shell, input: Input) => withApp(shell, (app) => submitAndCarry(app, input)),
};
