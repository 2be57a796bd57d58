import {
  ACTION_LIMITS,
  type CommandOf,
  type CommandType,
  type ItemState,
  type LiveRun,
  type RunFence,
  type TurnFence,
} from '../../src/core/index.ts';
import type { Draw } from './draw.ts';

/** What a command is made for: an item as it is now, and what was true of it before. */
export interface Scene {
  readonly draw: Draw;
  readonly state: ItemState;
  /** Fences of Runs that have ended. */
  readonly spent: readonly RunFence[];
  /** Fences of turns that are over. */
  readonly spentTurns: readonly TurnFence[];
  readonly now: number;
  /** A number never used before. */
  readonly fresh: () => number;
}

export const LEASE_MS = 60_000;
export const OWNERS = ['w1', 'w2'] as const;
const TOO_LONG = 'x'.repeat(ACTION_LIMITS.guidanceChars + 1);

/** One in twelve comes too late: with the number before the present one. */
export const maybeOld = ({ draw }: Scene, present: number): number => (draw.chance(8) ? present - 1 : present);

export const words = ({ draw }: Scene, said: string): string =>
  draw.chance(3) ? TOO_LONG : draw.chance(5) ? '' : said;

/** Mostly one that fits, now and then whatever there is. */
export function pick<T>({ draw }: Scene, all: readonly T[], fits: (one: T) => boolean): T | undefined {
  const fitting = draw.chance(90) ? all.filter(fits) : [];
  const among = fitting.length > 0 ? fitting : all;
  return among.length > 0 ? draw.of(among) : undefined;
}

/** The fence of a live Run, of one that ended, or of one that somebody else owns. */
export function fenceOf(scene: Scene, fits: (run: LiveRun) => boolean): RunFence {
  const { draw, spent, state } = scene;
  const live = pick(scene, state.runs, fits);
  if (!live) return spent.length > 0 ? draw.of(spent) : { runId: 'nobody', epoch: 1, owner: 'w1' };
  if (spent.length > 0 && draw.chance(4)) return draw.of(spent);
  const { id: runId, owner } = live;
  return { runId, epoch: maybeOld(scene, live.epoch), owner: draw.chance(3) ? 'thief' : owner };
}

/** One way to make each command of these types. */
export type Generators<T extends CommandType> = { readonly [K in T]: (scene: Scene) => CommandOf<K> };
