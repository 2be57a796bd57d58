import { useTranslations } from 'use-intl';
import type { LiveDiff } from '../../../../src/client/index.ts';
import css from './live-changes.module.css';

/** What is there and is not shown, with the reason. */
export function LeftOut({ left, leftOut }: Pick<LiveDiff, 'left' | 'leftOut'>) {
  const t = useTranslations('diff.liveLeft');
  if (leftOut === 0) return null;
  return (
    <details className={css.left}>
      <summary>{t('n', { n: leftOut })}</summary>
      <ul>
        {left.map(({ path, reason }) => (
          <li key={path}>
            <bdi>{path}</bdi> <span className="muted">({t(reason)})</span>
          </li>
        ))}
      </ul>
      {leftOut > left.length && <p>{t('more', { n: leftOut - left.length })}</p>}
    </details>
  );
}
