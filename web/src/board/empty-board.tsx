import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { NoModel } from '../settings/no-model.tsx';
import css from './board.module.css';

const EXAMPLES = ['readme', 'flaky', 'upgrade'] as const;

/** The empty board teaches by example: each of these is one click from being started. */
export function EmptyBoard() {
  const t = useTranslations();
  return (
    <div className={css.empty}>
      <h2>{t('board.empty.title')}</h2>
      <NoModel />
      <p className="muted">{t('board.empty.text')}</p>
      <ul className={css.examples}>
        {EXAMPLES.map((name) => {
          const goal = t(`example.${name}.goal`);
          const criterion = t(`example.${name}.criterion`);
          return (
            <li key={name}>
              <Link href={`/new?${new URLSearchParams({ goal, criterion })}`} className={css.card}>
                <span className={css.title}>{goal}</span>
                <span className={css.sentence}>{criterion}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
