import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../components/button.tsx';
import css from './inbox.module.css';

interface Props {
  /** From 0. */
  readonly at: number;
  readonly of: number;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}

/** One card at a time, and how many there are. */
export function Pager({ at, of, onPrevious, onNext }: Props) {
  const t = useTranslations('inbox');
  return (
    <div className={css.pager}>
      <IconButton
        label={t('previous')}
        icon={<ChevronLeft size={18} aria-hidden />}
        disabled={at <= 0}
        onClick={onPrevious}
      />
      <span className="num small muted" aria-live="polite">
        {t('position', { at: at + 1, of })}
      </span>
      <IconButton
        label={t('next')}
        icon={<ChevronRight size={18} aria-hidden />}
        disabled={at >= of - 1}
        onClick={onNext}
      />
    </div>
  );
}
