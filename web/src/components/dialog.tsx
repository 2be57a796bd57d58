import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button.tsx';
import css from './dialog.module.css';
import { giveBackFocus, useRememberedFocus } from './returned-focus.ts';

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: string;
  readonly children: ReactNode;
}

/** Who is asked for words begins with them: a space that was meant for a field would press the button to close. */
function takeFocus(event: Event): void {
  const field = event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('textarea, input');
  if (!(field instanceof HTMLElement)) return;
  event.preventDefault();
  field.focus();
}

/** Something to decide before going on. Escape and a click beside it close it; focus returns to where it was. */
export function Dialog({ open, onOpenChange, title, description, children }: Props) {
  const t = useTranslations('common');
  useRememberedFocus(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={css.overlay} />
        <Radix.Content
          className={css.content}
          onOpenAutoFocus={takeFocus}
          onCloseAutoFocus={giveBackFocus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className={css.head}>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t('close')} icon={<X size={16} aria-hidden />} />
            </Radix.Close>
          </header>
          {description !== undefined && <Radix.Description className="muted">{description}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
