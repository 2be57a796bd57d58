import { PencilLine, Quote } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { IconButton } from '../../components/button.tsx';
import css from './conversation.module.css';
import { writeAbout, writeAnew } from './write-to.ts';

/** What can be done with words that were said: written about, and one's own written again. */
export function EntryControls({ itemId, entry }: { readonly itemId: string; readonly entry: Entry }) {
  const t = useTranslations('talk');
  return (
    <span className={css.controls}>
      <IconButton label={t('quote')} icon={<Quote size={14} aria-hidden />} onClick={() => writeAbout(itemId, entry)} />
      {entry.author === 'person' && (
        <IconButton
          label={t('writeAnew')}
          icon={<PencilLine size={14} aria-hidden />}
          onClick={() => writeAnew(itemId, { text: entry.text })}
        />
      )}
    </span>
  );
}
