import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ModelRequest } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { duration, useMoney } from '../../components/values.tsx';
import { LiveText } from '../live/live-text.tsx';
import { useWriting } from '../live/use-item-stream.ts';
import css from './actions.module.css';
import { contentQuery } from './queries.ts';
import { Snapshot } from './snapshot.tsx';
import { ToolCall } from './tool-call.tsx';
import { type AnswerPart, partsOf, type ToolAnswer } from './transcript-steps.ts';
import { useNear } from './use-near.ts';

interface Props {
  readonly itemId: string;
  readonly call: ModelRequest;
  readonly answers: ReadonlyMap<string, ToolAnswer>;
  /** The request that came behind it; it says what the tools answered. */
  readonly next: ModelRequest | undefined;
}

/** One model request. While it is being answered its live text stands here; the stored answer takes its place. */
export function Turn({ itemId, call, answers, next }: Props) {
  const t = useTranslations('actions');
  const [ref, isNear] = useNear<HTMLLIElement>();
  const { responseHash: hash } = call;
  const [wasWatched] = useState(hash === null);
  const { data, error } = useQuery({ ...contentQuery(itemId, hash ?? ''), enabled: hash !== null && isNear });
  const parts = useMemo(() => (data === undefined ? [] : partsOf(data)), [data]);
  return (
    <li ref={ref} className={css.turn}>
      <div className={css.said} aria-busy={hash !== null && data === undefined && !error}>
        {wasWatched && data === undefined && !error && <Writing itemId={itemId} callId={call.id} />}
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stored answer never changes
          <Part key={index} part={part} {...{ itemId, answers, next }} />
        ))}
        {call.error !== null && (
          <p className={css.wrong} dir="auto">
            {call.code !== null && <code>{call.code}</code>} {call.error}
          </p>
        )}
        {error && <p className="small muted">{t('notKept', { why: problemOf(error).detail })}</p>}
        <div className={css.stored}>
          <Snapshot itemId={itemId} hash={call.requestHash} label={t('prompt')} />
          {hash !== null && <Snapshot itemId={itemId} hash={hash} label={t('answer')} />}
        </div>
      </div>
      <Margin call={call} />
    </li>
  );
}

interface PartProps extends Pick<Props, 'itemId' | 'answers' | 'next'> {
  readonly part: AnswerPart;
}

function Part({ part, itemId, answers, next }: PartProps) {
  const t = useTranslations('actions');
  if (part.kind === 'tool_call') {
    return <ToolCall itemId={itemId} use={part} answer={answers.get(part.id)} laterHash={next?.requestHash} />;
  }
  if (part.kind === 'text') {
    return (
      <p className={css.words} dir="auto">
        {part.text}
      </p>
    );
  }
  return (
    <details className={css.fold}>
      <summary className="small muted">{t('reasoning')}</summary>
      <p className={`muted ${css.words}`} dir="auto">
        {part.text}
      </p>
    </details>
  );
}

/** Live text, and its last state for as long as the stored answer is on its way. */
function Writing({ itemId, callId }: { readonly itemId: string; readonly callId: string }) {
  const t = useTranslations('live');
  const writing = useWriting(itemId, ({ key }) => key === callId);
  const [last, setLast] = useState(writing);
  if (writing !== undefined && writing !== last) setLast(writing);
  return last ? <LiveText writing={last} label={t('text')} /> : null;
}

const KINDS = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning'] as const;

/** What the request took: tokens by their kind, money, time. */
function Margin({ call }: { readonly call: ModelRequest }) {
  const t = useTranslations('actions');
  const format = useFormatter();
  const money = useMoney();
  const { n, model, status, tokens, charged, estimate, dispatchedAt, endedAt, tries } = call;
  const cost = charged?.costMicros ?? (charged === null ? estimate.costMicros : null);
  return (
    <dl className={css.margin}>
      <div title={model}>
        <dt>{t('callN', { n })}</dt>
      </div>
      {status !== 'responded' && (
        <div>
          <dt className="sr-only">{t('callStatus')}</dt>
          <dd>{t(`call.${status}`)}</dd>
        </div>
      )}
      {tokens &&
        KINDS.filter((kind) => tokens[kind] > 0).map((kind) => (
          <div key={kind}>
            <dt>{t(`tokens.${kind}`)}</dt>
            <dd>{format.number(tokens[kind])}</dd>
          </div>
        ))}
      {cost !== null && (
        <div>
          <dt>{charged === null ? t('estimated') : t('cost')}</dt>
          <dd>{money(cost)}</dd>
        </div>
      )}
      {dispatchedAt !== null && endedAt !== null && (
        <div>
          <dt>{t('took')}</dt>
          <dd>{duration(endedAt - dispatchedAt)}</dd>
        </div>
      )}
      {tries > 1 && (
        <div>
          <dt>{t('tries')}</dt>
          <dd>{tries}</dd>
        </div>
      )}
    </dl>
  );
}
