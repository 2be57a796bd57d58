import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Request } from '../../../src/client/index.ts';
import { problemOf } from '../api/client.ts';
import { ProblemNotice } from '../components/problem.tsx';
import { ContractDiff } from '../item/contract/contract-diff.tsx';
import type { Terms } from '../item/contract/contract-parts.ts';
import { contractQuery } from '../item/contract/queries.ts';
import css from './facts.module.css';

interface Proposed {
  readonly baseVersion?: number;
  readonly contract?: Terms;
}

/** A proposed contract against the one that holds, part by part. */
export function Proposal({ itemId, request }: { readonly itemId: string; readonly request: Request }) {
  const t = useTranslations('ask');
  const { data, error, refetch } = useQuery(contractQuery(itemId));
  const { baseVersion, contract } = (request.subject.proposal ?? {}) as Proposed;
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data || !contract) return <p className="small muted">{t('proposalUnread')}</p>;
  return (
    <section className={css.changes} aria-label={t('proposed')}>
      {baseVersion !== undefined && baseVersion !== data.version && <p className="small">{t('stale')}</p>}
      <ContractDiff before={data} after={contract} />
    </section>
  );
}
