import type { ReactNode } from 'react';
import css from './tag.module.css';

export type TagLook = 'machine' | 'independent' | 'self' | 'missing' | 'warning' | 'failed' | 'plain';

/** A short word in a frame; it says one thing. */
export function Tag({
  look = 'plain',
  title,
  children,
}: {
  readonly look?: TagLook;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <span className={`${css.tag} ${css[look]}`} title={title}>
      {children}
    </span>
  );
}
