import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ItemState } from '../../core/model/item.ts';
import type { DirtyPolicy } from '../../plan/compile/compile.ts';
import { type Failure, isFailure, type Outcome } from '../answer.ts';
import { type App, principalOf, withApp } from '../app.ts';
import { carryOrWatch, leave } from '../carry.ts';
import type { CommandModule } from '../command.ts';
import { rejected } from '../errors.ts';
import { newItemId } from '../item-id.ts';
import { argument, choiceOption, flagOption, type Input, textOption } from '../options.ts';
import { compiling, planFailure, readPlan, surroundingsOf, wishes } from '../plan-source.ts';
import type { Shell } from '../shell.ts';

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
  const directory = resolve(shell.cwd, textOption(input, 'repo') ?? '.');
  const { compile, problems } = compiling(plan, dirty, await surroundingsOf(plan, app, directory));
  const { submitItem } = await import('../../engine/submit/submit-item.ts');
  const key = textOption(input, 'key');
  const submitted = await submitItem(
    { store, home, env: shell.env, now: shell.now, newItemId },
    {
      directory,
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

async function submitAndCarry(app: App, input: Input): Promise<Outcome> {
  const state = await submit(app, input);
  if (isFailure(state)) return state;
  const stays = state.lifecycle !== 'draft' && !flagOption(input, 'detach');
  return stays ? carryOrWatch(app, state) : leave(app, state);
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
