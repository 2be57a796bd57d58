import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import css from './create.module.css';
import { useCreate } from './create-context.ts';

const DIRTY = ['refuse', 'snapshot', 'in-place'] as const;

/** What few need: on which ground the work starts. */
export function MoreFields() {
  const t = useTranslations('create');
  const { form, change } = useCreate();
  const id = useId();
  const isUsed = form.dirty !== 'refuse' || form.inPlace;
  // It opens when something in it is chosen elsewhere, and never closes under the hand that chooses.
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details className={css.more} open={isOpen || isUsed} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('more')}</summary>
      <fieldset className={css.choices}>
        <legend>{t('grounds.dirty')}</legend>
        {DIRTY.map((each) => (
          <label key={each} className={css.choice}>
            <input
              type="radio"
              name={id}
              checked={form.dirty === each}
              onChange={() => change((now) => ({ ...now, dirty: each }))}
            />
            {t(`grounds.${each}`)}
          </label>
        ))}
      </fieldset>
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={form.inPlace}
          onChange={({ target }) => change((now) => ({ ...now, inPlace: target.checked }))}
        />
        <span>
          {t('grounds.inPlace')}
          <span className="small muted">{t('grounds.inPlaceHint')}</span>
        </span>
      </label>
    </details>
  );
}
