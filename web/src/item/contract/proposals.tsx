import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Contract, Item } from '../../../../src/client/index.ts';
import { requestsQuery } from '../../api/queries.ts';
import { RequestCard } from '../conversation/request-card.tsx';
import css from './contract.module.css';
import { ContractDiff } from './contract-diff.tsx';
import { proposedBy } from './contract-parts.ts';

/** Contracts that the Coordinator proposes: what would change, and the answer that it waits for. */
export function Proposals({ item, contract }: { readonly item: Item; readonly contract: Contract }) {
  const t = useTranslations('contract');
  const { data } = useQuery({ ...requestsQuery(item.id), enabled: item.counts.requests > 0 });
  if (item.counts.requests === 0) return null;
  return data?.requests.map((request) => {
    const proposed = proposedBy(request.subject);
    if (!proposed) return null;
    return (
      <section key={request.id} className={css.proposal}>
        <h3>{t('proposal')}</h3>
        <ContractDiff before={contract} after={proposed} />
        <RequestCard itemId={item.id} request={request} />
      </section>
    );
  });
}
