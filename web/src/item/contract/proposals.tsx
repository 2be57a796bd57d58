import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { requestsQuery } from '../../api/queries.ts';
import { RequestCard } from '../conversation/request-card.tsx';
import css from './contract.module.css';

/** Contracts that the Coordinator proposes: what would change, and the answer that it waits for. */
export function Proposals({ item }: { readonly item: Item }) {
  const t = useTranslations('contract');
  const { data } = useQuery({ ...requestsQuery(item.id), enabled: item.counts.requests > 0 });
  if (item.counts.requests === 0) return null;
  const proposals = data?.requests.filter(({ subject }) => subject.kind === 'contract_proposal') ?? [];
  if (proposals.length === 0) return null;
  return (
    <section className={css.parts}>
      <h3>{t('proposal')}</h3>
      {proposals.map((request) => (
        <RequestCard key={request.id} itemId={item.id} request={request} />
      ))}
    </section>
  );
}
