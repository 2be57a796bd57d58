import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Request } from '../../../src/client/index.ts';
import { problemOf } from '../api/client.ts';
import { ProblemNotice } from '../components/problem.tsx';
import { type Change, contractChanges } from './contract-changes.ts';
import css from './facts.module.css';
import { contractQuery } from './queries.ts';

interface Proposed {
  readonly baseVersion?: number;
  readonly contract?: unknown;
}

/** A proposed contract against the one that holds, part by part. */
export function Proposal({ itemId, request }: { readonly itemId: string; readonly request: Request }) {
  const t = useTranslations('ask');
  const { data, error, refetch } = useQuery(contractQuery(itemId));
  const proposal = (request.subject.proposal ?? {}) as Proposed;
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <p className="small muted">{t('proposalUnread')}</p>;
  return (
    <section className={css.changes} aria-label={t('proposed')}>
      {proposal.baseVersion !== undefined && proposal.baseVersion !== data.version && (
        <p className="small">{t('stale')}</p>
      )}
      {contractChanges(data, proposal.contract).map((change) => (
        <Changed key={`${change.part} ${change.id ?? ''}`} change={change} />
      ))}
    </section>
  );
}

function Changed({ change: { part, id = '', before, after } }: { readonly change: Change }) {
  const t = useTranslations('ask');
  return (
    <div className={css.change}>
      <h3>{t(`fields.${part}`, { id })}</h3>
      {before !== null && <Line look={css.was} sign="−" name={t('was')} text={before} />}
      {after !== null && <Line look={css.becomes} sign="+" name={t('becomes')} text={after} />}
    </div>
  );
}

interface LineProps {
  readonly look: string | undefined;
  readonly sign: string;
  readonly name: string;
  readonly text: string;
}

function Line({ look, sign, name, text }: LineProps) {
  return (
    <p className={`${css.line} ${look ?? ''}`}>
      <span aria-hidden="true">{sign}</span>
      <span dir="auto">
        <span className="sr-only">{name}: </span>
        {text}
      </span>
    </p>
  );
}
