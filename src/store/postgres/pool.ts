import { StoreError, type StoreErrorCode } from '../store-error.ts';
import { BEGIN, COMMIT, ROLLBACK, type Statement } from './sql.ts';

/** What this store uses of the `pg` driver, which the caller brings along. */
export interface PgQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

export interface PgResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** What tells of connections that died while nobody waited for an answer. Unheard, such a word ends the process. */
export interface PgErrors {
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PgClient extends PgErrors {
  query(query: PgQuery): Promise<PgResult>;
  /** `true` throws the connection away. */
  release(destroy?: boolean): void;
}

export interface PgPool extends PgErrors {
  connect(): Promise<PgClient>;
  query(query: PgQuery): Promise<PgResult>;
}

/** The loss needs no answer here: an idle connection is replaced, and the next statement of a taken one fails. */
const heard = (): void => {};
const survived = new WeakSet<PgPool>();

/** Lets the process outlive connections that the server closes while they are idle: a restart, an administrator. */
export function surviveLostConnections(pool: PgPool): void {
  if (survived.has(pool)) return;
  survived.add(pool);
  pool.on?.('error', heard);
}

/** Asks a statement, with the type its select list has. */
export async function rowsOf<Row>(
  client: Pick<PgClient, 'query'>,
  statement: Statement,
  ...values: unknown[]
): Promise<readonly Row[]> {
  const { rows } = await client.query({ ...statement, values });
  return rows as readonly Row[];
}

/** Runs a statement; answers how many rows it touched. */
export async function change(
  client: Pick<PgClient, 'query'>,
  statement: Statement,
  ...values: unknown[]
): Promise<number> {
  return (await client.query({ ...statement, values })).rowCount ?? 0;
}

const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Somebody else was faster, or two waited for each other: nothing was written, and trying again will tell. */
const CONTENDED = /^(23505|40001|40P01)$/;
const CODES: readonly (readonly [RegExp, StoreErrorCode, string])[] = [
  [/^(53300|55P03|57014)$/, 'store_busy', 'The database is too busy; try again.'],
  [/^53100$/, 'store_full', 'No space is left for the database.'],
  [/^(25006|42501)$/, 'store_readonly', 'The database may not be written by this user.'],
  [/^3D000$/, 'store_not_found', 'The database does not exist.'],
  [/^(08|57P|E[A-Z]+$)/, 'store_io', 'The connection to the database failed.'],
];

export const isContended = (error: unknown): boolean => CONTENDED.test(sqlState(error));

/** The typed error for what the driver threw; what is not the driver's is passed on unchanged. */
export function toStoreError(error: unknown): unknown {
  const state = sqlState(error);
  const found = CODES.find(([pattern]) => pattern.test(state));
  if (found) return new StoreError(found[1], found[2], error);
  if (/^[0-9A-Z]{5}$/.test(state)) return new StoreError('store_io', 'The database refused a statement.', error);
  const lost = error instanceof Error && error.message.startsWith('Connection terminated');
  return lost ? new StoreError('store_io', 'The connection to the database was lost.', error) : error;
}

/** Runs `work` in one transaction. A connection that failed is not given back. */
export async function inTransaction<T>(pool: PgPool, work: (client: PgClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // The pool does not listen to a connection that is taken.
  client.on?.('error', heard);
  let broken = false;
  try {
    await client.query(BEGIN);
    const result = await work(client);
    await client.query(COMMIT);
    return result;
  } catch (error) {
    broken = await client.query(ROLLBACK).then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.off?.('error', heard);
    client.release(broken);
  }
}
