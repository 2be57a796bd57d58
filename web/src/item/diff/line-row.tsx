import { MessageSquarePlus } from 'lucide-react';
import { memo } from 'react';
import { useTranslations } from 'use-intl';
import type { DiffFile, DiffLine } from './diff-data.ts';
import css from './diff-line.module.css';
import { LineText } from './line-text.tsx';

interface LineProps {
  readonly file: DiffFile;
  readonly at: number;
  readonly isActive: boolean;
  /** Somebody wants to say something about this line. */
  readonly onSay: (file: DiffFile, at: number) => void;
}

const LOOKS = { ' ': '', '+': css.added, '-': css.removed } as const;

/** One line, before and after in one column. */
export const LineRow = memo(function LineRow({ file, at, isActive, onSay }: LineProps) {
  const line = file.lines[at];
  if (!line) return null;
  return (
    <div className={`${css.line} ${LOOKS[line.sign]} ${isActive ? css.active : ''}`}>
      <span className={`${css.number} ${css.old}`}>{line.old}</span>
      <span className={`${css.number} ${css.now}`}>{line.now}</span>
      <Sign line={line} onSay={() => onSay(file, at)} />
      <code className={css.text}>
        <LineText file={file} line={line} />
      </code>
    </div>
  );
});

/** The sign, and where one would write about the line. It is reached by `c` from the list, so not by Tab. */
function Sign({ line, onSay }: { readonly line: DiffLine; readonly onSay: () => void }) {
  const t = useTranslations('diff');
  return (
    <span className={css.sign}>
      <span aria-hidden="true">{line.sign}</span>
      {line.sign !== ' ' && <span className="sr-only">{t(line.sign === '+' ? 'added' : 'removed')}</span>}
      <button
        type="button"
        tabIndex={-1}
        className={css.say}
        aria-label={t('commentOn', { line: line.now ?? line.old ?? 0 })}
        title={t('commentOn', { line: line.now ?? line.old ?? 0 })}
        onClick={onSay}
      >
        <MessageSquarePlus size={13} aria-hidden />
      </button>
    </span>
  );
}

interface PairProps extends Omit<LineProps, 'at'> {
  readonly left: number;
  readonly right: number;
}

/** The same place before and after, side by side. */
export const PairRow = memo(function PairRow({ file, left, right, isActive, onSay }: PairProps) {
  return (
    <div className={css.pair}>
      <Half file={file} at={left} side="old" isActive={isActive && right < 0} onSay={onSay} />
      <Half file={file} at={right} side="now" isActive={isActive && right >= 0} onSay={onSay} />
    </div>
  );
});

function Half({ file, at, side, isActive, onSay }: LineProps & { readonly side: 'old' | 'now' }) {
  const line = file.lines[at];
  if (!line) return <div className={css.none} />;
  return (
    <div className={`${css.half} ${LOOKS[line.sign]} ${isActive ? css.active : ''}`}>
      <span className={css.number}>{line[side]}</span>
      <Sign line={line} onSay={() => onSay(file, at)} />
      <code className={css.text}>
        <LineText file={file} line={line} />
      </code>
    </div>
  );
}
