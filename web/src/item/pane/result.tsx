import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Item } from '../../../../src/client/index.ts';
import { CopyId } from '../../components/copy-id.tsx';
import css from './overview.module.css';

interface Props {
  readonly item: Item;
  readonly result: NonNullable<Item['result']>;
}

/** What was delivered, and what remains to be minded. */
export function Result({ item, result }: Props) {
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
      {branch !== null && item.delivery.target === 'workspace_files' && (
        <p className="small">
          {t('takeIt')} <CopyId id={`git merge ${branch}`} />
        </p>
      )}
      {commit !== null && (
        <p className="small">
          <Link href={`/work/${item.id}/diff`} className={css.link}>
            {t('readDiff')}
          </Link>
        </p>
      )}
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
