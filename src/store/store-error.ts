/**
 * What can go wrong with the store itself. Refusals of a command are `Rejection` values, not this.
 *
 * | Code                | Meaning                                                             | Retry helps |
 * | ------------------- | ------------------------------------------------------------------- | ----------- |
 * | store_busy          | other processes kept the write lock for the whole waiting time       | yes         |
 * | store_full          | no space left on the device                                         | after space |
 * | store_io            | the operating system failed a read, a write or a sync               | perhaps     |
 * | store_corrupt       | the file is damaged, or rows contradict each other                  | no          |
 * | store_newer_schema  | a newer version of the program wrote a schema this one must not use | upgrade     |
 * | store_not_found     | the file, or the named row, does not exist                          | no          |
 * | store_readonly      | the file or its folder cannot be written                            | no          |
 * | store_closed        | used after `close`                                                  | no          |
 * | item_quarantined    | the stream of one item cannot be folded; others are not affected    | no          |
 */
export type StoreErrorCode =
  | 'store_busy'
  | 'store_full'
  | 'store_io'
  | 'store_corrupt'
  | 'store_newer_schema'
  | 'store_not_found'
  | 'store_readonly'
  | 'store_closed'
  | 'item_quarantined';

/** Messages are ours; the driver's own words stay in `cause`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export const isStoreError = (value: unknown): value is StoreError => value instanceof StoreError;
