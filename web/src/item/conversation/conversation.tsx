import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { conversationQuery, requestsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { HoldCard } from '../../inbox/hold-card.tsx';
import { actionPageQuery, timelineQuery } from '../actions/queries.ts';
import { LiveLine } from '../live/live-line.tsx';
import { ActionCard } from './action-card.tsx';
import { Composer } from './composer.tsx';
import css from './conversation.module.css';
import { EntryLine } from './entry-line.tsx';
import { GoalLine } from './goal-line.tsx';
import { OutboxLines } from './outbox-lines.tsx';
import { RequestCard } from './request-card.tsx';
import { refusedClaims, streamParts } from './stream-parts.ts';
import { useStickyEnd } from './use-sticky-end.ts';

/** Everything that was said, in order; what waits for an answer stands at its end, above the one composer. */
export function Conversation({ item }: { readonly item: Item }) {
  const t = useTranslations('talk');
  const name = useTranslations('item')('conversation');
  const talk = useInfiniteQuery(conversationQuery(item.id));
  const requests = useQuery({ ...requestsQuery(item.id), enabled: item.counts.requests > 0 });
  const entries = (talk.data?.pages ?? []).toReversed().flatMap((page) => page.entries);
  const actions = useQuery(actionPageQuery(item.id, undefined)).data?.actions ?? [];
  const spans = (useInfiniteQuery(timelineQuery(item.id)).data?.pages ?? []).flatMap((page) => page.spans);
  const parts = streamParts(entries, actions, spans, !talk.hasNextPage);
  const open = item.counts.requests > 0 ? (requests.data?.requests ?? []) : [];
  const { box, content } = useStickyEnd();
  return (
    <section className={css.conversation} aria-label={name}>
      <div ref={box} className={css.stream}>
        <div ref={content} className={css.said}>
          {talk.hasNextPage && (
            <Button look="quiet" busy={talk.isFetchingNextPage} onClick={() => void talk.fetchNextPage()}>
              {t('older')}
            </Button>
          )}
          {talk.error && <ProblemNotice problem={problemOf(talk.error)} onRetry={() => void talk.refetch()} />}
          {!talk.hasNextPage && <GoalLine item={item} />}
          <ol className={css.entries}>
            {parts.map((part) =>
              part.kind === 'entry' ? (
                <EntryLine
                  key={part.entry.id}
                  itemId={item.id}
                  entry={part.entry}
                  actionName={actions.find(({ id }) => id === part.entry.target.id)?.name}
                />
              ) : (
                <ActionCard
                  key={`action ${part.action.id}`}
                  itemId={item.id}
                  action={part.action}
                  isAsking={open.some(({ subject }) => subject.actionId === part.action.id)}
                  refused={refusedClaims(spans, part.action.id)}
                />
              ),
            )}
          </ol>
          <LiveLine itemId={item.id} />
          <OutboxLines itemId={item.id} entries={entries} />
          {open.map((request) => (
            <RequestCard key={request.id} itemId={item.id} request={request} />
          ))}
          {item.hold && (
            <HoldCard
              itemId={item.id}
              controlVersion={item.controlVersion}
              hold={{
                ...item.hold,
                at: Date.parse(item.hold.at),
                can: { resume: item.can.resume, extend: item.can.extend },
              }}
            />
          )}
        </div>
      </div>
      <Composer item={item} />
    </section>
  );
}
