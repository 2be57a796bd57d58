import { useFormatter, useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { useOutboxSize } from '../item/conversation/outbox.ts';
import css from './banner.module.css';
import { useLostForLong } from './lost.ts';
import { useOtherVersion } from './version.ts';

/** What stands between the page and its server; nothing while all is well. Everything beneath goes on. */
export function ConnectionBanner() {
  const lostAt = useLostForLong();
  if (lostAt !== null) return <Offline lostAt={lostAt} />;
  return <OtherVersion />;
}

function Offline({ lostAt }: { readonly lostAt: number }) {
  const t = useTranslations('connection');
  const format = useFormatter();
  const waiting = useOutboxSize();
  return (
    <div className={css.banner} role="status">
      <p>
        <strong>{navigator.onLine ? t('offline') : t('deviceOffline')}</strong>{' '}
        {t('asOf', { at: format.dateTime(lostAt, { timeStyle: 'medium' }) })}{' '}
        {waiting > 0 ? t('waiting', { n: waiting }) : t('kept')}
      </p>
      <span className={css.doing}>{t('reconnecting')}</span>
    </div>
  );
}

function OtherVersion() {
  const t = useTranslations('connection');
  const other = useOtherVersion();
  if (!other) return null;
  return (
    <div className={css.banner} role="status">
      <p>
        {t('otherVersion', { server: other.server, page: other.page })} {t('kept')}
      </p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </div>
  );
}
