import { useTranslations } from 'use-intl';
import { duration } from '../../components/values.tsx';

/** How long its Runs worked; less than from their start to their end, and so it is named. Nothing before that. */
export function Worked({ wallMs }: { readonly wallMs: number }) {
  const t = useTranslations('timeline');
  if (wallMs <= 0) return null;
  return <span title={t('workedLong')}>{t('worked', { time: duration(wallMs) })}</span>;
}
