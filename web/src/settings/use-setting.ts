import { useMutation } from '@tanstack/react-query';
import type { CurrentSettings, Settings } from '../../../src/client/index.ts';
import { asked, client, Refused } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { settingsQuery } from './queries.ts';
import { type Path, valueAt, withValue } from './tree.ts';

/** Somebody else changed the very setting that was to be saved. */
export class Overtaken extends Error {
  readonly theirs: unknown;
  constructor(theirs: unknown) {
    super('overtaken');
    this.theirs = theirs;
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof Refused && error.problem.code === 'settings_version_stale';

const put = (before: CurrentSettings, path: Path, value: unknown): Promise<CurrentSettings> =>
  asked(
    client.put('/api/v1/settings', {
      params: { header: { 'if-match': `"${before.version}"` } },
      body: withValue(before.settings, path, value) as Settings,
    }),
  );

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A value for a setting, and what was set when somebody began to type it. Undefined: not set. */
export interface Wish {
  readonly value: unknown;
  readonly base: unknown;
}

/**
 * Saves one setting against the version that was read. Where others were changed in between, it is saved beside those;
 * where this one was, nothing is saved and both values are told.
 */
async function save(before: CurrentSettings, path: Path, wish: Wish): Promise<CurrentSettings> {
  const theirs = valueAt(before.settings, path);
  if (isSame(theirs, wish.value)) return before;
  if (!isSame(theirs, wish.base)) throw new Overtaken(theirs);
  try {
    return await put(before, path, wish.value);
  } catch (error) {
    if (!isStale(error)) throw error;
    return save(await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 }), path, wish);
  }
}

/** One setting and how to change it. `onSaved` hears the value, also when the field is no longer in sight. */
export function useSetting(current: CurrentSettings, path: Path, onSaved: (value: unknown) => void = () => undefined) {
  const change = useMutation({
    mutationFn: (wish: Wish) => save(current, path, wish),
    onSuccess: (now, { value }) => {
      queryClient.setQueryData(settingsQuery.queryKey, now);
      void queryClient.invalidateQueries({ queryKey: ['models'] });
      onSaved(value);
    },
  });
  return { value: valueAt(current.settings, path), change };
}
