import type { ActionSpec } from './model/index.ts';

/** Canonical JSON: object keys sorted at every depth, `undefined` left out. Equal meaning, equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
}

/**
 * Identity of an Action's meaning (D7): a versioned hash, so that a later field cannot silently change old ones.
 * Attempts are not meaning: raising `maxAttempts` leaves the hash alone.
 */
export function specHash(spec: ActionSpec, hash: (text: string) => string): string {
  const { maxAttempts: _attempts, ...meaning } = spec;
  return `v1:${hash(canonical(meaning))}`;
}
