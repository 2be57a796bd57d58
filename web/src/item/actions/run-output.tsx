import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Run } from '../../../../src/client/index.ts';
import { outputAddress } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { LiveText } from '../live/live-text.tsx';
import { useWriting } from '../live/use-item-stream.ts';
import { LogView } from '../log/log-view.tsx';
import css from './actions.module.css';
import { callsQuery } from './queries.ts';

interface Props {
  readonly itemId: string;
  readonly run: Run;
  readonly isAgent: boolean;
}

/**
 * What a Run prints, or printed. Of an agent whose model requests are known that is the transcript once more, in the
 * words of a log: it stays folded behind it.
 */
export function RunOutput({ itemId, run, isAgent }: Props) {
  const t = useTranslations('actions');
  const calls = useInfiniteQuery({ ...callsQuery(itemId, run.id), enabled: isAgent });
  const [chosen, choose] = useState<boolean>();
  const hasTranscript = isAgent && calls.data?.pages[0]?.calls.length !== 0;
  const isShown = chosen ?? !hasTranscript;
  return (
    <>
      {hasTranscript && (
        <Button look="quiet" aria-expanded={isShown} className={css.opener ?? ''} onClick={() => choose(!isShown)}>
          {t(isShown ? 'hideOutput' : 'showOutput')}
        </Button>
      )}
      {isShown && (run.endedAt === null ? <Live itemId={itemId} runId={run.id} /> : <Kept itemId={itemId} run={run} />)}
    </>
  );
}

function Kept({ itemId, run }: Omit<Props, 'isAgent'>) {
  const t = useTranslations('actions');
  return <LogView address={outputAddress(itemId, run.actionId, run.id)} name={t('output')} />;
}

function Live({ itemId, runId }: { readonly itemId: string; readonly runId: string }) {
  const t = useTranslations('live');
  const writing = useWriting(itemId, (each) => each.kind === 'output' && each.runId === runId);
  if (!writing) return <p className="small faint">{t('nothing')}</p>;
  return <LiveText writing={writing} label={t('output')} />;
}
