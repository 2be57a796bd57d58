import type { ReactNode } from 'react';
import css from './settings.module.css';

/** A table that is wider than a phone; those who have no mouse scroll it, too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
