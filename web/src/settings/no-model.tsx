import { useTranslations } from 'use-intl';
import { ButtonLink } from '../components/button.tsx';
import css from './no-model.module.css';
import { useModelProblem } from './use-model-problem.ts';

/** Said where work is about to be asked for: without a model of the Coordinator it would be held at once. */
export function NoModel() {
  const t = useTranslations('settings.noModel');
  if (!useModelProblem()) return null;
  return (
    <div className={css.notice} role="note">
      <div className={css.words}>
        <strong>{t('title')}</strong>
        <p>{t('text')}</p>
      </div>
      <ButtonLink href="/settings/models">{t('choose')}</ButtonLink>
    </div>
  );
}
