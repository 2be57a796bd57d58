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
import { LIMITS, withDirectory } from './form.ts';

const SHOWN = 12;

/** Whether the list is open, what is in it, and the keys that move in it and choose. */
function useOptions(onChoose: (directory: string) => void) {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [filter, setFilter] = useState('');
  const recent = useQuery(facetsQuery).data?.directories ?? [];
  const words = filter.trim().toLowerCase();
  const options = recent.filter(({ directory }) => directory.toLowerCase().includes(words)).slice(0, SHOWN);
  const isShown = open && options.length > 0;
  const show = (typed = ''): void => {
    setFilter(typed);
    setActive(-1);
    setOpen(true);
  };
  const close = (): void => setOpen(false);
  const choose = ({ directory }: DirectoryFacet): void => {
    onChoose(directory);
    close();
  };
  const move = (step: number): void =>
    isShown ? setActive((now) => (Math.max(now, step > 0 ? -1 : 0) + step + options.length) % options.length) : show();
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active];
    if (step !== undefined && !event.altKey) {
      event.preventDefault();
      move(step);
    } else if (event.key === 'Escape' && isShown) {
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey && isShown && chosen) {
      event.preventDefault();
      choose(chosen);
    }
  };
  return { options, active, isShown, show, close, choose, press };
}

/** Where it happens: a path, or one of those where there was work before. Whether it can be used only the server knows. */
export function DirectoryField() {
  const t = useTranslations('create');
  const { form, change, refusal, resend } = useCreate();
  const id = useId();
  const isWrong = useIsWrong('directory');
  const set = (directory: string): void => change((now) => withDirectory(now, directory));
  const { options, active, isShown, show, close, choose, press } = useOptions(set);
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
            show(target.value);
          }}
          onFocus={() => show()}
          onClick={() => show()}
          onBlur={close}
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
