import { type ReactNode, useId } from 'react';
import css from './gallery.module.css';

/** One component in all of its states, under its name. */
export function Shown({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.shown}>
      <h2 id={id}>{name}</h2>
      <div className={css.states}>{children}</div>
    </section>
  );
}
