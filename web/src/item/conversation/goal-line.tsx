import { useTranslations } from 'use-intl';
import { Ago } from '../../components/values.tsx';
import css from './conversation.module.css';

interface Props {
  readonly goal: string;
  /** Epoch milliseconds or a date in text. */
  readonly at: number | string;
}

/** With the goal it began, as it was then: the first thing that was said. */
export function GoalLine({ goal, at }: Props) {
  const t = useTranslations('talk');
  return (
    <div className={`${css.entry} ${css.mine}`}>
      <p className={css.who}>
        <strong>{t('you')}</strong>
        <span>{t('to', { whom: t('coordinator') })}</span>
        <Ago at={at} />
      </p>
      <p className={css.words} dir="auto">
        {goal}
      </p>
    </div>
  );
}
