import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../api/client.ts';
import { evidenceQuery } from '../../api/queries.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import { EntryFiles } from '../conversation/entry-files.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { Budget } from './budget.tsx';
import { InTheWay } from './in-the-way.tsx';
import css from './overview.module.css';
import type { ContentProps } from './pane.tsx';
import { ProofTable } from './proof-table.tsx';
import { Result } from './result.tsx';

/** What is proven, what is missing, what is in the way, what it cost. */
export function Overview({ item }: ContentProps) {
  const t = useTranslations('pane');
  const evidence = useQuery(evidenceQuery(item.id));
  return (
    <div className={css.overview}>
      {evidence.error && <ProblemNotice problem={problemOf(evidence.error)} onRetry={() => void evidence.refetch()} />}
      <ProofTable item={item} proofs={evidence.data ?? []} />
      {item.result && <Result item={item} result={item.result} />}
      {item.counts.actions > 0 && <Timeline item={item} />}
      {item.attachments.length > 0 && (
        <section>
          <h3>{t('files')}</h3>
          <EntryFiles itemId={item.id} files={item.attachments} />
        </section>
      )}
      <div className={css.two}>
        <Budget item={item} />
        <InTheWay item={item} />
      </div>
    </div>
  );
}
