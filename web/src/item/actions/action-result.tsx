import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Action, Evidence } from '../../../../src/client/index.ts';
import { contentAddress } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { Tag } from '../../components/tag.tsx';
import { hrefOf } from '../diff/source.ts';
import { LogView } from '../log/log-view.tsx';
import css from './actions.module.css';

const isHash = (ref: string | undefined): ref is string => ref !== undefined && /^[0-9a-f]{64}$/.test(ref);
const FEW = 12;

/** What its executor says came of it, with what was shown for that; and what became of the commit. */
export function ActionResult({ itemId, action }: { readonly itemId: string; readonly action: Action }) {
  const t = useTranslations('actions');
  const { result, merge } = action;
  if (!result) return null;
  return (
    <section className={css.box}>
      <h3>
        {t('result')} {result.review !== null && <Tag look="plain">{t(`review.${result.review}`)}</Tag>}
      </h3>
      <p className={css.words} dir="auto">
        {result.summary}
      </p>
      {result.claims.length > 0 && (
        <ul className={css.claims}>
          {result.claims.map(({ criterionId, status, evidence }) => (
            <li key={criterionId} dir="auto">
              <code>{criterionId}</code> {status} · <span className="muted">{evidence}</span>
            </li>
          ))}
        </ul>
      )}
      <EvidenceList itemId={itemId} evidence={result.evidence} />
      <p className={`small muted ${css.line}`}>
        {result.commit !== null && <code>{result.commit.slice(0, 7)}</code>}
        {merge.kind === 'merged' && <span>{t('mergedAs', { commit: merge.head.slice(0, 7) })}</span>}
        {merge.kind === 'conflict' && <Tag look="failed">{t('conflict', { n: merge.paths.length })}</Tag>}
      </p>
      {merge.kind === 'conflict' && <Paths paths={merge.paths} total={merge.paths.length} />}
      {result.changed > 0 && (
        <>
          <h3>{t('changed', { n: result.changed })}</h3>
          <Paths paths={result.changedPaths} total={result.changed} />
          <Link href={hrefOf({ itemId, actionId: action.id })} className={css.more}>
            {t('diff')}
          </Link>
        </>
      )}
    </section>
  );
}

function Paths({ paths, total }: { readonly paths: readonly string[]; readonly total: number }) {
  const t = useTranslations('actions');
  const [isAll, setAll] = useState(false);
  const shown = isAll ? paths : paths.slice(0, FEW);
  return (
    <ul className={css.paths}>
      {shown.map((path) => (
        <li key={path}>
          <code>{path}</code>
        </li>
      ))}
      {shown.length < total && (
        <li className="faint">
          {t('morePaths', { n: total - shown.length })}{' '}
          {shown.length < paths.length && (
            <Button look="quiet" onClick={() => setAll(true)}>
              {t('showAll')}
            </Button>
          )}
        </li>
      )}
    </ul>
  );
}

function EvidenceList({ itemId, evidence }: { readonly itemId: string; readonly evidence: readonly Evidence[] }) {
  const t = useTranslations('actions');
  const [open, setOpen] = useState<string | undefined>(undefined);
  if (evidence.length === 0) return null;
  return (
    <ul className={css.claims}>
      {evidence.map(({ kind, label, ref, status }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes
        <li key={index} dir="auto">
          <span className="faint">{[kind, status].filter(Boolean).join(' · ')}</span> {label}{' '}
          {isHash(ref) ? (
            <Button look="quiet" aria-expanded={open === ref} onClick={() => setOpen(open === ref ? undefined : ref)}>
              {open === ref ? t('hide') : t('show')}
            </Button>
          ) : (
            ref !== undefined && <code>{ref}</code>
          )}
          {open !== undefined && open === ref && <LogView address={contentAddress(itemId, open)} name={label} />}
        </li>
      ))}
    </ul>
  );
}
