import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { CopyId } from '../../components/copy-id.tsx';
import css from './actions.module.css';
import { Back } from './back.tsx';
import { Transcript } from './transcript.tsx';

/** One turn of the Coordinator: what it was asked, and what it decided. */
export function TurnView({ item, turnId }: { readonly item: Item; readonly turnId: string }) {
  const t = useTranslations('actions');
  return (
    <article className={css.stack}>
      <Back href={`/work/${item.id}/actions`}>{t('all')}</Back>
      <header>
        <h2 className={css.title}>{t('turn')}</h2>
        <p className={css.line}>
          <CopyId id={turnId} chars={8} />
        </p>
      </header>
      <Transcript itemId={item.id} owner={turnId} isOver />
    </article>
  );
}
