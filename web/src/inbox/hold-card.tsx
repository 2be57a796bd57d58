import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { type Hold, onceUnder } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Mark } from '../components/mark.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { Ago } from '../components/values.tsx';
import css from '../item/conversation/conversation.module.css';
import { useModelProblem } from '../settings/use-model-problem.ts';
import { BudgetForm } from './budget-form.tsx';
import choices from './choices.module.css';
import { ignoreHeldEnter } from './enter-card.ts';
import { isBudget, type Unit } from './extension.ts';
import { useHoldName } from './use-hold-name.ts';

interface Props {
  readonly itemId: string;
  readonly controlVersion: number;
  readonly hold: Hold;
  readonly onResumed?: () => void;
}

type Added = Partial<Record<Unit, number>>;

const at = (id: string, key: string) => ({ path: { id }, header: onceUnder(key) });

const resume = (id: string, controlVersion: number) =>
  asked(
    client.post('/api/v1/work-items/{id}/resume', {
      params: at(id, `page-resume-${controlVersion}`),
      body: { controlVersion },
    }),
  );

/** Adds to the budget where something is added, and resumes against what that led to, unless it is not enough. */
async function goOn(id: string, controlVersion: number, added: Added | undefined) {
  if (!added) return resume(id, controlVersion);
  const item = await asked(
    client.post('/api/v1/work-items/{id}/extend', {
      params: at(id, `page-extend-${controlVersion}-${JSON.stringify(added)}`),
      body: { controlVersion, ...added },
    }),
  );
  return item.can.resume?.allowed === true ? resume(id, item.controlVersion) : item;
}

/** How the server tells that the Coordinator's answers broke the rules for decisions. */
const UNFIT = '(invalid_decision): ';

/** What to do comes first; which part of which decision was wrong is for whoever looks into the model. */
function Unfit({ details }: { readonly details: string }) {
  const t = useTranslations('hold');
  return (
    <>
      <p>{t('unfit')}</p>
      <details className={css.wholeCall}>
        <summary>{t('unfitDetails')}</summary>
        <p className={css.words} dir="auto">
          {details}
        </p>
      </details>
    </>
  );
}

/** An item that stands still until a person says otherwise: why, and what makes it go on. */
export function HoldCard({ itemId, controlVersion, hold, onResumed = () => undefined }: Props) {
  const t = useTranslations();
  const title = useId();
  const holdName = useHoldName();
  const isModelless = useModelProblem(hold.code === 'coordinator_failures') !== null;
  const work = useMutation({
    mutationFn: (added: Added | undefined) => goOn(itemId, controlVersion, added),
    onSuccess: (item) => {
      // What comes next is said against this version, also when reading it again is interrupted.
      queryClient.setQueryData(['item', itemId], item);
      if (!item.hold) onResumed();
    },
    onSettled: (_item, error) => {
      const read = Promise.all([
        queryClient.invalidateQueries({ queryKey: ['item', itemId] }),
        queryClient.invalidateQueries({ queryKey: ['requests'] }),
      ]);
      // A refusal is told at once.
      return error ? undefined : read;
    },
  });
  const { resume: mayResume, extend: mayExtend } = hold.can;
  const isEnough = work.data?.hold === null;
  const busy = work.isPending || isEnough;
  return (
    <article tabIndex={-1} className={css.ask} aria-labelledby={title} onKeyDown={ignoreHeldEnter}>
      <header className={css.askHead}>
        <Mark tone="held">{t('inbox.held')}</Mark>
        <Ago at={hold.at} />
      </header>
      <h2 id={title}>{isModelless ? t('settings.noModel.title') : holdName(hold.code)}</h2>
      {isModelless ? (
        <p>{t('settings.noModel.thenResume')}</p>
      ) : hold.details.includes(UNFIT) ? (
        <Unfit details={hold.details} />
      ) : (
        <p className={css.words} dir="auto">
          {hold.details}
        </p>
      )}
      {mayExtend.allowed && (isBudget(hold.code) || !mayResume.allowed) && (
        <BudgetForm code={hold.code} busy={busy} onAdd={work.mutate} />
      )}
      {mayResume.allowed ? (
        <div className={choices.choices}>
          {isModelless && <ButtonLink href="/settings/models">{t('settings.noModel.choose')}</ButtonLink>}
          <Button
            look={isBudget(hold.code) || isModelless ? 'plain' : 'primary'}
            busy={busy}
            onClick={() => work.mutate(undefined)}
          >
            {t('hold.resume')}
          </Button>
        </div>
      ) : (
        <p className="small muted">{t('hold.whyNot', { reason: mayResume.reason })}</p>
      )}
      {work.data && !isEnough && (
        <p role="status" className="small">
          {t('hold.notEnough')}
        </p>
      )}
      {work.error && <ProblemNotice problem={problemOf(work.error)} />}
    </article>
  );
}
