import { RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentSettings } from '../../../src/client/index.ts';
import { Button, IconButton } from '../components/button.tsx';
import { wantedOf } from './draft-after.ts';
import { FieldInput } from './field-input.tsx';
import { settleDraft, useSettingDraft } from './setting-draft.ts';
import { SettingProblem } from './setting-problem.tsx';
import css from './settings.module.css';
import { type Kind, typedOf } from './table.ts';
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
  // Nothing is typed for a reset.
  const mine = draft ? wanted : change.variables?.value;
  const form = useFormFocus(change.isPending);
  // While it is saved, what is set is not yet what it will be.
  const type = (next: string): void =>
    setDraft(next === typedOf(value) && !change.isPending ? undefined : { typed: next, base });
  // A switch is saved as it is chosen; not what was chosen before, when the field was out of sight.
  const [isChosen, setChosen] = useState(false);
  const goesByItself = isChosen && isDirty && !change.isError;
  useSaved(goesByItself && !change.isPending, () => change.mutate({ value: wanted, base }));
  const choose = (next: string): void => {
    if (change.isError) change.reset();
    setChosen(true);
    type(next);
  };
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
            onType={kind.as === 'switch' ? choose : type}
            onUndo={() => setDraft(undefined)}
          />
          <Controls
            {...{ name, isWrong, isPending: change.isPending, isSaved: change.isSuccess }}
            isDirty={isDirty && !goesByItself}
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
          kind={kind}
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

/** Saves as soon as there is something to: what is chosen while another choice is being saved, after that one. */
function useSaved(isWaiting: boolean, save: () => void): void {
  const saved = useEffectEvent(save);
  useEffect(() => {
    if (isWaiting) saved();
  }, [isWaiting]);
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
  readonly kind: Kind;
  readonly mine: string;
  readonly onKeepTheirs: () => void;
  readonly onKeepMine: (theirs: unknown) => void;
}

/** Why it was not saved; where somebody was faster, both values and the choice between them. */
function Refusal({ error, kind, mine, onKeepTheirs, onKeepMine }: RefusalProps) {
  const t = useTranslations('settings');
  if (!(error instanceof Overtaken)) return <SettingProblem error={error} />;
  const named = (typed: string): string => {
    if (typed === '') return t('unset');
    return kind.as !== 'switch' ? typed : typed === 'true' ? t('on') : t('off');
  };
  return (
    <div className={css.conflict} role="alert">
      <p>{t('conflict')}</p>
      <dl>
        <dt>{t('theirs')}</dt>
        <dd dir="auto">{named(typedOf(error.theirs))}</dd>
        <dt>{t('yours')}</dt>
        <dd dir="auto">{named(mine)}</dd>
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
