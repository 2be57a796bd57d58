import { randomUUID } from 'node:crypto';
import type { Command, CommandBody, ItemState, Policy, Principal } from '../core/index.ts';
import { type Home, homeAt } from '../engine/home.ts';
import { onceKey } from '../engine/once-key.ts';
import type { Store } from '../store/store.ts';
import { type Failure, failure, isFailure, type Outcome } from './answer.ts';
import { dataDirectory, makeDataDirectory } from './data-directory.ts';
import { rejected } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import type { View } from './render/view.ts';
import type { Server } from './server/server.ts';
import type { ServerPlace } from './server/server-file.ts';
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
  /** The server that changes are asked of, so that the process that carries the work acts at once. Looked for once. */
  readonly server?: () => Promise<Server | undefined>;
}

const once = <T>(find: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find();
    return found;
  };
};

const findOwnServer = async (place: ServerPlace): Promise<Server | undefined> =>
  (await import('./server/server.ts')).ownServer(place);

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

async function withRemoteApp(shell: Shell, url: string, work: (app: App) => Promise<Outcome>): Promise<Outcome> {
  const app = await (await import('./server/remote-app.ts')).remoteApp(shell, url);
  return isFailure(app) ? app : work(app);
}

/** Opens the store, lets the command work, and closes the store whatever happened. */
export async function withApp(shell: Shell, work: (app: App) => Promise<Outcome>): Promise<Outcome> {
  const { WORKCENTER_URL: url = '' } = shell.env;
  if (url !== '') return withRemoteApp(shell, url, work);
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
    return await work({ shell, home, store, policy, server: once(() => findOwnServer({ home, shell })) });
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

/** The same by way of the server; undefined where it decided nothing. */
async function commandOn(
  server: Server,
  { store }: App,
  itemId: string,
  body: CommandBody,
  key: string,
): Promise<ItemState | Failure | undefined> {
  const [{ askServer, filesOn }, { sendCommand }] = await Promise.all([
    import('./server/server.ts'),
    import('./server/send-command.ts'),
  ]);
  const files = await filesOn(server, store, 'attachments' in body ? body.attachments : []);
  const said = await askServer(server, (client) => sendCommand(client, itemId, body, key, files));
  return said === undefined || isFailure(said) ? said : store.load(itemId);
}

/**
 * Issues a command in the name of the person; the state after it, or the refusal. Under a key it takes effect once, by
 * whatever way it is sent. A server that runs is asked first; without one, or where it decided nothing, the store
 * decides here.
 */
export async function command(app: App, itemId: string, body: CommandBody, key?: string): Promise<ItemState | Failure> {
  const server = await app.server?.();
  const used = server ? (key ?? randomUUID()) : key;
  const said = server && used !== undefined ? await commandOn(server, app, itemId, body, used) : undefined;
  if (said !== undefined) return said;
  const asked: Command = { itemId, principal: principalOf(app.shell), body };
  const result = await app.store.execute(
    used === undefined ? asked : { ...asked, idempotencyKey: onceKey(itemId, used) },
  );
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
