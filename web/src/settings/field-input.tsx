import type { KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { LimitedText } from '../components/limited-text.tsx';
import { MODEL_LIST } from './model-names.tsx';
import css from './settings.module.css';
import type { Kind } from './table.ts';

interface Props {
  readonly id: string;
  readonly kind: Kind;
  readonly typed: string;
  readonly placeholder: string;
  /** Of a switch that is not set. */
  readonly initial: string;
  readonly onType: (typed: string) => void;
  /** Escape takes back what was typed. */
  readonly onUndo: () => void;
}

const LONGEST = 20_000;

/** Where a value is typed; what there is to choose is chosen. */
export function FieldInput({ id, kind, typed, placeholder, initial, onType, onUndo }: Props) {
  const t = useTranslations('settings');
  const undo = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onUndo();
    const sends = event.key === 'Enter' && (event.metaKey || event.ctrlKey);
    if (sends && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
  };
  if (kind.as === 'switch') {
    return (
      <select id={id} value={typed} className={css.input} onChange={(event) => onType(event.target.value)}>
        <option value="">{initial === '' ? t('unset') : t('default', { value: initial })}</option>
        <option value="true">{t('on')}</option>
        <option value="false">{t('off')}</option>
      </select>
    );
  }
  const shared = { id, value: typed, placeholder, className: css.input, onKeyDown: undo };
  if (kind.as === 'long') {
    return <LimitedText {...shared} rows={3} limit={LONGEST} onChange={onType} />;
  }
  const isNumber = kind.as === 'count' || kind.as === 'amount';
  return (
    <input
      {...shared}
      type="text"
      inputMode={isNumber ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      data-number={isNumber || undefined}
      {...(kind.as === 'model' ? { list: MODEL_LIST } : {})}
      onChange={(event) => onType(event.target.value)}
    />
  );
}
