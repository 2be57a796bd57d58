import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { Ago } from '../../components/values.tsx';
import facts from '../../inbox/facts.module.css';
import { callOf, questionOf } from '../../inbox/question.ts';
import { useChoiceName } from '../../inbox/use-choice-name.ts';
import css from './conversation.module.css';
import type { Decision } from './decisions.ts';
import { Delivery } from './delivery-word.tsx';
import { EntryControls } from './entry-controls.tsx';
import { EntryFiles } from './entry-files.tsx';
import { Quoted } from './quoted.tsx';

interface Props {
  readonly itemId: string;
  readonly decision: Decision;
  /** What was said with it. */
  readonly entry?: Entry | undefined;
}

/** What was asked and what was decided: a yes is remembered together with what it was said to. */
export function DecisionLine({ itemId, decision: { at, request, choice, text }, entry }: Props) {
  const t = useTranslations();
  const named = useChoiceName(request);
  return (
    <li className={`${css.entry} ${css.mine}`}>
      <p className={css.who}>
        <strong>{t('talk.you')}</strong>
        <span>{t('talk.answer')}</span>
        <Ago at={at} />
        {entry && <Delivery entry={entry} />}
        {entry && <EntryControls itemId={itemId} entry={entry} />}
      </p>
      <Quoted quote={{ from: t(`request.${request.kind}`), text: questionOf(request) }} />
      <WholeCall request={request} />
      {choice !== null && choice !== 'text' && <p className={css.chosen}>{named(choice)}</p>}
      {text !== '' && (
        <p className={css.words} dir="auto">
          {text}
        </p>
      )}
      {entry && <EntryFiles itemId={itemId} files={entry.attachments} />}
    </li>
  );
}

/** All of what was allowed or refused, where a line does not say it. */
function WholeCall({ request: { subject } }: Pick<Decision, 'request'>) {
  const t = useTranslations('ask');
  const call = callOf(subject);
  if (subject.kind !== 'tool_approval' || !call.isWhole || subject.call === subject.whole) return null;
  return (
    <details className={css.wholeCall}>
      <summary>{t('wholeCall', { n: call.lines })}</summary>
      <pre className={facts.call} dir="ltr">
        {call.text}
      </pre>
    </details>
  );
}
