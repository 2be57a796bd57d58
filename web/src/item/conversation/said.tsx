import type { Item } from '../../../../src/client/index.ts';
import { ActionCard } from './action-card.tsx';
import { ChangeLine } from './change-line.tsx';
import css from './conversation.module.css';
import { DecisionLine } from './decision-line.tsx';
import { EntryLine } from './entry-line.tsx';
import { refusedClaims, type StreamPart } from './stream-parts.ts';
import type { useStream } from './use-stream.ts';

interface Props {
  readonly item: Item;
  readonly stream: ReturnType<typeof useStream>;
}

/** What was said and done, in the order of time. */
export function Said({ item, stream }: Props) {
  return (
    <ol className={css.entries}>
      {stream.parts.map((part) => (
        <Part key={keyOf(part)} item={item} stream={stream} part={part} />
      ))}
    </ol>
  );
}

function keyOf(part: StreamPart): string {
  if (part.kind === 'entry') return part.entry.id;
  if (part.kind === 'decision') return `decision ${part.decision.seq}`;
  return part.kind === 'action' ? `action ${part.action.id}` : `change ${part.change.seq}`;
}

function Part({ item: { id }, stream, part }: Props & { readonly part: StreamPart }) {
  if (part.kind === 'change') return <ChangeLine itemId={id} change={part.change} />;
  if (part.kind === 'decision') return <DecisionLine itemId={id} decision={part.decision} entry={part.entry} />;
  if (part.kind === 'entry') {
    const { entry } = part;
    const named = stream.actions.find((action) => action.id === entry.target.id);
    return <EntryLine itemId={id} entry={entry} actionName={named?.name} />;
  }
  const { action } = part;
  return (
    <ActionCard
      itemId={id}
      action={action}
      isAsking={stream.open.some(({ subject }) => subject.actionId === action.id)}
      refused={refusedClaims(stream.spans, action.id)}
    />
  );
}
