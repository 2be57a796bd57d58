/** The data of an event as it lies in the store: an object whose fields its version defines. */
export type Data = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nobody had counted requests, tokens or money of models yet; these are the limits of the day they were. */
const LIMITS: Data = Object.freeze({
  requests: 1_000,
  tokens: 20_000_000,
  runRequests: 200,
  costMicros: null,
  allowUnmetered: false,
});
const PROVENANCE: Data = Object.freeze({ titlePending: false, attachments: [], background: [], reuseMemory: true });
const USAGE: Data = Object.freeze({ costMicros: 0, unpriced: 0 });
const RUN: Data = Object.freeze({ requests: 0, messagesHeard: 0, idle: false });

/** The object under `key` with what it lacks; anything else stays as it is, for the fold to stumble over. */
function filled(data: Data, key: string, missing: Data): Data {
  const value = data[key];
  return isRecord(value) ? { ...data, [key]: { ...missing, ...value } } : data;
}

function completed(data: Data): Data {
  const { result } = data;
  return isRecord(result) ? { ...data, result: filled(result, 'usage', USAGE) } : data;
}

const CHANGED: ReadonlyMap<string, (data: Data) => Data> = new Map([
  ['ItemCreated', (data: Data) => ({ ...PROVENANCE, ...filled(data, 'limits', LIMITS) })],
  ['BudgetExtended', (data: Data) => filled(data, 'limits', LIMITS)],
  ['ItemCompleted', completed],
  ['RunClaimed', (data: Data) => filled(data, 'run', RUN)],
  ['RunSettled', (data: Data) => filled(data, 'usage', USAGE)],
  ['LateResultRecorded', (data: Data) => filled(data, 'usage', USAGE)],
]);

/** Data of version 1 as version 2 has it: models, messages and money came with that one. */
export const fromVersion1 = (type: string, data: Data): Data => CHANGED.get(type)?.(data) ?? data;
