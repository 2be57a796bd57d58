import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { facetsQuery } from '../api/queries.ts';
import { settingsQuery } from '../settings/queries.ts';
import { type Form, withDirectory } from './form.ts';
import type { Change } from './use-form.ts';

/** Where work is done as a rule: as it was set, else where all work has been until now, else where the server began. */
function useUsualDirectory(): string | undefined {
  const settings = useQuery(settingsQuery);
  const directories = useQuery(facetsQuery).data?.directories;
  if (settings.isPending) return undefined;
  const [only, ...others] = directories ?? [];
  const { settings: set, project } = settings.data ?? {};
  if (set?.defaultDirectory !== undefined) return set.defaultDirectory;
  if (directories === undefined) return undefined;
  return only === undefined ? project : others.length === 0 ? only.directory : undefined;
}

/** It may come late: it fills the directory of a draft once, and only where nobody has named one. */
export function useFilledDirectory({ key, directory }: Form, change: Change): void {
  const usual = useUsualDirectory();
  const fill = useEffectEvent((found: string) => {
    if (directory === '') change((now) => withDirectory(now, found));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each draft, not whenever the field is emptied
  useEffect(() => {
    if (usual !== undefined) fill(usual);
  }, [usual, key]);
}

/** Whether what is created is started, as a rule; true until it is known. */
export const useStartsAtOnce = (): boolean => useQuery(settingsQuery).data?.settings.startImmediately !== false;
