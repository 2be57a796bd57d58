import { type ClipboardEvent, type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button.tsx';
import css from './limited-text.module.css';

interface Props extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'onPaste' | 'maxLength' | 'ref'> {
  readonly value: string;
  /** In characters. */
  readonly limit: number;
  readonly onChange: (text: string) => void;
  /** What is too long may become a file, where there can be files. */
  readonly onAttach?: ((files: readonly File[]) => void) | undefined;
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
}

/** From this share of the limit on it is told how much is left. */
const TOLD_FROM = 0.8;

/**
 * Text with a limit that never cuts: what does not fit never reaches the field, however large it is, and is refused
 * with the limit instead. One who comes back to words of before goes on at their end.
 */
export function LimitedText({ value, limit, onChange, onAttach, ref, ...rest }: Props) {
  const t = useTranslations('create.fault');
  const own = useRef<HTMLTextAreaElement>(null);
  const field = ref ?? own;
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    const end = field.current?.value.length ?? 0;
    field.current?.setSelectionRange(end, end);
  }, [field]);
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
  return (
    <>
      <textarea
        dir="auto"
        {...rest}
        ref={field}
        value={value}
        onChange={(event) => take(event.target.value)}
        onPaste={paste}
      />
      {value.length > limit * TOLD_FROM && (
        <p className="small muted num">{t('count', { found: value.length, limit })}</p>
      )}
      {refused !== undefined && (
        <Refused text={refused} limit={limit} onAttach={onAttach} onDismiss={() => setRefused(undefined)} />
      )}
    </>
  );
}

interface RefusedProps extends Pick<Props, 'limit' | 'onAttach'> {
  readonly text: string;
  readonly onDismiss: () => void;
}

function Refused({ text, limit, onAttach, onDismiss }: RefusedProps) {
  const t = useTranslations('create.fault');
  return (
    <div role="alert" className={css.refused}>
      <p>{t('pasted', { found: text.length, limit })}</p>
      <div className={css.buttons}>
        {onAttach && (
          <Button
            onClick={() => {
              onAttach([new File([text], t('pastedName'), { type: 'text/plain' })]);
              onDismiss();
            }}
          >
            {t('attach')}
          </Button>
        )}
        <Button look="quiet" onClick={onDismiss}>
          {t('dismiss')}
        </Button>
      </div>
    </div>
  );
}
