import { useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { ContentLabel } from '../../components/content-label.tsx';
import css from './live.module.css';
import type { Writing } from './live-texts.ts';

const NEAR_END_PX = 40;

/** Text while it is written: it moves at its edge, follows its end, and is replaced by what is stored. */
export function LiveText({ writing, label }: { readonly writing: Writing; readonly label: string }) {
  const t = useTranslations('live');
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the text
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [writing.end]);
  return (
    <section className={css.live} aria-label={label}>
      <p className={css.label}>
        <ContentLabel kind="live">
          {label} {writing.isCut && <span className="faint">{t('cut')}</span>}
        </ContentLabel>
      </p>
      <pre
        ref={box}
        className={`${css.scroll} ${writing.kind === 'text' ? css.text : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard
        tabIndex={0}
        dir="auto"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        {writing.text}
      </pre>
    </section>
  );
}
