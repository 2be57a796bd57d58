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

/**
 * Saves one setting against the version that was read. Where others were changed in between, it is saved beside those;
 * where this one was, nothing is saved and both values are told.
 */
async function save(before: CurrentSettings, path: Path, value: unknown): Promise<CurrentSettings> {
  try {
    return await put(before, path, value);
  } catch (error) {
    if (!isStale(error)) throw error;
    const now = await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });
    const theirs = valueAt(now.settings, path);
    if (isSame(theirs, value)) return now;
    if (!isSame(theirs, valueAt(before.settings, path))) throw new Overtaken(theirs);
    return save(now, path, value);
  }
}

/** One setting and how to change it; undefined takes it away. */
export function useSetting(current: CurrentSettings, path: Path) {
  const change = useMutation({
    mutationFn: (value: unknown) => save(current, path, value),
    onSuccess: (now) => {
      queryClient.setQueryData(settingsQuery.queryKey, now);
      void queryClient.invalidateQueries({ queryKey: ['models'] });
    },
  });
  return { value: valueAt(current.settings, path), change };
}
