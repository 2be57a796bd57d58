import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { useConnection } from './live.ts';
import css from './state.module.css';

interface Props {
  readonly error: unknown;
  readonly extent: 'page' | 'part';
  readonly onAgain: () => void;
}

/** A part of the page that is fetched when it is needed, and is no longer there: the page was built anew meanwhile. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message);

const detailsOf = (error: unknown): string =>
  [new Date().toISOString(), location.pathname, navigator.userAgent, error instanceof Error ? error.stack : error]
    .map(String)
    .join('\n');

/** What stands where a part of the page failed. */
export function Failed({ error, extent, onAgain }: Props) {
  const t = useTranslations('failed');
  const outdated = isOutdated(error);
  const isLost = useConnection().state === 'lost';
  const said = error instanceof Error ? error.message : String(error);
  return (
    <div className={`${css.state} ${extent === 'page' ? css.whole : ''}`} role="alert">
      <h2>{outdated ? t(isLost ? 'unfetched' : 'outdated') : t(extent)}</h2>
      <p className="muted">{outdated ? t(isLost ? 'unfetchedText' : 'outdatedText') : t('text')}</p>
      {!outdated && (
        <p>
          <code className={css.said}>{said}</code>
        </p>
      )}
      <div className={css.choices}>
        {!outdated && (
          <Button look="primary" onClick={onAgain}>
            {t('again')}
          </Button>
        )}
        <Button look={outdated ? 'primary' : 'plain'} onClick={() => location.reload()}>
          {t('reload')}
        </Button>
        {!outdated && <CopyDetails error={error} />}
      </div>
    </div>
  );
}

function CopyDetails({ error }: { readonly error: unknown }) {
  const t = useTranslations();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(detailsOf(error));
    setCopied(true);
  };
  return (
    <Button look="quiet" onClick={() => void copy()}>
      {copied ? t('common.copied') : t('problem.copy')}
    </Button>
  );
}
