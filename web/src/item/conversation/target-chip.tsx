import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import css from './conversation.module.css';
import type { Target } from './draft.ts';
import { writeTo } from './write-to.ts';

/** To whom it goes; an Action can be taken back, and then it is the Coordinator. */
export function TargetChip({ itemId, target }: { readonly itemId: string; readonly target: Target | null }) {
  const t = useTranslations('talk');
  return (
    <span className={css.chip}>
      <span dir="auto" title={target?.name}>
        {t('target', { whom: target?.name ?? t('coordinator') })}
      </span>
      {target && (
        <button type="button" onClick={() => writeTo(itemId, null)} title={t('removeTarget')}>
          <X size={12} aria-hidden />
          <span className="sr-only">{t('removeTarget')}</span>
        </button>
      )}
    </span>
  );
}
