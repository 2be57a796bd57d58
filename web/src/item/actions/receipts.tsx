import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Receipt } from '../../../../src/client/index.ts';
import { contentAddress } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Tag } from '../../components/tag.tsx';
import { duration } from '../../components/values.tsx';
import { LogView } from '../log/log-view.tsx';
import css from './actions.module.css';

/** What the engine ran itself, so that anybody can run it again: command, commit, exit, time, log. */
export function Receipts({ itemId, receipts }: { readonly itemId: string; readonly receipts: readonly Receipt[] }) {
  const t = useTranslations('actions');
  if (receipts.length === 0) return null;
  return (
    <section className={css.section}>
      <h3>{t('receipts')}</h3>
      <ul className={css.runs}>
        {receipts.map((receipt) => (
          <li key={receipt.criterionId}>
            <One itemId={itemId} receipt={receipt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function One({ itemId, receipt }: { readonly itemId: string; readonly receipt: Receipt }) {
  const t = useTranslations('actions');
  const [isOpen, setOpen] = useState(false);
  const { criterionId, verdict, command, at, exitCode, durationMs, log, flags, base } = receipt;
  return (
    <div className={css.receipt}>
      <p className={css.line}>
        <code className="faint">{criterionId}</code>
        <Tag look={verdict === 'passed' ? 'machine' : 'failed'}>{verdict.replaceAll('_', ' ')}</Tag>
        {flags.map((flag) => (
          <Tag key={flag} look="warning">
            {flag.replaceAll('_', ' ')}
          </Tag>
        ))}
      </p>
      <code className={css.command}>{command}</code>
      <p className={`small muted num ${css.line}`}>
        <span>{exitCode === null ? t('noExit') : t('exit', { code: exitCode })}</span>
        <span>{duration(durationMs)}</span>
        <CopyId id={at} chars={7} />
        {base && <span>{t('before', { verdict: base.verdict.replaceAll('_', ' ') })}</span>}
      </p>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={css.opener ?? ''}>
        {isOpen ? t('hideLog') : t('showLog')}
      </Button>
      {isOpen && (
        <LogView address={contentAddress(itemId, log.hash)} tail={log.tail} name={`${criterionId} · ${command}`} />
      )}
    </div>
  );
}
