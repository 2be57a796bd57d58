import { useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Request } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { Mark } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Ago } from '../../components/values.tsx';
import { ApprovalFacts } from '../../inbox/approval-facts.tsx';
import { Choices } from '../../inbox/choices.tsx';
import { enterCard, ignoreHeldEnter } from '../../inbox/enter-card.ts';
import facts from '../../inbox/facts.module.css';
import { Proposal } from '../../inbox/proposal.tsx';
import { questionOf } from '../../inbox/question.ts';
import { type Answered, useAnswer } from '../../inbox/use-answer.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { Words } from '../actions/words.tsx';
import css from './conversation.module.css';
import { useAnswerTo } from './write-to.ts';

interface Props {
  readonly itemId: string;
  readonly request: Request;
  /** Answers go by keys, too: where it is the one card in sight. */
  readonly byKeys?: boolean;
  readonly onAnswered?: (answer: Answered) => void;
}

const YES: readonly string[] = ['approve', 'confirm'];
const NO: readonly string[] = ['deny', 'reject'];

/** Something that waits for a person: what, about what, and the choices that it takes. Answered once. */
export function RequestCard({ itemId, request, byKeys = false, onAnswered }: Props) {
  const t = useTranslations('request');
  const title = useId();
  const card = useRef<HTMLElement>(null);
  const answer = useAnswer(itemId, request, onAnswered);
  const { answer: can } = request.can;
  const isTaken = answer.isPending || answer.isSuccess;
  const chooseFirst = (of: readonly string[]) => () => {
    const choice = request.choices.find((each) => of.includes(each));
    if (choice !== undefined && can.allowed && !isTaken) answer.mutate({ choice });
  };
  // A frame later: on a phone the tab that it is on is opened first.
  useAnswerTo(itemId, (id) => id === request.id && requestAnimationFrame(() => enterCard(card.current)));
  useShortcuts(byKeys ? { approve: chooseFirst(YES), reject: chooseFirst(NO) } : {});
  return (
    <article ref={card} tabIndex={-1} className={css.ask} aria-labelledby={title} onKeyDown={ignoreHeldEnter}>
      <header className={css.askHead}>
        <Mark tone="needs">{t(request.kind)}</Mark>
        <Ago at={request.openedAt} />
      </header>
      <h2 id={title} dir="auto" className={`${css.words} ${css.question}`}>
        {questionOf(request)}
      </h2>
      <Facts itemId={itemId} request={request} />
      {can.allowed ? (
        <Choices itemId={itemId} request={request} busy={isTaken} byKeys={byKeys} onAnswer={answer.mutate} />
      ) : (
        <p className="small muted">{t('cannot', { reason: can.reason })}</p>
      )}
      {answer.error && <ProblemNotice problem={problemOf(answer.error)} />}
    </article>
  );
}

/** What one has to know for the answer; by the kind of the subject. */
function Facts({ itemId, request }: Pick<Props, 'itemId' | 'request'>) {
  if (request.subject.kind === 'tool_approval') return <ApprovalFacts request={request} />;
  return (
    <>
      {request.subject.kind === 'contract_proposal' && <Proposal itemId={itemId} request={request} />}
      {request.details.length > 0 && (
        <ul className={facts.details}>
          {request.details.map((detail) => (
            <li key={detail}>
              <Words text={detail} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
