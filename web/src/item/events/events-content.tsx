import { useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import type { ContentProps } from '../pane/pane.tsx';
import { GROUPS, type Group, groupOf } from './event-groups.ts';
import { EventList } from './event-list.tsx';
import css from './events.module.css';
import { type EventPages, PAGE, useEventPages } from './use-events.ts';

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** What happened, as a sheet of facts; the version of an item is the number of its events. */
export function EventsContent({ item, rest }: ContentProps) {
  const [groups, setGroups] = useState<ReadonlySet<Group>>(new Set());
  const wanted = rest[0] !== undefined && /^\d{1,9}$/.test(rest[0]) ? Number(rest[0]) : undefined;
  const choose = (group: Group): void => {
    const next = new Set(groups);
    if (!next.delete(group)) next.add(group);
    setGroups(next);
  };
  const props = { itemId: item.id, total: item.version, wanted };
  return (
    <div className={css.root}>
      <Bar item={item} groups={groups} onChoose={choose} onClear={() => setGroups(new Set())} />
      {groups.size === 0 ? (
        <AllEvents {...props} />
      ) : (
        <SomeEvents itemId={item.id} total={item.version} groups={groups} />
      )}
    </div>
  );
}

interface ListProps {
  readonly itemId: string;
  readonly total: number;
  readonly wanted: number | undefined;
}

/** Only what is in sight is read. */
function AllEvents({ itemId, total, wanted }: ListProps) {
  const [seen, setSeen] = useState<readonly [first: number, last: number]>([total, total]);
  const onSeen = useCallback((first: number, last: number) => setSeen([first, last]), []);
  const last = Math.floor((total - 1) / PAGE);
  const pages = range(Math.floor((seen[0] - 1) / PAGE), Math.min(last, Math.floor((seen[1] - 1) / PAGE)));
  const events = useEventPages(itemId, total, pages);
  const seqs = { count: total, at: (index: number) => index + 1 };
  return (
    <>
      <Trouble events={events} />
      <EventList {...{ itemId, events, wanted, seqs, onSeen }} />
    </>
  );
}

const ignore = (): void => undefined;

/** The server knows no kinds, so what is looked through is read, page by page from the newest back. */
function SomeEvents({ itemId, total, groups }: Omit<ListProps, 'wanted'> & { readonly groups: ReadonlySet<Group> }) {
  const t = useTranslations('events');
  const last = Math.floor((total - 1) / PAGE);
  const [back, setBack] = useState(0);
  const first = Math.max(0, last - back);
  const events = useEventPages(itemId, total, range(first, last));
  const isDone = first === 0 && !events.isReading;
  useEffect(() => {
    if (!events.isReading && events.error === null && first > 0) setBack(last - first + 1);
  }, [events.isReading, events.error, first, last]);
  const found = range(first * PAGE + 1, total).filter((seq) => {
    const type = events.at(seq)?.body.type;
    return type !== undefined && groups.has(groupOf(type));
  });
  const seqs = { count: found.length, at: (index: number) => found[index] ?? index };
  return (
    <>
      <Trouble events={events} />
      <p className={`small muted num ${css.bar}`} role="status">
        {isDone ? t('found', { n: found.length }) : t('looking', { n: found.length, from: first * PAGE + 1, total })}
      </p>
      <EventList {...{ itemId, events, seqs }} wanted={undefined} onSeen={ignore} />
    </>
  );
}

function Trouble({ events: { error, again } }: { readonly events: EventPages }) {
  if (!error) return null;
  return (
    <div className={css.bar}>
      <ProblemNotice problem={problemOf(error)} onRetry={again} />
    </div>
  );
}

interface BarProps extends Pick<ContentProps, 'item'> {
  readonly groups: ReadonlySet<Group>;
  readonly onChoose: (group: Group) => void;
  readonly onClear: () => void;
}

function Bar({ item, groups, onChoose, onClear }: BarProps) {
  const t = useTranslations('events');
  const [, navigate] = useLocation();
  const [seq, setSeq] = useState('');
  return (
    <div className={css.bar}>
      <ContentLabel kind={item.lane === 'done' ? 'log' : 'live'}>
        <span className="num">{t('total', { n: item.version })}</span>
      </ContentLabel>
      <form
        className={css.jump}
        onSubmit={(event) => {
          event.preventDefault();
          onClear();
          navigate(`/work/${item.id}/events/${Math.min(Math.max(1, Number(seq)), item.version)}`);
        }}
      >
        <input
          value={seq}
          inputMode="numeric"
          pattern="[0-9]{1,9}"
          required
          aria-label={t('jump')}
          placeholder={t('jump')}
          onChange={(event) => setSeq(event.target.value)}
        />
        <Button type="submit">{t('go')}</Button>
      </form>
      <fieldset className={css.groups}>
        <legend className="sr-only">{t('filter')}</legend>
        {GROUPS.map((group) => (
          <button
            key={group}
            type="button"
            className={css.group}
            aria-pressed={groups.has(group)}
            onClick={() => onChoose(group)}
          >
            {t(`group.${group}`)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
