import { Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { useFocusSoon } from '../components/use-focus-soon.ts';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { CriterionRow } from './criterion-row.tsx';
import { FieldNotice } from './field-notice.tsx';
import { blankCriterion, type CriterionForm, LIMITS } from './form.ts';
import { LongText } from './long-text.tsx';
import { ProjectChecks, useSuggestions } from './project-checks.tsx';

const moved = (all: readonly CriterionForm[], at: number, by: number): readonly CriterionForm[] => {
  const to = at + by;
  const one = all[at];
  if (!one || to < 0 || to >= all.length) return all;
  return all.toSpliced(at, 1).toSpliced(to, 0, one);
};

/** How one will know: sentences, each with the command that decides it where there is one. */
export function CriteriaFields() {
  const t = useTranslations('create.criteria');
  const { form, change } = useCreate();
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const focus = useFocusSoon(list);
  const setCriteria = (next: (all: readonly CriterionForm[]) => readonly CriterionForm[]): void =>
    change((now) => ({ ...now, criteria: next(now.criteria) }));
  const add = (): void => {
    const fresh = blankCriterion();
    setCriteria((all) => [...all, fresh]);
    focus(fresh.key, 'text');
  };
  const remove = (at: number): void => {
    const neighbour = form.criteria[at - 1] ?? form.criteria[at + 1];
    const left = neighbour ?? blankCriterion();
    setCriteria((all) => (all.length === 1 ? [left] : all.toSpliced(at, 1)));
    focus(left.key, 'text');
  };
  const isFull = form.criteria.length >= LIMITS.criteria;
  return (
    <section className={css.field} aria-labelledby={id} data-field="criteria">
      <h2 id={id}>{t('title')}</h2>
      <p className="small muted">{t('hint')}</p>
      <ol ref={list} className={css.criteria}>
        {form.criteria.map((criterion, at) => (
          <CriterionRow
            key={criterion.key}
            criterion={criterion}
            at={at}
            count={form.criteria.length}
            onChange={(part) => setCriteria((all) => all.with(at, { ...criterion, ...part }))}
            onMove={(by, part) => {
              setCriteria((all) => moved(all, at, by));
              focus(criterion.key, part);
            }}
            onRemove={() => remove(at)}
          />
        ))}
      </ol>
      <div className={css.row}>
        <Button icon={<Plus size={15} aria-hidden />} disabled={isFull} onClick={add}>
          {t('add')}
        </Button>
        {isFull && <span className="small muted">{t('most', { limit: LIMITS.criteria })}</span>}
      </div>
      <ProjectChecks onTaken={(key) => focus(key, 'text')} />
      <FieldNotice field="criteria" id={`${id}-notice`} />
      <SetupField />
    </section>
  );
}

function SetupField() {
  const t = useTranslations('create.criteria');
  const { form, change } = useCreate();
  const found = useSuggestions()?.setup;
  const isFound = found !== undefined && found !== null && form.setup === found.run;
  const id = useId();
  return (
    <div className={`${css.field} ${css.setup}`} data-field="setup">
      <label htmlFor={id} className={css.name}>
        {t('setup')}
      </label>
      <LongText
        id={id}
        rows={1}
        value={form.setup}
        limit={LIMITS.commandChars}
        spellCheck={false}
        autoCapitalize="off"
        dir="ltr"
        className={css.command ?? ''}
        aria-describedby={`${id}-hint ${id}-notice`}
        onChange={(setup) => change((now) => ({ ...now, setup }))}
      />
      <p id={`${id}-hint`} className="small muted">
        {isFound ? t('setupFound', { files: found.inputs.join(', ') }) : t('setupHint')}
      </p>
      <FieldNotice field="setup" id={`${id}-notice`} />
    </div>
  );
}
