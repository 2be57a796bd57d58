import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './actions.module.css';

/** One level up. The browser's own Back unwinds the pane, too. */
export function Back({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={css.back}>
      <ChevronLeft size={14} aria-hidden />
      {children}
    </Link>
  );
}
