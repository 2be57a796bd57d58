import { useTranslations } from 'use-intl';
import css from './state.module.css';

/** Stands where something is on its way; shows itself only when that takes longer than a blink. */
export function Loading() {
  const t = useTranslations('app');
  return (
    <div className={css.loading} role="status">
      <span className="sr-only">{t('loading')}</span>
      <span className={css.bone} aria-hidden="true" />
      <span className={css.bone} aria-hidden="true" />
      <span className={css.bone} aria-hidden="true" />
    </div>
  );
}
