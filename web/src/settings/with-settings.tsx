import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentSettings } from '../../../src/client/index.ts';
import { problemOf } from '../api/client.ts';
import { ProblemNotice } from '../components/problem.tsx';
import { settingsQuery } from './queries.ts';
import css from './settings.module.css';

/** The settings as they are, once they are there. */
export function WithSettings({ children }: { readonly children: (current: CurrentSettings) => ReactNode }) {
  const t = useTranslations('settings');
  const { data, error, refetch } = useQuery({ ...settingsQuery, staleTime: 0 });
  if (data) {
    return (
      <>
        {data.problem !== null && (
          <p className={css.broken} role="alert">
            {t('broken', { problem: data.problem })}
          </p>
        )}
        {children(data)}
      </>
    );
  }
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  return <div className={css.skeleton} aria-busy="true" />;
}
