import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ContractVersion, Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Ago } from '../../components/values.tsx';
import css from './contract.module.css';
import { ContractDiff, usePartName } from './contract-diff.tsx';
import type { PartName } from './contract-parts.ts';
import { versionsQuery } from './queries.ts';

/** Every version, newest first; each opens to what it changed. */
export function ContractHistory({ item }: { readonly item: Item }) {
  const t = useTranslations('contract');
  const history = useInfiniteQuery(versionsQuery(item.id, item.contractVersion));
  const versions = (history.data?.pages ?? []).flatMap((page) => page.versions);
  return (
    <section>
      <h3>{t('history')}</h3>
      {history.error && <ProblemNotice problem={problemOf(history.error)} onRetry={() => void history.refetch()} />}
      <ol className={css.history}>
        {versions.map((version, at) => (
          <Version key={version.contract.version} version={version} before={versions[at + 1]} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button look="quiet" busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </section>
  );
}

interface Props {
  readonly version: ContractVersion;
  readonly before: ContractVersion | undefined;
}

function Version({ version: { at, changed, contract }, before }: Props) {
  const t = useTranslations('contract');
  const partName = usePartName();
  const head = (
    <>
      <strong>{t('version', { n: contract.version })}</strong> <Ago at={at} />{' '}
      <span className="muted">
        {changed.length === 0 ? t('first') : changed.map((name) => partName(name as PartName)).join(', ')}
      </span>
    </>
  );
  if (!before) return <li className={css.version}>{head}</li>;
  return (
    <li className={css.version}>
      <details>
        <summary>{head}</summary>
        <ContractDiff before={before.contract} after={contract} />
      </details>
    </li>
  );
}
