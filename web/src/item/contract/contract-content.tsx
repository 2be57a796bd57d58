import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Loading } from '../../shell/loading.tsx';
import type { ContentProps } from '../pane/pane.tsx';
import css from './contract.module.css';
import { contractDraftOf, useTakenUp } from './contract-draft.ts';
import { ContractEditor } from './contract-editor.tsx';
import { ContractHistory } from './contract-history.tsx';
import { ContractView } from './contract-view.tsx';
import { Proposals } from './proposals.tsx';
import { contractQuery } from './queries.ts';

/** What was asked for: to read, to edit in place, and as it was before. */
export function ContractContent({ item, rest }: ContentProps) {
  const t = useTranslations('contract');
  const [, navigate] = useLocation();
  const { data: contract, error, refetch } = useQuery(contractQuery(item.id));
  const isTakenUp = useTakenUp(item.id);
  if (error && !contract) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  const isEditing = rest[0] === 'edit';
  if (!contract || (isEditing && !isTakenUp)) return <Loading />;
  const can = item.can.edit;
  const hasDraft = contractDraftOf(item.id) !== undefined;
  return (
    <div className={css.contract}>
      <header className={css.head}>
        <ContentLabel kind="snapshot">
          <span className="num">{t('version', { n: contract.version })}</span>
        </ContentLabel>
        {!isEditing && (
          <Button
            icon={<Pencil size={14} aria-hidden />}
            disabled={!can.allowed}
            {...(can.allowed ? {} : { title: can.reason })}
            onClick={() => navigate(`/work/${item.id}/contract/edit`)}
          >
            {t(hasDraft ? 'goOn' : 'edit')}
          </Button>
        )}
        {!can.allowed && <span className="small muted">{t('cannot', { reason: can.reason })}</span>}
      </header>
      <Proposals item={item} />
      {isEditing ? (
        <ContractEditor
          item={item}
          contract={contract}
          onClose={() => navigate(`/work/${item.id}/contract`, { replace: true })}
        />
      ) : (
        <ContractView contract={contract} limits={item.limits} />
      )}
      <ContractHistory item={item} />
    </div>
  );
}
