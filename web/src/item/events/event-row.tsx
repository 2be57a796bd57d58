import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Event } from '../../../../src/client/index.ts';
import { Tag } from '../../components/tag.tsx';
import { factsOf } from './event-facts.ts';
import css from './events.module.css';

const ID_CHARS = 8;

interface Props {
  readonly itemId: string;
  readonly seq: number;
  /** Undefined while it is read. */
  readonly event: Event | undefined;
  /** The Action of a Run, where the event does not say it. */
  readonly actionOf: (runId: string) => string | undefined;
  readonly isWanted: boolean;
}

/** One fact: its number, when, what, of what, and all of it on demand. */
export function EventRow({ itemId, seq, event, actionOf, isWanted }: Props) {
  const t = useTranslations('events');
  const format = useFormatter();
  const [isOpen, setOpen] = useState(false);
  if (!event) {
    return (
      <div className={css.row} aria-busy="true">
        <span className={css.seq}>{seq}</span>
      </div>
    );
  }
  const { type } = event.body;
  const word = t.has(`type.${type}` as 'type.ItemCreated') ? t(`type.${type}` as 'type.ItemCreated') : type;
  const facts = factsOf(event);
  const when = new Date(event.at);
  return (
    <div className={`${css.row} ${isWanted ? css.wanted : ''}`} aria-current={isWanted || undefined}>
      <Link href={`/work/${itemId}/events/${seq}`} className={css.seq}>
        {seq}
      </Link>
      <time
        className={css.time}
        dateTime={when.toISOString()}
        title={format.dateTime(when, { dateStyle: 'full', timeStyle: 'long' })}
      >
        {format.dateTime(when, { timeStyle: 'medium' })}
      </time>
      <div className={css.what}>
        <p className={css.words}>
          <strong title={type}>{word}</strong>
          <Of itemId={itemId} actionId={facts.actionId ?? actionOf(facts.runId ?? '')} runId={facts.runId} />
          {facts.marks.map((mark) => (
            <Tag key={mark}>{mark.replaceAll('_', ' ')}</Tag>
          ))}
        </p>
        {facts.text !== undefined && (
          <p className={`small muted ${css.text}`} dir="auto">
            {facts.text}
          </p>
        )}
        {isOpen && <pre className={css.json}>{JSON.stringify(event, null, 2)}</pre>}
      </div>
      <button type="button" className={css.open} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('json')}
      </button>
    </div>
  );
}

interface OfProps {
  readonly itemId: string;
  readonly actionId: string | undefined;
  readonly runId: string | undefined;
}

/** Links to what it is about. */
function Of({ itemId, actionId, runId }: OfProps) {
  const t = useTranslations('events');
  if (actionId === undefined) return runId === undefined ? null : <code>{runId.slice(0, ID_CHARS)}</code>;
  const action = `/work/${itemId}/actions/${encodeURIComponent(actionId)}`;
  return (
    <>
      <Link href={action} className={css.link}>
        {actionId}
      </Link>
      {runId !== undefined && (
        <Link href={`${action}/runs/${encodeURIComponent(runId)}`} className={css.link}>
          {t('run', { id: runId.slice(0, ID_CHARS) })}
        </Link>
      )}
    </>
  );
}
