import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import css from './content-label.module.css';

export type ContentKind = 'live' | 'snapshot' | 'diff' | 'log';

/** What one is looking at: something that still moves, or something that stays; and of which commit or hash. */
export function ContentLabel({ kind, children }: { readonly kind: ContentKind; readonly children?: ReactNode }) {
  const t = useTranslations('content');
  return (
    <span className={css.label}>
      <span className={`${css.kind} ${css[kind]}`} title={t(`${kind}Long`)}>
        {t(kind)}
      </span>
      {children}
    </span>
  );
}
