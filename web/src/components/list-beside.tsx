import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import css from './list-beside.module.css';

interface Props {
  /** Left out where there is room for one column only, and it is the other. */
  readonly list?: ReactNode;
  readonly children: ReactNode;
}

/** A list at the side, and beside it what was chosen from it. */
export const ListBeside = ({ list, children }: Props) => (
  <div className={css.columns}>
    {list !== undefined && <div className={css.side}>{list}</div>}
    {children}
  </div>
);

/** One line of the list, which leads to an address. */
export const RowLink = ({ isChosen, ...rest }: { isChosen: boolean; href: string; children: ReactNode }) => (
  <Link className={css.row} aria-current={isChosen ? 'page' : undefined} {...rest} />
);

/** One line of the list, which is chosen by a press. */
export const RowButton = ({ isChosen, ...rest }: { readonly isChosen: boolean } & ComponentProps<'button'>) => (
  <button type="button" className={css.row} aria-current={isChosen ? 'true' : undefined} {...rest} />
);

/** Its first line: what it is called, and at its end what else is said of it. */
export const RowHead = ({ children }: { readonly children: ReactNode }) => <span className={css.head}>{children}</span>;
