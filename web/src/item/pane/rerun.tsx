import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { asked, client, problemOf } from '../../api/client.ts';
import { useSingle } from '../../api/use-single.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import { duration } from '../../components/values.tsx';
import css from './overview.module.css';

interface Props {
  readonly itemId: string;
  readonly criterionId: string;
  /** Whether the engine has run it before. */
  readonly isAgain: boolean;
  /** Whether it passed then: another end is not the same. */
  readonly hasPassed: boolean;
}

/** Has the engine run a check a second time, before one's eyes; the item and its proof stay as they are. */
export function Rerun({ itemId, criterionId, isAgain, hasPassed }: Props) {
  const t = useTranslations('pane');
  const rerun = useMutation({
    mutationFn: () =>
      asked(
        client.post('/api/v1/work-items/{id}/evidence/rerun', {
          params: { path: { id: itemId } },
          body: { criterionIds: [criterionId] },
        }),
      ),
  });
  const press = useSingle(rerun);
  const receipt = rerun.data?.receipts[0];
  const took = receipt && duration(receipt.durationMs);
  return (
    <>
      <button
        type="button"
        className={css.rerunButton}
        aria-disabled={rerun.isPending || undefined}
        aria-busy={rerun.isPending || undefined}
        onClick={() => press()}
      >
        {rerun.isPending ? t('rerunning') : t(isAgain ? 'rerun' : 'runNow')}
      </button>
      {receipt && (
        <p role="status" className={`small ${rerun.data?.passed ? css.again : css.otherwise}`}>
          {rerun.data?.passed
            ? t(hasPassed ? 'sameAgain' : 'passesNow', { took: took ?? '' })
            : t(hasPassed ? 'notTheSame' : 'failsNow', { verdict: receipt.verdict.replaceAll('_', ' ') })}
        </p>
      )}
      {receipt && !rerun.data?.passed && receipt.log.tail.trim() !== '' && (
        <pre className={css.tail}>{receipt.log.tail}</pre>
      )}
      {rerun.error && <ProblemNotice problem={problemOf(rerun.error)} />}
    </>
  );
}
