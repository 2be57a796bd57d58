import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import css from './overview.module.css';

/** What was delivered, and what remains to be minded. */
export function Result({ result }: { readonly result: NonNullable<Item['result']> }) {
  const t = useTranslations('pane');
  const { summary, branch, commit, pullRequest, residualRisks } = result;
  return (
    <section className={css.result}>
      <h3>{t('result')}</h3>
      <p className={css.text} dir="auto">
        {summary}
      </p>
      <p className="small">
        {branch !== null && <code>{branch}</code>} {commit !== null && <code>{commit.slice(0, 7)}</code>}{' '}
        {pullRequest !== null && (
          <a href={pullRequest} rel="noreferrer" target="_blank">
            {pullRequest}
          </a>
        )}
      </p>
      {residualRisks.length > 0 && (
        <>
          <h3>{t('risks')}</h3>
          <ul className="small">
            {residualRisks.map((risk) => (
              <li key={risk}>{risk}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
