import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import type { HTMLAttributes, ReactNode, Ref } from 'react';
import css from './virtual-rows.module.css';

interface Props<Scroller extends Element> {
  readonly list: Virtualizer<Scroller, Element>;
  /** `ul` and `ol` where the rows are a list of their own; its name then belongs to them. */
  readonly as?: 'div' | 'ul' | 'ol';
  readonly label?: string;
  /** Of the whole room, such as to find where it begins. */
  readonly ref?: Ref<HTMLDivElement>;
  /** Of what holds the rows in sight. */
  readonly className?: string | undefined;
  readonly rowProps?: (index: number) => HTMLAttributes<HTMLElement>;
  readonly children: (index: number) => ReactNode;
}

/** What is not drawn between a row and the one before it; a row may be kept that is far from those in sight. */
function roomBefore(item: VirtualItem, before: VirtualItem | undefined, gap: number): { marginTop?: number } {
  if (!before || before.index === item.index - 1) return {};
  return { marginTop: item.start - before.end - gap };
}

/** Room for all rows of a long list, and in it only those in sight: in flow, each measured once it is there. */
export function VirtualRows<Scroller extends Element>(props: Props<Scroller>) {
  const { list, as: Holder = 'div', label, ref, className = '', rowProps, children } = props;
  const Row = Holder === 'div' ? 'div' : 'li';
  const items = list.getVirtualItems();
  const top = (items[0]?.start ?? 0) - list.options.scrollMargin;
  return (
    <div ref={ref} className={css.room} style={{ height: list.getTotalSize() }}>
      <Holder
        className={`${css.seen} ${className}`}
        style={{ transform: `translateY(${top}px)`, rowGap: list.options.gap }}
        aria-label={label}
      >
        {items.map((item, at) => (
          <Row
            key={item.key}
            data-index={item.index}
            ref={list.measureElement}
            style={roomBefore(item, items[at - 1], list.options.gap)}
            {...rowProps?.(item.index)}
          >
            {children(item.index)}
          </Row>
        ))}
      </Holder>
    </div>
  );
}
