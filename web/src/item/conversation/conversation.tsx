import { ArrowDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { HoldCard } from '../../inbox/hold-card.tsx';
import { LeftCard } from '../../inbox/left-card.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LiveLine } from '../live/live-line.tsx';
import { Composer } from './composer.tsx';
import css from './conversation.module.css';
import { GoalLine } from './goal-line.tsx';
import { OutboxLines } from './outbox-lines.tsx';
import { RequestCard } from './request-card.tsx';
import { Said } from './said.tsx';
import { useAsks } from './use-asks.ts';
import { useStickyEnd } from './use-sticky-end.ts';
import { type Unread, useStream } from './use-stream.ts';

/** Everything that was said, in order; what waits for an answer stands at its end, above the one composer. */
export function Conversation({ item }: { readonly item: Item }) {
  const t = useTranslations('talk');
  const name = useTranslations('item')('conversation');
  const stream = useStream(item);
  const { talk, entries, goal, unread } = stream;
  const newest = [entries.at(-1)?.id, ...stream.open.map(({ id }) => id)].join(' ');
  const { box, content, hasNews, toEnd, holdPlace } = useStickyEnd(entries[0]?.seq, newest);
  const readOlder = (): void => {
    holdPlace();
    void talk.fetchNextPage().then(({ hasNextPage }) => {
      // The button that was pressed is gone with the last page.
      if (!hasNextPage) box.current?.focus({ preventScroll: true });
    });
  };
  return (
    <section className={css.conversation} aria-label={name}>
      <div ref={box} className={css.stream} tabIndex={-1}>
        <div ref={content} className={css.said}>
          {talk.hasNextPage && (
            <Button look="quiet" busy={talk.isFetchingNextPage} onClick={readOlder}>
              {t('older')}
            </Button>
          )}
          <NotRead what={t('unreadTalk')} unread={unread.talk} />
          {!talk.hasNextPage && goal && <GoalLine goal={goal.goal} at={goal.at} />}
          <Said item={item} stream={stream} />
          <LiveLine itemId={item.id} />
          <OutboxLines itemId={item.id} entries={entries} />
          {stream.isLoading && <Loading />}
          <NotRead what={t('unreadWork')} unread={unread.work} />
          <Asks key={item.id} item={item} stream={stream} />
          <Hold item={item} />
        </div>
      </div>
      {hasNews && (
        <div className={css.news}>
          <Button icon={<ArrowDown size={14} aria-hidden />} onClick={toEnd}>
            {t('news')}
          </Button>
        </div>
      )}
      <Composer item={item} onSent={toEnd} />
    </section>
  );
}

/** What is missing here, so that nobody takes its absence for all there is. */
function NotRead({ what, unread }: { readonly what: string; readonly unread: Unread | undefined }) {
  if (!unread) return null;
  return (
    <div className={css.unread}>
      <p>{what}</p>
      <ProblemNotice problem={unread.problem} onRetry={unread.again} />
    </div>
  );
}

const OVER: ReadonlySet<string> = new Set(['cancelling', 'cancelled', 'done']);

/** What waits for an answer, and what did until somebody answered elsewhere. */
function Asks({
  item: { id, can, status },
  stream,
}: {
  readonly item: Item;
  readonly stream: ReturnType<typeof useStream>;
}) {
  const { asks, answered, dismiss } = useAsks(id, stream.open, stream.decisions, OVER.has(status));
  return asks.map(({ request, isOpen }) =>
    isOpen ? (
      <RequestCard key={request.id} itemId={id} request={request} onAnswered={() => answered(request.id)} />
    ) : (
      <LeftCard
        key={`left ${request.id}`}
        itemId={id}
        takesMessages={can.message?.allowed === true}
        request={request}
        decision={stream.decisions.find((each) => each.request.id === request.id)}
        onDismiss={() => dismiss(request.id)}
      />
    ),
  );
}

function Hold({ item: { id, hold, controlVersion, can } }: { readonly item: Item }) {
  if (!hold) return null;
  const { resume, extend } = can;
  const held = { ...hold, at: Date.parse(hold.at), can: { resume, extend } };
  return <HoldCard itemId={id} controlVersion={controlVersion} hold={held} />;
}
