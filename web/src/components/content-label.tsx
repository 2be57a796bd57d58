import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useLostForLong } from '../shell/lost.ts';
import css from './content-label.module.css';

export type ContentKind = 'live' | 'snapshot' | 'diff' | 'log';

/**
 * What one is looking at: something that still moves, or something that stays; and of which commit or hash. Without a
 * server nothing moves here, whatever happens there.
 */
export function ContentLabel({ kind, children }: { readonly kind: ContentKind; readonly children?: ReactNode }) {
  const t = useTranslations('content');
  const isLost = useLostForLong() !== null;
  const shown = kind === 'live' && isLost ? 'stale' : kind;
  return (
    <span className={css.label}>
      <span className={`${css.kind} ${css[shown]}`} title={t(`${shown}Long`)}>
        {t(shown)}
      </span>
      {children}
    </span>
  );
}
