import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import type { ContentProps } from '../pane/pane.tsx';
import { GROUPS, type Group, typesOf } from './event-groups.ts';
import { EventList } from './event-list.tsx';
import css from './events.module.css';
import { type EventPages, PAGE, useEventPages } from './use-events.ts';
import { useEventsOf } from './use-events-of.ts';

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

/** Tells whose a Run is, so that what is found of it leads there. */
const CLAIM = 'RunClaimed';

/** Those about something: the server looks for them, so nothing else is read. */
function SomeEvents({ itemId, total, groups }: Omit<ListProps, 'wanted'> & { readonly groups: ReadonlySet<Group> }) {
  const t = useTranslations('events');
  const types = typesOf(groups);
  const events = useEventsOf(itemId, total, types.includes(CLAIM) ? types : [...types, CLAIM]);
  const found = events.found.filter(({ body }) => types.includes(body.type));
  const seqs = { count: found.length, at: (index: number) => found[index]?.seq ?? index };
  return (
    <>
      <Trouble events={events} />
      <p className={`small muted num ${css.bar}`} role="status">
        {events.isReading ? t('looking', { n: found.length }) : t('found', { n: found.length })}
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

/** Others stand still until a person does something. */
const MOVING: ReadonlySet<string> = new Set(['deciding', 'ready', 'running', 'cancelling']);

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
      <ContentLabel kind={MOVING.has(item.status) ? 'live' : 'log'}>
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
