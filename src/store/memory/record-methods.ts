import type { SideRecord, Store } from '../store.ts';
import type { Tables } from './tables.ts';

type RecordMethods = Pick<Store, 'putRecord' | 'getRecord' | 'listRecords' | 'dropRecord'>;
type Place = Pick<SideRecord, 'at' | 'id'>;

const keyOf = (kind: string, id: string): string => JSON.stringify([kind, id]);
const byPlace = (a: Place, b: Place): number => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id));

export const recordMethods = (t: Tables): RecordMethods => ({
  putRecord: async (row, expectedVersion) => {
    const key = keyOf(row.kind, row.id);
    if ((t.records.get(key)?.version ?? 0) !== expectedVersion) return false;
    const value = JSON.parse(JSON.stringify(row.value)) as SideRecord['value'];
    t.records.set(key, { ...row, value, version: expectedVersion + 1 });
    return true;
  },
  getRecord: async (kind, id) => t.records.get(keyOf(kind, id)),
  listRecords: async (kind, { until = Number.MAX_SAFE_INTEGER, behind, newestFirst = false, limit }) => {
    const sign = newestFirst ? -1 : 1;
    return [...t.records.values()]
      .filter((row) => row.kind === kind && row.at <= until && (!behind || sign * byPlace(row, behind) > 0))
      .sort((a, b) => sign * byPlace(a, b))
      .slice(0, limit);
  },
  dropRecord: async (kind, id, version) => {
    const key = keyOf(kind, id);
    const isMeant = version === undefined || t.records.get(key)?.version === version;
    return isMeant && t.records.delete(key);
  },
});
