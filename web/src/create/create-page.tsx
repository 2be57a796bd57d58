import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSearchParams } from 'wouter';
import { Button } from '../components/button.tsx';
import { Kbd } from '../components/kbd.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { BudgetFields } from './budget-fields.tsx';
import css from './create.module.css';
import { CreateContext, useCreate } from './create-context.ts';
import { CriteriaFields } from './criteria-fields.tsx';
import { DeliveryField } from './delivery-field.tsx';
import { DirectoryField } from './directory-field.tsx';
import { FieldNotice, useIsWrong } from './field-notice.tsx';
import { FilesField } from './files-field.tsx';
import { isBlank, LIMITS } from './form.ts';
import { LongText } from './long-text.tsx';
import { MoreFields } from './more-fields.tsx';
import { type Creation, useCreation } from './use-creation.ts';
import { type Example, useForm } from './use-form.ts';
import { useUploads } from './use-uploads.ts';

function exampleIn(parameters: URLSearchParams): Example | undefined {
  const goal = parameters.get('goal');
  return goal === null ? undefined : { goal, criterion: parameters.get('criterion') ?? '' };
}

/** A goal becomes work. What is typed is kept in this browser until it has. */
export function CreatePage() {
  const t = useTranslations('create');
  const [parameters, setParameters] = useSearchParams();
  const kept = useForm(exampleIn(parameters));
  const { form, change } = kept;
  const creation = useCreation(form, change, kept.finish);
  const uploads = useUploads(form, change);
  const { faults, refusal } = creation;
  const isEmpty = isBlank(form);
  return (
    <CreateContext value={{ form, change, faults, refusal, attach: uploads.add }}>
      <PageTitle name={t('title')} />
      <FormFrame onFiles={uploads.add} onCreate={() => creation.create(true)}>
        <header className={css.head}>
          <h1>{t('title')}</h1>
          {!isEmpty && kept.isKept && <span className="small muted">{t('kept')}</span>}
          {!isEmpty && (
            <Button
              look="quiet"
              onClick={() => {
                kept.discard();
                setParameters({}, { replace: true });
              }}
            >
              {t('discard')}
            </Button>
          )}
        </header>
        <div className={css.scroller}>
          <div className={css.columns}>
            {!kept.isKept && <p className={css.remark}>{t('notKept')}</p>}
            {kept.isInTheWay && (
              <div className={css.remark}>
                <p>{t('otherDraft')}</p>
                <Button onClick={kept.takeExample}>{t('takeExample')}</Button>
              </div>
            )}
            <div className={css.column}>
              <GoalField />
              <DirectoryField />
              <CriteriaFields />
              <InstructionsField />
              <FilesField uploads={uploads} />
            </div>
            <div className={css.column}>
              <DeliveryField />
              <BudgetFields />
              <MoreFields />
            </div>
          </div>
        </div>
        <Foot creation={creation} />
      </FormFrame>
    </CreateContext>
  );
}

interface FrameProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onCreate: () => void;
  readonly children: ReactNode;
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Files may be dropped and pasted anywhere on it; mod and Enter start the work from anywhere in it. */
function FormFrame({ onFiles, onCreate, children }: FrameProps) {
  const t = useTranslations('create.files');
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    setOver(false);
    if (!holdsFiles(event)) return;
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onCreate();
  };
  return (
    <form
      className={css.page}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onCreate();
      }}
      onKeyDown={press}
      onPaste={paste}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false);
      }}
      onDrop={drop}
    >
      {children}
      {isOver && <div className={css.dropping}>{t('drop')}</div>}
    </form>
  );
}

function GoalField() {
  const t = useTranslations('create');
  const { form, change } = useCreate();
  const id = useId();
  return (
    <div className={css.field} data-field="goal">
      <label htmlFor={id} className={css.name}>
        {t('goal')}
      </label>
      <LongText
        id={id}
        autoFocus
        rows={3}
        value={form.goal}
        limit={LIMITS.goalChars}
        required
        aria-invalid={useIsWrong('goal')}
        aria-describedby={`${id}-notice`}
        placeholder={t('goalPlaceholder')}
        onChange={(goal) => change((now) => ({ ...now, goal }))}
      />
      <FieldNotice field="goal" id={`${id}-notice`} />
    </div>
  );
}

function InstructionsField() {
  const t = useTranslations('create');
  const { form, change } = useCreate();
  const id = useId();
  return (
    <div className={css.field} data-field="instructions">
      <label htmlFor={id} className={css.name}>
        {t('instructions')}
      </label>
      <LongText
        id={id}
        rows={2}
        value={form.instructions}
        limit={LIMITS.instructionsChars}
        aria-describedby={`${id}-hint ${id}-notice`}
        onChange={(instructions) => change((now) => ({ ...now, instructions }))}
      />
      <p id={`${id}-hint`} className="small muted">
        {t('instructionsHint')}
      </p>
      <FieldNotice field="instructions" id={`${id}-notice`} />
    </div>
  );
}

/** The buttons, and what the server said where it named no part of the form. */
function Foot({ creation }: { readonly creation: Creation }) {
  const t = useTranslations('create');
  const { faults, refusal, isPending, isStart, create, createAnother } = creation;
  return (
    <footer className={css.foot}>
      {refusal && refusal.field === undefined && (
        <div className={css.refusal}>
          <ProblemNotice problem={refusal.problem} />
          {refusal.problem.code === 'idempotency_mismatch' && (
            <div className={css.row}>
              <p className="small">{t('sameKey')}</p>
              <Button onClick={createAnother}>{t('createAnother')}</Button>
            </div>
          )}
        </div>
      )}
      <Button type="submit" look="primary" busy={isPending}>
        {isPending && isStart ? t('creating') : t('start')} <Kbd keys="mod+enter" />
      </Button>
      <Button busy={isPending} onClick={() => create(false)}>
        {isPending && !isStart ? t('creating') : t('keep')}
      </Button>
      <span role="status" className={`small ${css.faults}`}>
        {faults.length > 0 ? t('correct', { n: faults.length }) : ''}
      </span>
    </footer>
  );
}
