import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentSettings } from '../../../src/client/index.ts';
import { Field } from './field.tsx';
import { hasSettingDraft } from './setting-draft.ts';
import css from './settings.module.css';
import { ACTION_TYPES, type Kind } from './table.ts';
import { namesAt, type Path } from './tree.ts';

interface Props {
  readonly current: CurrentSettings;
  readonly path: Path;
  readonly kind: Kind;
  readonly title: string;
  readonly help: string;
}

/** One value for each type of Action that has one, and a way to give another type one. */
export function KeyedFields({ current, path, kind, title, help }: Props) {
  const t = useTranslations('settings.group');
  const [added, setAdded] = useState<readonly string[]>(() =>
    ACTION_TYPES.filter((type) => hasSettingDraft([...path, type])),
  );
  const set = namesAt(current.settings, path);
  const shown = [...new Set([...set, ...added])];
  const others = ACTION_TYPES.filter((type) => !shown.includes(type));
  return (
    <fieldset className={css.group}>
      <legend>{title}</legend>
      <p className={css.help}>{help}</p>
      {shown.map((type) => (
        <Field key={type} current={current} path={[...path, type]} kind={kind} name={type} />
      ))}
      <label className={css.adding}>
        {t('add')}
        <select
          value=""
          className={css.input}
          aria-label={`${title}: ${t('type')}`}
          onChange={(event) => setAdded((before) => [...before, event.target.value])}
        >
          <option value="" disabled>
            {t('type')}
          </option>
          {others.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}
