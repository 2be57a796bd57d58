import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Request } from '../../../src/client/index.ts';
import { Button } from '../components/button.tsx';
import { Kbd } from '../components/kbd.tsx';
import { nameOfDirectory } from '../components/values.tsx';
import { decisionsQuery } from '../item/conversation/decisions-query.ts';
import { RequestCard } from '../item/conversation/request-card.tsx';
import { KEYS } from '../shell/shortcuts.ts';
import { ignoreHeldEnter } from './enter-card.ts';
import { HoldCard } from './hold-card.tsx';
import css from './inbox.module.css';
import { LeftCard } from './left-card.tsx';
import type { Answered } from './use-answer.ts';
import { useChoiceName } from './use-choice-name.ts';
import type { ShownLine } from './use-inbox.ts';

interface Props {
  readonly shown: ShownLine;
  /** It is not in the list any more. */
  readonly hasLeft: boolean;
  /** Undefined where nothing else waits. */
  readonly onNext: (() => void) | undefined;
  readonly onSettled: (result: string) => void;
  /** It was chosen; what came up by itself is not answered by a key. */
  readonly takesKeys: boolean;
}

const isYesOrNo = ({ request }: ShownLine['line']): boolean =>
  request?.kind === 'approval' || request?.kind === 'confirmation';

/** One of them, with the work that it is about. */
export function InboxDetail({ shown, hasLeft, onNext, onSettled, takesKeys }: Props) {
  const t = useTranslations('inbox');
  const { item } = shown.line;
  const isOpen = !hasLeft && shown.result === undefined;
  const isLeft = hasLeft && shown.result === undefined;
  const takesAnswer = isOpen && takesKeys && shown.line.request !== null;
  return (
    <section className={css.detail} data-detail>
      <header>
        <Link href={`/work/${item.id}`} className={css.workTitle} dir="auto">
          {item.title}
        </Link>
        <p className="small muted" title={item.directory}>
          {nameOfDirectory(item.directory)}
        </p>
      </header>
      {shown.result !== undefined && <Done result={shown.result} onNext={onNext} />}
      {isLeft && (
        <div className={css.gone} role="status">
          <p>{t('gone')}</p>
          <Next onNext={onNext} />
        </div>
      )}
      {isLeft && shown.line.request ? (
        <Left itemId={item.id} request={shown.line.request} />
      ) : (
        <Card shown={shown} {...{ isOpen, takesKeys, onSettled }} />
      )}
      <p className={css.hints} aria-hidden="true">
        <Hint keys={[KEYS.next, KEYS.previous]} name={t('keys.move')} />
        {takesAnswer && <Hint keys={['1-9']} name={t('keys.choose')} />}
        {takesAnswer && isYesOrNo(shown.line) && (
          <>
            <Hint keys={[KEYS.approve]} name={t('keys.approve')} />
            <Hint keys={[KEYS.reject]} name={t('keys.reject')} />
          </>
        )}
        <Hint keys={[KEYS.openItem]} name={t('keys.open')} />
      </p>
    </section>
  );
}

/** It is answered: the keyboard, which stood in what cannot be used any more, is at what leads on. */
function Done({ result, onNext }: Pick<Props, 'onNext'> & { readonly result: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement && activeElement !== body && !activeElement.closest('[inert]')) return;
    (place.current?.querySelector('button') ?? place.current)?.focus();
  }, []);
  return (
    <div ref={place} tabIndex={-1} className={css.gone}>
      <p className={css.result} role="status">
        <Check size={16} aria-hidden /> {result}
      </p>
      <Next onNext={onNext} />
    </div>
  );
}

/** Nothing comes up by itself: a key that was meant for one, or is still held down, could answer another. */
function Next({ onNext }: Pick<Props, 'onNext'>) {
  const t = useTranslations('inbox');
  if (!onNext) return <p className="small muted">{t('nothingElse')}</p>;
  return (
    <Button look="primary" onClick={onNext} onKeyDown={ignoreHeldEnter}>
      {t('next')} <Kbd keys={KEYS.next} />
    </Button>
  );
}

function Hint({ keys, name }: { readonly keys: readonly string[]; readonly name: string }) {
  return (
    <span>
      {keys.map((key) => (
        <Kbd key={key} keys={key} />
      ))}{' '}
      {name}
    </span>
  );
}

/** Somebody was faster: with what, and the words that were being written here. */
function Left({ itemId, request }: AskProps['shown']) {
  const { data } = useQuery(decisionsQuery(itemId));
  const decision = data?.find((each) => each.request.id === request.id);
  return <LeftCard itemId={itemId} request={request} decision={decision} />;
}

interface CardProps {
  readonly shown: ShownLine;
  readonly isOpen: boolean;
  readonly takesKeys: boolean;
  readonly onSettled: Props['onSettled'];
}

function Card({ shown: { line }, isOpen, takesKeys, onSettled }: CardProps) {
  const t = useTranslations('inbox');
  const { item, request, hold } = line;
  if (hold) {
    return (
      <div inert={!isOpen}>
        <HoldCard
          itemId={item.id}
          controlVersion={item.controlVersion}
          hold={hold}
          onResumed={() => onSettled(t('resumed'))}
        />
      </div>
    );
  }
  if (!request) return null;
  return <Ask shown={{ itemId: item.id, request }} {...{ isOpen, takesKeys, onSettled }} />;
}

interface AskProps {
  readonly shown: { readonly itemId: string; readonly request: Request };
  readonly isOpen: boolean;
  readonly takesKeys: boolean;
  readonly onSettled: Props['onSettled'];
}

function Ask({ shown: { itemId, request }, isOpen, takesKeys, onSettled }: AskProps) {
  const t = useTranslations('inbox');
  const named = useChoiceName(request);
  const settled = ({ choice, text = '' }: Answered): void =>
    onSettled(
      choice === 'text' ? t('answered', { choice: text.slice(0, 80) }) : t('answered', { choice: named(choice) }),
    );
  return (
    <div inert={!isOpen} className={isOpen ? undefined : css.faded}>
      <RequestCard itemId={itemId} request={request} byKeys={isOpen && takesKeys} onAnswered={settled} />
    </div>
  );
}
