import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { actionsQuery } from '../../api/queries.ts';
import { type DiffSource, hrefOf } from './source.ts';

const RUN_CHARS = 8;

/** Whose changes are shown; what is chosen is in the address. */
export function SourceChoice({ source }: { readonly source: DiffSource }) {
  const t = useTranslations('diff');
  const [, navigate] = useLocation();
  const { itemId, actionId, runId } = source;
  const list = useInfiniteQuery(actionsQuery(itemId));
  const wrote = (list.data?.pages ?? [])
    .flatMap((page) => page.actions)
    .filter(({ id, executor, runs }) => id === actionId || (executor.kind !== 'verify' && runs > 0));
  const isListed = actionId === undefined || wrote.some(({ id }) => id === actionId);
  return (
    <select aria-label={t('whose')} value={hrefOf(source)} onChange={(event) => navigate(event.target.value)}>
      <option value={hrefOf({ itemId })}>{t('ofItem')}</option>
      {wrote.map(({ id, name, status }) => (
        <option key={id} value={hrefOf({ itemId, actionId: id })}>
          {t(status === 'running' ? 'ofActionLive' : 'ofAction', { name })}
        </option>
      ))}
      {!isListed && <option value={hrefOf({ itemId, actionId })}>{t('ofAction', { name: actionId })}</option>}
      {actionId !== undefined && runId !== undefined && (
        <option value={hrefOf(source)}>{t('ofRun', { run: runId.slice(0, RUN_CHARS), action: actionId })}</option>
      )}
    </select>
  );
}
