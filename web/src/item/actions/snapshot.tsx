import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import css from './actions.module.css';
import { contentQuery } from './queries.ts';
import { pretty } from './transcript-steps.ts';

/** More than this is not drawn at once: a prompt may hold a whole file in one line. */
const MOST_CHARS = 400_000;

interface Props {
  readonly itemId: string;
  readonly hash: string;
  readonly label: string;
}

/** Something as it was stored, opened on demand. */
export function Snapshot({ itemId, hash, label }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" aria-expanded={isOpen} className={css.opener ?? ''} onClick={() => setOpen(!isOpen)}>
        {label}
      </Button>
      {isOpen && <Stored {...{ itemId, hash, label }} />}
    </>
  );
}

function Stored({ itemId, hash, label }: Props) {
  const t = useTranslations('actions');
  const { data, error } = useQuery(contentQuery(itemId, hash));
  const text = data === undefined ? '' : pretty(data);
  return (
    <section className={css.snapshot} aria-label={label} aria-busy={data === undefined && !error}>
      <ContentLabel kind="snapshot">
        {label} <code className="faint">{hash.slice(0, 12)}</code>
        {data !== undefined && (
          <Button look="quiet" onClick={() => void navigator.clipboard.writeText(data)}>
            {t('copy')}
          </Button>
        )}
      </ContentLabel>
      {error && <p className="small muted">{t('notKept', { why: problemOf(error).detail })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard */}
      <pre className={css.bytes} tabIndex={0} dir="auto">
        {text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text}
      </pre>
      {text.length > MOST_CHARS && <p className="small muted">{t('cutAt', { n: MOST_CHARS })}</p>}
    </section>
  );
}
