import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type NewItem, onceUnder } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { remember } from '../shell/remember.ts';
import { compileForm, type Fault } from './compile-form.ts';
import type { Create } from './create-context.ts';
import { fieldOf } from './field-of.ts';
import type { Form } from './form.ts';
import type { Change } from './use-form.ts';

interface Wish {
  readonly form: Form;
  readonly item: NewItem;
}

export interface Creation {
  readonly faults: readonly Fault[];
  readonly refusal: Create['refusal'];
  readonly isPending: boolean;
  /** What is pending, or was refused: to be started, or to be kept. */
  readonly isStart: boolean | undefined;
  readonly create: (start: boolean) => void;
  readonly resend: Create['resend'];
}

/** Makes the item, once for each draft however often it is sent, and goes to it. */
export function useCreation(form: Form, change: Change, finish: (sent: Form) => void): Creation {
  const [, navigate] = useLocation();
  const [attempt, setAttempt] = useState<{ readonly start: boolean }>();
  const creation = useMutation({
    mutationFn: ({ form: { key }, item }: Wish) =>
      asked(client.post('/api/v1/work-items', { params: { header: onceUnder(key) }, body: item })),
    onSuccess: (item, { form: sent, item: { directory } }) => {
      finish(sent);
      remember('directory', directory);
      queryClient.setQueryData(['item', item.id], item);
      void queryClient.invalidateQueries({ queryKey: ['items'] });
      void queryClient.invalidateQueries({ queryKey: ['facets'] });
      navigate(`/work/${item.id}`);
    },
  });
  const compiled = attempt && compileForm(form, attempt);
  const faults = compiled && 'faults' in compiled ? compiled.faults : [];
  const send = (wanted: Form, start: boolean): void => {
    if (creation.isPending) return;
    setAttempt({ start });
    creation.reset();
    const wish = compileForm(wanted, { start });
    if ('item' in wish) creation.mutate({ form: wanted, item: wish.item });
    else showFault(wish.faults);
  };
  const problem = creation.isError ? problemOf(creation.error) : undefined;
  const field = problem && creation.variables && fieldOf(creation.variables.form, problem);
  return {
    ...{ faults, isPending: creation.isPending, isStart: attempt?.start },
    refusal: problem && { problem, field },
    create: (start) => send(form, start),
    resend: (part) => {
      const next = { ...form, ...part };
      change(() => next);
      send(next, attempt?.start ?? true);
    },
  };
}

/** The first part that is wrong comes into sight, ready to be corrected. */
function showFault([first]: readonly Fault[]): void {
  const part = first && document.querySelector(`[data-field="${CSS.escape(first.field)}"]`);
  part?.querySelector<HTMLElement>('input, textarea')?.focus();
}
