import { useTranslations } from 'use-intl';
import type { ClientProblem } from '../../../src/client/index.ts';
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
  const detail = isAway ? t('unreachable') : problem.detail;
  const next = isAway ? t('unreachableNext') : problem.next;
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
