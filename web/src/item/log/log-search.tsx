import { ChevronDown, ChevronUp } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../components/button.tsx';
import css from './log.module.css';

interface Props {
  readonly text: string;
  readonly hits: number;
  /** Which of them is shown, from 1. */
  readonly at: number;
  readonly onText: (text: string) => void;
  readonly onStep: (step: 1 | -1) => void;
}

/** Looks through what has been read; Enter goes to the next hit, Shift and Enter back. */
export function LogSearch({ text, hits, at, onText, onStep }: Props) {
  const t = useTranslations('log');
  return (
    <search className={css.search}>
      <input
        type="search"
        value={text}
        aria-label={t('search')}
        placeholder={t('search')}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onStep(shiftKey ? -1 : 1)}
      />
      {text.trim() !== '' && (
        <>
          <span className="small muted num" aria-live="polite">
            {t('hits', { at, hits })}
          </span>
          <IconButton label={t('previous')} icon={<ChevronUp size={16} aria-hidden />} onClick={() => onStep(-1)} />
          <IconButton label={t('next')} icon={<ChevronDown size={16} aria-hidden />} onClick={() => onStep(1)} />
        </>
      )}
    </search>
  );
}
