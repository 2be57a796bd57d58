import type { ItemState } from '../core/index.ts';
import type { World } from '../engine/index.ts';
import { type ItemDiff, itemDiff } from '../engine/on-demand/item-diff.ts';
import type { Environment } from '../model/index.ts';
import { loadVps, type VpRegistry } from '../vp/index.ts';
import type { Refusal } from './problem.ts';

/** What only the machine can tell that the engine runs on: its repositories, its files, its environment. */
export interface OnMachine {
  readonly diff: (state: ItemState, actionId: string | undefined) => Promise<ItemDiff>;
  /** Built-in ones and the person's own; with those of a project where one is named. */
  readonly vps: (projectDirectory: string | undefined) => Promise<VpRegistry>;
  /** Where keys of models are looked for; none is ever told. */
  readonly environment: Environment;
}

/** The machine that this engine runs on. */
export const onMachine = (world: World): OnMachine => ({
  diff: (state, actionId) => itemDiff(world, state, actionId === undefined ? {} : { actionId }),
  vps: (projectDirectory) =>
    loadVps({
      userDirectory: world.userConfigDir,
      userHome: world.userHome,
      ...(projectDirectory === undefined ? {} : { projectDirectory }),
    }),
  environment: world.env,
});

/** The refusal of a server that was started without it. */
export const CANNOT_TELL: Refusal = {
  code: 'cannot_tell',
  message: 'This server does not run where that could be looked up.',
  next: 'Ask the server of workcenter up.',
};
