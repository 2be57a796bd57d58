import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Lane, LaneCounts } from '../../../src/client/index.ts';
import { Mark, toneOf } from '../components/mark.tsx';
import css from './board.module.css';

interface Props {
  readonly lanes: readonly Lane[];
  readonly counts: LaneCounts | undefined;
  readonly shown: Lane;
  readonly onShow: (lane: Lane) => void;
  /** The lane that is shown. */
  readonly children: ReactNode;
}

/** The lanes as tabs, where there is no room for columns. */
export function LaneTabs({ lanes, counts, shown, onShow, children }: Props) {
  const t = useTranslations('lane');
  return (
    <Tabs.Root
      value={shown}
      onValueChange={(lane) => onShow(lanes.find((each) => each === lane) ?? shown)}
      className={css.tabbed}
    >
      <Tabs.List className={css.tabs}>
        {lanes.map((lane) => (
          <Tabs.Trigger key={lane} value={lane} className={css.tab}>
            <Mark tone={toneOf(lane)}>{t(lane)}</Mark> <span className="faint num">{counts?.[lane] ?? ''}</span>
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value={shown} className={css.lanes} data-lanes={1}>
        {children}
      </Tabs.Content>
    </Tabs.Root>
  );
}
