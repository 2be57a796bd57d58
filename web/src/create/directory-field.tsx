import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DirectoryFacet } from '../../../src/client/index.ts';
import { facetsQuery } from '../api/queries.ts';
import { nameOfDirectory } from '../components/values.tsx';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { DirtyChoices } from './dirty-choices.tsx';
import { FieldNotice, useIsWrong } from './field-notice.tsx';
import { LIMITS } from './form.ts';

const SHOWN = 12;

/** Where it happens: a path, or one of those where there was work before. Whether it can be used only the server knows. */
export function DirectoryField() {
  const t = useTranslations('create');
  const { form, change, refusal, resend } = useCreate();
  const id = useId();
  const isWrong = useIsWrong('directory');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [filter, setFilter] = useState('');
  const recent = useQuery(facetsQuery).data?.directories ?? [];
  const words = filter.trim().toLowerCase();
  const options = recent.filter(({ directory }) => directory.toLowerCase().includes(words)).slice(0, SHOWN);
  const isShown = open && options.length > 0;
  const set = (directory: string): void => change((now) => ({ ...now, directory }));
  const show = (): void => {
    setFilter('');
    setActive(-1);
    setOpen(true);
  };
  const choose = ({ directory }: DirectoryFacet): void => {
    set(directory);
    setOpen(false);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active];
    if (step !== undefined && !event.altKey) {
      event.preventDefault();
      if (isShown) setActive((now) => (now + step + options.length) % options.length);
      else show();
    } else if (event.key === 'Escape' && isShown) {
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      if (isShown && chosen) choose(chosen);
    }
  };
  return (
    <div className={css.field} data-field="directory">
      <label htmlFor={id} className={css.name}>
        {t('directory')}
      </label>
      <div className={css.combobox}>
        <input
          id={id}
          role="combobox"
          className={`${css.input} ${css.command}`}
          value={form.directory}
          maxLength={LIMITS.directoryChars}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint ${id}-notice`}
          aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
          onChange={({ target }) => {
            set(target.value);
            setFilter(target.value);
            setActive(-1);
            setOpen(true);
          }}
          onFocus={show}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={press}
        />
        <Options id={id} options={options} shown={isShown} active={active} label={t('recent')} onChoose={choose} />
      </div>
      <p id={`${id}-hint`} className="small muted">
        {t('directoryHint')}
      </p>
      <FieldNotice field="directory" id={`${id}-notice`} />
      {refusal?.field === 'directory' && <DirtyChoices problem={refusal.problem} onChoose={resend} />}
    </div>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly options: readonly DirectoryFacet[];
  readonly shown: boolean;
  readonly active: number;
  readonly label: string;
  readonly onChoose: (option: DirectoryFacet) => void;
}

function Options({ id, options, shown, active, label, onChoose }: OptionsProps) {
  const t = useTranslations('create');
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} className={css.options} hidden={!shown}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field that it belongs to has the keys and the focus
        <div
          key={option.directory}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={css.option}
          // The field keeps the focus, so that leaving it closes the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <strong>{nameOfDirectory(option.directory)}</strong>
          {openIn(option) > 0 && <span className="small muted num">{t('counts', { n: openIn(option) })}</span>}
          <code className="muted">{option.directory}</code>
        </div>
      ))}
    </div>
  );
}

const openIn = ({ counts }: DirectoryFacet): number => (counts.active ?? 0) + (counts.needs_you ?? 0);
