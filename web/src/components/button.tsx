import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import css from './button.module.css';

interface Props extends ComponentProps<'button'> {
  /** `primary`: what this place is for; at most one of them is in sight. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
  /** The work behind it goes on: it cannot be pressed again, and says so. */
  readonly busy?: boolean;
}

/** A verb with its object. */
export function Button({ look = 'plain', icon, busy = false, onClick, children, className, ...rest }: Props) {
  // While it is busy it is not switched off: that would drop the focus, and a keyboard would begin at the top again.
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      className={`${css.button} ${css[look] ?? ''} ${className ?? ''}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={press}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

/** Only a picture: its name is for those who hear the page, and for the hint. */
export function IconButton({ label, ...rest }: Omit<Props, 'children'> & { readonly label: string }) {
  return <Button look="quiet" aria-label={label} title={label} className={css.icon} {...rest} />;
}

/** A way to another place that is as plain to see as an act. */
export function ButtonLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={css.button}>
      {children}
    </Link>
  );
}
