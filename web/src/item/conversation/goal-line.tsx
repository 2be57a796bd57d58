import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { Ago } from '../../components/values.tsx';
import css from './conversation.module.css';

/** With the goal it began: the first thing that was said. */
export function GoalLine({ item }: { readonly item: Item }) {
  const t = useTranslations('talk');
  return (
    <div className={`${css.entry} ${css.mine}`}>
      <p className={css.who}>
        <strong>{t('you')}</strong>
        <span>{t('to', { whom: t('coordinator') })}</span>
        <Ago at={item.createdAt} />
      </p>
      <p className={css.words} dir="auto">
        {item.goal}
      </p>
    </div>
  );
}
