import { useTranslations } from 'use-intl';
import type { ClientProblem } from '../../../src/client/index.ts';

/** A lost connection in words of this form: nobody has to know of keys to send it again. */
export function usePlainProblem(): (problem: ClientProblem) => ClientProblem {
  const t = useTranslations('create');
  return (problem) => (problem.status === 0 ? { ...problem, next: t('sendAgain') } : problem);
}
