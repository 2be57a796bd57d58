import { RotateCcw } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentSettings } from '../../../src/client/index.ts';
import { Button, IconButton } from '../components/button.tsx';
import { wantedOf } from './draft-after.ts';
import { FieldInput } from './field-input.tsx';
import { settleDraft, useSettingDraft } from './setting-draft.ts';
import { SettingProblem } from './setting-problem.tsx';
import css from './settings.module.css';
import { type Kind, read, typedOf } from './table.ts';
import type { Path } from './tree.ts';
import { Overtaken, useSetting } from './use-setting.ts';

interface Props {
  readonly current: CurrentSettings;
  readonly path: Path;
  readonly kind: Kind;
  readonly name: string;
  readonly help?: string;
  /** What holds where nothing is set, in words. */
  readonly initial?: string;
  /** What is wrong with the value that is set. */
  readonly warning?: string;
}

/** One value: typed, saved by itself, refused in place. What was typed stays until it is saved or taken back. */
export function Field({ current, path, kind, name, help = '', initial = '', warning = '' }: Props) {
  const t = useTranslations('settings');
  const id = useId();
  const { value, change } = useSetting(current, path, (saved) => settleDraft(path, kind, saved));
  const [draft, setDraft] = useSettingDraft(path);
  const typed = draft?.typed ?? typedOf(value);
  const isDirty = typed !== typedOf(value);
  const wanted = wantedOf(kind, typed);
  const isWrong = isDirty && typed.trim() !== '' && wanted === undefined;
  const base = draft ? draft.base : value;
  // A switch and a reset are saved as they are chosen; nothing is typed for them.
  const mine = draft ? wanted : change.variables?.value;
  const form = useFormFocus(change.isPending);
  const type = (next: string): void => setDraft(next === typedOf(value) ? undefined : { typed: next, base });
  return (
    <form
      ref={form}
      tabIndex={-1}
      className={css.field}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && !isWrong && !change.isPending) change.mutate({ value: wanted, base });
      }}
    >
      <label htmlFor={id} className={css.name}>
        {name}
        {help !== '' && <span className={css.help}>{help}</span>}
      </label>
      <div className={css.value}>
        <div className={css.line}>
          <FieldInput
            id={id}
            kind={kind}
            typed={typed}
            placeholder={initial === '' ? t('unset') : t('default', { value: initial })}
            initial={initial}
            onType={(next) =>
              kind.as === 'switch' ? change.mutate({ value: read(kind, next), base: value }) : type(next)
            }
            onUndo={() => setDraft(undefined)}
          />
          <Controls
            {...{ name, isDirty, isWrong, isPending: change.isPending, isSaved: change.isSuccess }}
            {...(value === undefined ? {} : { onReset: () => change.mutate({ value: undefined, base: value }) })}
          />
        </div>
        {!isDirty && value !== undefined && warning !== '' && (
          <p className={css.wrong} role="status">
            {warning}
          </p>
        )}
        {isWrong && <p className={css.wrong}>{t('invalid', { expected: expectationOf(kind, t) })}</p>}
        <Refusal
          error={change.error}
          mine={draft ? typed : typedOf(mine)}
          onKeepTheirs={() => {
            setDraft(undefined);
            change.reset();
          }}
          onKeepMine={(theirs) => {
            if (draft) setDraft({ typed, base: theirs });
            change.mutate({ value: mine, base: theirs });
          }}
        />
      </div>
    </form>
  );
}

interface ControlsProps {
  readonly name: string;
  readonly isDirty: boolean;
  readonly isWrong: boolean;
  readonly isPending: boolean;
  readonly isSaved: boolean;
  /** Where something is set. */
  readonly onReset?: () => void;
}

/** What can be done with what is typed, or with what is set. */
function Controls({ name, isDirty, isWrong, isPending, isSaved, onReset }: ControlsProps) {
  const t = useTranslations('settings');
  if (isDirty) {
    return (
      <Button type="submit" look="primary" busy={isPending} disabled={isWrong}>
        {t('save')}
      </Button>
    );
  }
  return (
    <>
      {onReset && (
        <IconButton
          label={`${t('reset')}: ${name}`}
          icon={<RotateCcw size={14} aria-hidden />}
          busy={isPending}
          onClick={onReset}
        />
      )}
      {isSaved && (
        <span className={css.saved} role="status">
          {t('saved')}
        </span>
      )}
    </>
  );
}

/** Save and reset go when it is saved; the focus stays in the field then, with the input next. */
function useFormFocus(isPending: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const isWithin = form.current?.contains(document.activeElement) === true;
    if (isPending) hadFocus.current = isWithin;
    else if (hadFocus.current && document.activeElement === document.body) form.current?.focus({ preventScroll: true });
  }, [isPending]);
  return form;
}

function expectationOf(kind: Kind, t: ReturnType<typeof useTranslations<'settings'>>): string {
  return kind.as === 'count' ? t('range', { min: kind.min, max: kind.max }) : t('positive');
}

interface RefusalProps {
  readonly error: unknown;
  readonly mine: string;
  readonly onKeepTheirs: () => void;
  readonly onKeepMine: (theirs: unknown) => void;
}

/** Why it was not saved; where somebody was faster, both values and the choice between them. */
function Refusal({ error, mine, onKeepTheirs, onKeepMine }: RefusalProps) {
  const t = useTranslations('settings');
  if (!(error instanceof Overtaken)) return <SettingProblem error={error} />;
  return (
    <div className={css.conflict} role="alert">
      <p>{t('conflict')}</p>
      <dl>
        <dt>{t('theirs')}</dt>
        <dd dir="auto">{typedOf(error.theirs) || t('unset')}</dd>
        <dt>{t('yours')}</dt>
        <dd dir="auto">{mine || t('unset')}</dd>
      </dl>
      <div className={css.line}>
        <Button onClick={onKeepTheirs}>{t('keepTheirs')}</Button>
        <Button look="primary" onClick={() => onKeepMine(error.theirs)}>
          {t('keepMine')}
        </Button>
      </div>
    </div>
  );
}
