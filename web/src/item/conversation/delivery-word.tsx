import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import css from './conversation.module.css';

/** Whether it was heard. */
export function Delivery({ entry: { delivery, detail } }: { readonly entry: Entry }) {
  const t = useTranslations('talk.delivery');
  const isLost = delivery === 'blocked' || delivery === 'rejected';
  return <span className={isLost ? css.lost : undefined}>{t(delivery, { detail: detail ?? '' })}</span>;
}
