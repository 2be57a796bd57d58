import { useTranslations } from 'use-intl';
import css from './live.module.css';
import { useWriting } from './use-item-stream.ts';

const SHOWN_CHARS = 600;

/** The newest words; the first of them is whole. */
function newest(text: string): string {
  const all = text.trim();
  return all.length <= SHOWN_CHARS ? all : `… ${all.slice(-SHOWN_CHARS).replace(/^\S*\s+/, '')}`;
}

/** The Coordinator while it writes, at the end of the conversation; nothing when it does not. */
export function LiveLine({ itemId }: { readonly itemId: string }) {
  const t = useTranslations('live');
  const writing = useWriting(itemId, ({ turnId }) => turnId !== undefined);
  if (!writing) return null;
  return (
    <div className={css.line} aria-busy="true">
      <p className={css.who}>{t('coordinator')}</p>
      <p className={css.words} dir="auto">
        {newest(writing.text)}
      </p>
    </div>
  );
}
