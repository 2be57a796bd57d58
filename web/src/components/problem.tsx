import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ClientProblem } from '../../../src/client/index.ts';
import { useConnection } from '../shell/live.ts';
import { Button } from './button.tsx';
import css from './problem.module.css';

interface Props {
  readonly problem: ClientProblem;
  readonly onRetry?: () => void;
}

/** A refusal, where the action was taken: what was expected, what was found, what to do next. */
export function ProblemNotice({ problem, onRetry }: Props) {
  const t = useTranslations('problem');
  const { code, expected, found } = problem;
  // What is said to programs, such as to keep a key, this page does by itself.
  const isAway = problem.status === 0 && code !== 'page';
  const isBack = useIsBack(problem);
  if (isAway && isBack) return <Back {...(onRetry ? { onRetry } : {})} />;
  const detail = isAway ? t('unreachable') : problem.detail;
  const next = isAway ? t('unreachableNext') : nextOf(problem);
  return (
    <div className={css.notice} role="alert">
      <p className={css.detail}>
        {detail} <code className="faint">{code}</code>
      </p>
      {(expected ?? found ?? next) !== undefined && (
        <dl className={css.parts}>
          <Part name={t('expected')} text={expected} />
          <Part name={t('found')} text={found} />
          <Part name={t('next')} text={next} />
        </dl>
      )}
      {/* What is not there does not come by asking again. */}
      {onRetry && problem.status !== 404 && <Button onClick={onRetry}>{t('retry')}</Button>}
    </div>
  );
}

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) \//;

/** What to do next, in words; a request is the next step of a program. */
const nextOf = ({ next }: ClientProblem): string | undefined =>
  next !== undefined && REQUEST.test(next) ? undefined : next;

/** Whether the server was away since it could not be reached for this, and is there again. */
function useIsBack(problem: ClientProblem): boolean {
  const { state } = useConnection();
  const [missed, setMissed] = useState<ClientProblem>();
  if (state === 'lost' && missed !== problem) setMissed(problem);
  return state === 'live' && missed === problem;
}

/** What could not be done then has not been done since, and does not look as if the server were still away. */
function Back({ onRetry }: Pick<Props, 'onRetry'>) {
  const t = useTranslations('problem');
  return (
    <div className={`${css.notice} ${css.back}`} role="status">
      <p>{t('isBack')}</p>
      {onRetry && <Button onClick={onRetry}>{t('retry')}</Button>}
    </div>
  );
}

function Part({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}
