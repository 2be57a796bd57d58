import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { recall, remember } from '../shell/remember.ts';
import css from './item.module.css';

const LEAST_PX = 420;
const STEP_PX = 24;
const USUAL_SHARE = 0.44;

/** Neither half becomes too narrow to be read, however narrow the window has become since the divider was moved. */
const columnsOf = (share: number): string => `minmax(${LEAST_PX}px, ${share * 100}%) 1px minmax(${LEAST_PX}px, 1fr)`;

/** How much of the width the conversation takes, as it was left. `columns` is that for a grid. */
export function useShare() {
  const [share, setShare] = useState(() => Number(recall('divider') ?? USUAL_SHARE) || USUAL_SHARE);
  const move = (next: number): void => {
    setShare(next);
    remember('divider', next.toFixed(3));
  };
  return { share, move, columns: columnsOf(share) };
}

interface Props {
  readonly share: number;
  /** The grid whose columns it divides. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly onMove: (share: number) => void;
}

/** Moves by pointer or arrow keys. */
export function Divider({ share, box, onMove }: Props) {
  const t = useTranslations('item');
  const place = (px: number): void => {
    const width = box.current?.clientWidth ?? 1;
    onMove(Math.min(Math.max(px, LEAST_PX), Math.max(LEAST_PX, width - LEAST_PX)) / width);
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
    // biome-ignore lint/a11y/useSemanticElements: a rule that is moved is a separator with a value
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
  );
}
