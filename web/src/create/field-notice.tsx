import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { ProblemNotice } from '../components/problem.tsx';
import type { Fault, Field } from './compile-form.ts';
import css from './create.module.css';
import { useCreate } from './create-context.ts';

/** What is wrong with one part of the form, beside it: the page's own word, or the server's. */
export function FieldNotice({ field, id }: { readonly field: Field; readonly id: string }) {
  const { faults, refusal } = useCreate();
  const say = useFaultWords();
  const notice = useRef<HTMLDivElement>(null);
  const isRefused = refusal?.field === field;
  useEffect(() => {
    if (isRefused) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [isRefused]);
  const own = faults.filter((fault) => fault.field === field);
  return (
    <div ref={notice} id={id} className={css.notice}>
      {own.map((fault) => (
        <p key={fault.kind} className={css.fault}>
          {say(fault)}
        </p>
      ))}
      {isRefused && <ProblemNotice problem={refusal.problem} />}
    </div>
  );
}

function useFaultWords(): (fault: Fault) => string {
  const t = useTranslations('create.fault');
  return (fault) => {
    const { field } = fault;
    if (fault.kind === 'too_long') return t('tooLong', { limit: fault.limit, found: fault.found });
    if (field === 'directory' && fault.kind === 'invalid') return t('invalid.directory');
    if (field === 'usd' || field === 'tokens' || field === 'hours') return t(`invalid.${field}`);
    return t(field === 'goal' || field === 'directory' ? `missing.${field}` : 'missing.criterion');
  };
}

/** Whether a part is marked as wrong, for those who hear the page. */
export function useIsWrong(field: Field): boolean {
  const { faults, refusal } = useCreate();
  return refusal?.field === field || faults.some((fault) => fault.field === field);
}
