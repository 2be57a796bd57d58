import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { recall, remember } from '../shell/remember.ts';
import css from './item.module.css';

const LEAST_PX = 420;
const STEP_PX = 24;
const USUAL_SHARE = 0.44;

/** Two columns with a divider that moves, by pointer or arrow keys, and is remembered. */
export function Divided({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) {
  const t = useTranslations('item');
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => Number(recall('divider') ?? USUAL_SHARE) || USUAL_SHARE);
  const place = (px: number): void => {
    const width = box.current?.clientWidth ?? 1;
    const next = Math.min(Math.max(px, LEAST_PX), Math.max(LEAST_PX, width - LEAST_PX)) / width;
    setShare(next);
    remember('divider', next.toFixed(3));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    place(event.clientX - (box.current?.getBoundingClientRect().left ?? 0));
  };
  const press = ({ key }: KeyboardEvent): void => {
    const step = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }[key];
    if (step !== undefined) place(share * (box.current?.clientWidth ?? 0) + step);
  };
  return (
    <div
      ref={box}
      className={css.divided}
      style={{ gridTemplateColumns: `minmax(${LEAST_PX}px, ${share * 100}%) 1px minmax(0, 1fr)` }}
    >
      {left}
      {/* biome-ignore lint/a11y/useSemanticElements: a rule that is moved is a separator with a value */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('divider')}
        aria-valuenow={Math.round(share * 100)}
        tabIndex={0}
        className={css.divider}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={press}
      />
      {right}
    </div>
  );
}
