import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { EventRow } from './event-row.tsx';
import css from './events.module.css';
import type { EventPages } from './use-events.ts';

const ROW_PX = 52;
const OVERSCAN_ROWS = 10;
const NEAR_END_PX = 40;

interface Props {
  readonly itemId: string;
  /** What is shown, by sequence: all of them, or those that fit a filter. */
  readonly seqs: { readonly count: number; readonly at: (index: number) => number };
  readonly events: EventPages;
  readonly wanted: number | undefined;
  readonly onSeen: (first: number, last: number) => void;
}

/** The Actions of the Runs that are in sight or were claimed in pages that are there. */
function actionsOfRuns({ at }: EventPages, first: number, last: number): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (let seq = Math.max(1, first); seq <= last; seq += 1) {
    const run = at(seq)?.body.run;
    if (typeof run !== 'object' || run === null || !('id' in run && 'actionId' in run)) continue;
    known.set(String(run.id), String(run.actionId));
  }
  return known;
}

const LOOK_BACK = 200;

/** What happened, oldest first; it stays at the end while one is there. */
export function EventList({ itemId, seqs, events, wanted, onSeen }: Props) {
  const t = useTranslations('events');
  const scroller = useRef<HTMLElement>(null);
  const list = useVirtualizer<HTMLElement, Element>({
    count: seqs.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: seqs.at,
    overscan: OVERSCAN_ROWS,
  });
  const items = list.getVirtualItems();
  const first = seqs.at(items[0]?.index ?? 0);
  const last = seqs.at(items.at(-1)?.index ?? 0);
  const isThere = items.length > 0;
  useEffect(() => {
    if (isThere) onSeen(first, last);
  }, [isThere, first, last, onSeen]);
  const look = useStay(list, scroller, seqs.count, wanted);
  const actions = actionsOfRuns(events, first - LOOK_BACK, last);
  return (
    <section
      ref={scroller}
      className={css.list}
      aria-label={t('label')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
      tabIndex={0}
      onScroll={look}
    >
      <VirtualRows list={list}>
        {(index) => {
          const seq = seqs.at(index);
          return (
            <EventRow
              itemId={itemId}
              seq={seq}
              event={events.at(seq)}
              actionOf={(runId) => actions.get(runId)}
              isWanted={seq === wanted}
            />
          );
        }}
      </VirtualRows>
    </section>
  );
}

/** Stays at the end while one is there, or at the event that is wanted. Answers what to do after scrolling. */
function useStay(
  list: Virtualizer<HTMLElement, Element>,
  scroller: RefObject<HTMLElement | null>,
  count: number,
  wanted: number | undefined,
): () => void {
  const isAtEnd = useRef(wanted === undefined);
  const total = list.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what grows is what moves the end
  useLayoutEffect(() => {
    if (isAtEnd.current && count > 0) list.scrollToIndex(count - 1, { align: 'end' });
  }, [count, total]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another wish scrolls
  useEffect(() => {
    if (wanted === undefined) return;
    isAtEnd.current = false;
    list.scrollToIndex(Math.min(wanted, count) - 1, { align: 'center' });
  }, [wanted]);
  return () => {
    const element = scroller.current;
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  };
}
