import type { Command, CommandBody, ItemState, Policy, Principal } from '../core/index.ts';
import { type Home, homeAt } from '../engine/home.ts';
import type { Store } from '../store/store.ts';
import { type Failure, failure, isFailure, type Outcome } from './answer.ts';
import { dataDirectory, makeDataDirectory } from './data-directory.ts';
import { rejected } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import type { View } from './render/view.ts';
import type { Shell } from './shell.ts';

const DEFAULT_CONCURRENCY = 3;

type AppPolicy = { -readonly [K in keyof Policy]: Policy[K] };

/** A command's hold on the installation: where it lies, and its open store. */
export interface App {
  readonly shell: Shell;
  readonly home: Home;
  readonly store: Store;
  /** What the store's door admits: Runs at a time, use of a day; set when an engine is opened. */
  readonly policy: AppPolicy;
}

/** Nothing when the data directory is there. */
async function makeHome(root: string): Promise<Failure | undefined> {
  try {
    await makeDataDirectory(root);
    return undefined;
  } catch (error) {
    return failure(EXIT.store, 'file_system', 'The data directory cannot be made.', {
      expected: `a directory that can be written at ${root}`,
      found: error instanceof Error ? error.message : String(error),
      next: 'Set WORKCENTER_HOME to a place where you may write.',
    });
  }
}

/** Opens the store, lets the command work, and closes the store whatever happened. */
export async function withApp(shell: Shell, work: (app: App) => Promise<Outcome>): Promise<Outcome> {
  const home = homeAt(await dataDirectory(shell));
  const unusable = await makeHome(home.root);
  if (unusable) return unusable;
  const [{ openSqliteStore }, { configureGit }] = await Promise.all([
    import('../store/sqlite/open-sqlite-store.ts'),
    import('../workspace/git/run-git.ts'),
  ]);
  configureGit(shell.env.PATH === undefined ? {} : { path: shell.env.PATH });
  const policy: AppPolicy = { concurrency: DEFAULT_CONCURRENCY, dailyTokens: null, dailyCostMicros: null };
  const store = await openSqliteStore({ path: home.database, policy: () => policy });
  try {
    return await work({ shell, home, store, policy });
  } finally {
    await store.close();
  }
}

/** The person at the terminal; inside of a Run, whatever works there. */
export function principalOf({ env }: Pick<Shell, 'env'>): Principal {
  if (env.WORKCENTER_RUN !== undefined) return { kind: 'agent', name: env.WORKCENTER_RUN };
  return { kind: 'user', name: env.USER ?? env.LOGNAME ?? 'user' };
}

/** The item that a unique prefix of its id names. */
export async function itemNamed(app: App, prefix: string): Promise<ItemState | Failure> {
  const wanted = prefix.trim().toLowerCase();
  const ids = wanted === '' ? [] : await app.store.findItems(wanted);
  const exact = ids.find((id) => id === wanted);
  const [first, ...others] = exact === undefined ? ids : [exact];
  if (first === undefined) {
    return failure(EXIT.notFound, 'item_not_found', `There is no item ${prefix}.`, {
      expected: 'an id, or the beginning of one',
      found: prefix === '' ? 'nothing' : prefix,
      next: 'workcenter ls --all',
    });
  }
  if (others.length > 0) {
    return failure(EXIT.invalid, 'item_ambiguous', `${prefix} names ${ids.length} items.`, {
      expected: 'more letters of the id',
      found: ids.join(', '),
    });
  }
  const state = await app.store.load(first);
  return (
    state ?? failure(EXIT.notFound, 'item_not_found', `There is no item ${first}.`, { next: 'workcenter ls --all' })
  );
}

/** Issues a command in the name of the person; the state after it, or the refusal. Under a key it takes effect once. */
export async function command(
  app: App,
  itemId: string,
  body: CommandBody,
  idempotencyKey?: string,
): Promise<ItemState | Failure> {
  const principal = principalOf(app.shell);
  const asked: Command = { itemId, principal, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  const result = await app.store.execute(asked);
  return 'code' in result ? rejected(result) : result.state;
}

/** Opens the store and finds the item, which nearly every command needs. */
export function withItem(
  shell: Shell,
  prefix: string,
  work: (app: App, state: ItemState) => Promise<Outcome>,
): Promise<Outcome> {
  return withApp(shell, async (app) => {
    const state = await itemNamed(app, prefix);
    return isFailure(state) ? state : work(app, state);
  });
}

export const viewOf = ({ now, columns, paint }: Shell): View => ({ now: now(), columns, paint });
