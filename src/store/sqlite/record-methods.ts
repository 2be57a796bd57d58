import type { SideRecord, Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';
import type { StoredRecord } from './statements.ts';

function parsed(row: StoredRecord): SideRecord {
  try {
    return { ...row, value: JSON.parse(row.value) as SideRecord['value'] };
  } catch (error) {
    throw new StoreError('store_corrupt', `The record ${row.kind} ${row.id} in the store is damaged.`, error);
  }
}

type RecordMethods = Pick<Store, 'putRecord' | 'getRecord' | 'listRecords' | 'dropRecord'>;

/** Beyond every time and every id. */
const LAST = { at: Number.MAX_SAFE_INTEGER, id: '\uffff' };
const FIRST = { at: Number.MIN_SAFE_INTEGER, id: '' };

/** Records beside the items: small documents, each under a version of its own. */
export const recordMethods = ({ statements: s, write, read }: Connection): RecordMethods => ({
  putRecord: ({ kind, id, at, value }, expectedVersion) =>
    write(() => {
      const text = JSON.stringify(value);
      const { changes } =
        expectedVersion === 0
          ? s.addRecord.run(kind, id, at, text)
          : s.updateRecord.run(at, text, kind, id, expectedVersion);
      return changes === 1;
    }),
  getRecord: (kind, id) =>
    read(() => {
      const row = s.getRecord.get(kind, id);
      return row && parsed(row);
    }),
  listRecords: (kind, { until = LAST.at, behind, newestFirst = false, limit }) =>
    read(() => {
      const from = behind ?? (newestFirst ? LAST : FIRST);
      const statement = newestFirst ? s.newestRecords : s.records;
      return statement.all(kind, until, from.at, from.id, limit).map(parsed);
    }),
  dropRecord: (kind, id, version) => write(() => s.dropRecord.run(kind, id, version ?? null).changes === 1),
});
