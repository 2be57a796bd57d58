import { useTranslations } from 'use-intl';
import { problemOf } from '../api/client.ts';
import { ProblemNotice } from '../components/problem.tsx';
import css from './settings.module.css';
import { Overtaken } from './use-setting.ts';

/** Why a setting was not saved, where there is nothing to choose. */
export function SettingProblem({ error }: { readonly error: unknown }) {
  const t = useTranslations('settings');
  if (!error) return null;
  if (!(error instanceof Overtaken)) return <ProblemNotice problem={problemOf(error)} />;
  return (
    <p className={css.wrong} role="alert">
      {t('conflict')}
    </p>
  );
}
