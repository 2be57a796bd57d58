import { useState } from 'react';
import { useTranslations } from 'use-intl';

const SHOWN_MS = 1_500;

/** An id is short, or shown so far as it takes to tell it from others; the whole of it is copied on click. */
export function CopyId({ id, chars }: { readonly id: string; readonly chars?: number }) {
  const t = useTranslations('common');
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" className="mono" onClick={() => void copy()} title={t('copy')}>
      {copied ? t('copied') : id.slice(0, chars)}
    </button>
  );
}
