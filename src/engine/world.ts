import type { Command, CommandBody, ItemState, Principal, Rejection } from '../core/index.ts';
import type { Store } from '../store/store.ts';
import type { Enforcement } from '../workspace/sandbox/policy.ts';
import type { Home } from './home.ts';
import type { LiveText } from './live/live-text.ts';
import type { EngineSettings } from './settings.ts';
import type { Worker } from './worker.ts';

/** One line for the log: what happened, to which item; never a secret, never a body. */
export type Log = (message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** What every part of the running process is given; nothing here is a global. */
export interface World {
  readonly store: Store;
  readonly home: Home;
  readonly worker: Worker;
  readonly settings: EngineSettings;
  /** The person's own environment, read once by the command line. */
  readonly env: Readonly<Record<string, string>>;
  readonly userHome: string;
  /** The person's own configuration: VPs, skills, MCP servers. */
  readonly userConfigDir: string;
  /** Directories on the person's own PATH beneath their home. */
  readonly toolPaths: readonly string[];
  readonly enforcement: Enforcement;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Log;
  /** Where text goes that people watch; nowhere when absent. */
  readonly liveText?: LiveText;
}

const ENGINE: Principal = { kind: 'engine', name: 'engine' };

/** The same with bodies that the command names by their hash: stored with it, or not at all. */
export function issueWith(
  world: World,
  itemId: string,
  body: CommandBody,
  contents: readonly string[],
): ReturnType<Store['execute']> {
  const command: Command = { itemId, principal: ENGINE, body };
  return contents.length === 0 ? world.store.execute(command) : world.store.executeWith(command, contents);
}

/** Issues a command in the engine's own name; under a key it takes effect once, however often it is said. */
export function issue(
  world: World,
  itemId: string,
  body: CommandBody,
  idempotencyKey?: string,
): ReturnType<Store['execute']> {
  const command: Command = { itemId, principal: ENGINE, body };
  return world.store.execute(idempotencyKey === undefined ? command : { ...command, idempotencyKey });
}

export const wasRefused = (result: { readonly type: 'executed' } | Rejection): result is Rejection => 'code' in result;

export const itemBranchName = (state: Pick<ItemState, 'id'>): string => `workcenter/${state.id}`;
