import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Action } from '../../../../src/client/index.ts';
import css from './actions.module.css';

/** What it was commissioned to do, why, and what was said to it since. */
export function ActionBrief({ itemId, action }: { readonly itemId: string; readonly action: Action }) {
  const t = useTranslations('actions');
  const { brief, rationale, guidance, dependsOn, sharesFilesWith } = action;
  return (
    <dl className={css.brief}>
      <Part name={t('objective')}>{brief.objective}</Part>
      {brief.approach !== null && <Part name={t('approach')}>{brief.approach}</Part>}
      {brief.expectedOutcome !== null && <Part name={t('expected')}>{brief.expectedOutcome}</Part>}
      {action.for.length > 0 && <Part name={t('forHead')}>{action.for.join(', ')}</Part>}
      {rationale !== null && <Part name={t('rationale')}>{rationale}</Part>}
      {dependsOn.length > 0 && (
        <Part name={t('dependsOn')}>
          <Links itemId={itemId} ids={dependsOn} />
        </Part>
      )}
      {sharesFilesWith.length > 0 && (
        <Part name={t('sharesHead')}>
          <Links itemId={itemId} ids={sharesFilesWith} />
        </Part>
      )}
      {guidance.map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: guidance is only ever added at the end
        <Part key={index} name={t('guidance')}>
          {words}
        </Part>
      ))}
      {action.effects === 'external' && <Part name={t('effects')}>{t('external')}</Part>}
    </dl>
  );
}

function Links({ itemId, ids }: { readonly itemId: string; readonly ids: readonly string[] }) {
  return ids.map((id, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <Link href={`/work/${itemId}/actions/${id}`} className={css.link}>
        {id}
      </Link>
    </Fragment>
  ));
}

function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={css.words} dir="auto">
        {children}
      </dd>
    </div>
  );
}
