import { StoreError, type StoreErrorCode } from '../store-error.ts';

const WORDS: Readonly<Record<StoreErrorCode, string>> = {
  store_busy: 'The store is in use by other processes; try again.',
  store_full: 'No space is left for the store; free some and try again.',
  store_io: 'The operating system failed to read or write the store.',
  store_corrupt: 'The store is damaged; run workcenter doctor.',
  store_newer_schema: 'The store was written by a newer version.',
  store_not_found: 'The store does not exist or cannot be opened.',
  store_readonly: 'The store cannot be written; check the permissions of its folder.',
  store_closed: 'The store was closed.',
  item_quarantined: 'The item cannot be read.',
};

const CODES: readonly (readonly [prefix: string, code: StoreErrorCode])[] = [
  ['SQLITE_BUSY', 'store_busy'],
  ['SQLITE_LOCKED', 'store_busy'],
  ['SQLITE_PROTOCOL', 'store_busy'],
  ['SQLITE_FULL', 'store_full'],
  ['SQLITE_READONLY', 'store_readonly'],
  ['SQLITE_PERM', 'store_readonly'],
  ['SQLITE_CANTOPEN', 'store_not_found'],
  ['SQLITE_CORRUPT', 'store_corrupt'],
  ['SQLITE_NOTADB', 'store_corrupt'],
  ['SQLITE_CONSTRAINT', 'store_corrupt'],
  ['SQLITE_IOERR', 'store_io'],
];

const driverCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * The typed error for what the driver threw; anything that is not the driver's is passed on unchanged. A broken
 * constraint is damage: under the write lock nothing else can have come between the check and the write.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const raw = driverCode(error);
  const found = CODES.find(([prefix]) => raw.startsWith(prefix));
  if (found) return new StoreError(found[1], WORDS[found[1]], error);
  if (raw.startsWith('SQLITE_')) return new StoreError('store_io', WORDS.store_io, error);
  if (error instanceof TypeError && error.message.includes('connection is not open')) {
    return new StoreError('store_closed', WORDS.store_closed, error);
  }
  return error;
}

export const isBusy = (error: unknown): boolean => error instanceof StoreError && error.code === 'store_busy';
