import { useFormatter, useTranslations } from 'use-intl';
import css from './banner.module.css';
import { useConnection } from './live.ts';

/** What stands between the page and its server; nothing while all is well. */
export function ConnectionBanner() {
  const { state, lostAt } = useConnection();
  const t = useTranslations('connection');
  const format = useFormatter();
  if (state !== 'lost' || lostAt === null) return null;
  return (
    <div className={css.banner} role="status">
      {t('offline', { at: format.dateTime(lostAt, { timeStyle: 'medium' }) })} <span>{t('reconnecting')}</span>
    </div>
  );
}
