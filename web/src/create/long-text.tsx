import { type ClipboardEvent, type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import css from './create.module.css';
import { useCreate } from './create-context.ts';

interface Props extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'onPaste'> {
  readonly value: string;
  readonly limit: number;
  readonly onChange: (text: string) => void;
  readonly children?: ReactNode;
}

/** From this share of the limit on it is told how much is left. */
const TOLD_FROM = 0.8;

/**
 * Text that grows with what is typed. A paste that does not fit never reaches the field, however large it is: it is
 * refused with the limit, and may become a file instead.
 */
export function LongText({ value, limit, onChange, ...rest }: Props) {
  const t = useTranslations('create.fault');
  const { attach } = useCreate();
  const [refused, setRefused] = useState<string>();
  const take = (text: string): void => {
    const fits = text.length <= limit || text.length < value.length;
    setRefused(fits ? undefined : text);
    if (fits) onChange(text);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text/plain');
    if (value.length - (selectionEnd - selectionStart) + pasted.length <= limit) return;
    event.preventDefault();
    setRefused(pasted);
  };
  const attachRefused = (): void => {
    if (refused !== undefined) attach([new File([refused], t('pastedName'), { type: 'text/plain' })]);
    setRefused(undefined);
  };
  return (
    <>
      <textarea
        dir="auto"
        {...rest}
        className={`${css.input} ${css.long} ${rest.className ?? ''}`}
        value={value}
        onChange={(event) => take(event.target.value)}
        onPaste={paste}
      />
      {value.length > limit * TOLD_FROM && (
        <p className="small muted num">{t('count', { found: value.length, limit })}</p>
      )}
      {refused !== undefined && (
        <div role="alert" className={css.refused}>
          <p>{t('pasted', { found: refused.length, limit })}</p>
          <div className={css.row}>
            <Button onClick={attachRefused}>{t('attach')}</Button>
            <Button look="quiet" onClick={() => setRefused(undefined)}>
              {t('dismiss')}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
