import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useDeferredValue, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { LIMITS, withCheck, withFoundSetup } from './form.ts';
import { suggestionsQuery } from './queries.ts';

/** What the directory that was asked about last says of itself; undefined while unknown. */
function useFound() {
  const directory = useDeferredValue(useCreate().form.directory);
  return { directory, data: useQuery(suggestionsQuery(directory)).data };
}

/** What the directory says of itself: its set-up is put in where the person has said none; undefined while unknown. */
export function useSuggestions() {
  const { form, change } = useCreate();
  const { directory } = form;
  const { directory: asked, data } = useFound();
  useEffect(() => {
    // What another directory says of itself came too late.
    if (data && asked === directory) change((now) => withFoundSetup(now, data.setup?.run ?? ''));
  }, [data, asked, directory, change]);
  return data;
}

/** Checks that the project has and nobody asked for yet: one press states a criterion with its check. */
export function ProjectChecks({ onTaken }: { readonly onTaken: (key: string) => void }) {
  const t = useTranslations('create.criteria');
  const { form, change } = useCreate();
  const { data } = useFound();
  const known = new Set(form.criteria.map(({ run }) => run.trim()));
  const checks = (data?.checks ?? []).filter(({ run }) => !known.has(run));
  const take = (check: (typeof checks)[number]): void => {
    const next = withCheck(form, check);
    change(() => next);
    // The button is gone then.
    const taken = next.criteria.find(({ run }) => run === check.run);
    if (taken) onTaken(taken.key);
  };
  if (checks.length === 0 || form.criteria.length >= LIMITS.criteria) return null;
  return (
    <div className={css.row}>
      <span className="small muted">{t('found')}</span>
      {checks.map((check) => (
        <Button
          key={check.run}
          look="quiet"
          icon={<Plus size={14} aria-hidden />}
          title={check.text}
          onClick={() => take(check)}
        >
          <code>{check.run}</code>
        </Button>
      ))}
    </div>
  );
}
