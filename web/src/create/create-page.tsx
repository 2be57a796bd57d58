import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useSearchParams } from 'wouter';
import { holdsFiles, takeDropped, takePasted } from '../attachments/taken-files.ts';
import { isGoing, useUploads } from '../attachments/use-uploads.ts';
import { Button } from '../components/button.tsx';
import { Kbd } from '../components/kbd.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { NoModel } from '../settings/no-model.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { BudgetFields } from './budget-fields.tsx';
import css from './create.module.css';
import { CreateContext, useCreate } from './create-context.ts';
import { CriteriaFields } from './criteria-fields.tsx';
import { DeliveryField } from './delivery-field.tsx';
import { DirectoryField } from './directory-field.tsx';
import { FieldNotice, useIsWrong } from './field-notice.tsx';
import { FilesField } from './files-field.tsx';
import { type Form, isBlank, LIMITS, newKey } from './form.ts';
import { LongText } from './long-text.tsx';
import { MoreFields } from './more-fields.tsx';
import { type Creation, useCreation } from './use-creation.ts';
import { type Start, useForm } from './use-form.ts';
import { usePlainProblem } from './use-plain-problem.ts';
import { useFilledDirectory, useStartsAtOnce } from './use-usual.ts';

function startIn(parameters: URLSearchParams): Start | undefined {
  const { goal = '', criterion = '', directory = '' } = Object.fromEntries(parameters);
  return goal === '' && directory === '' ? undefined : { goal, criterion, directory };
}

/** A goal becomes work. What is typed is kept in this browser until it has. */
export function CreatePage() {
  const t = useTranslations('create');
  const [parameters, setParameters] = useSearchParams();
  const dropStart = (): void => setParameters({}, { replace: true });
  const kept = useForm(startIn(parameters), dropStart);
  const { form, change } = kept;
  useFilledDirectory(form, change);
  const startsAtOnce = useStartsAtOnce();
  const creation = useCreation(form, change, kept.finish);
  const uploads = useUploads(form.files, (files) => change((now) => ({ ...now, files: files(now.files) })));
  const { faults, refusal } = creation;
  // Else they would be missing from the work, and nobody would know.
  const isSending = uploads.outgoing.some(isGoing);
  const create = (start: boolean): void => {
    if (!isSending) creation.create(start);
  };
  return (
    <CreateContext value={{ form, change, faults, refusal, resend: creation.resend, attach: uploads.add }}>
      <PageTitle name={t('title')} />
      <FormFrame onFiles={uploads.add} onCreate={() => create(startsAtOnce)}>
        <Head
          isKept={kept.isKept}
          onDiscard={() => {
            kept.discard();
            dropStart();
          }}
        />
        <div className={css.scroller}>
          <div className={css.columns}>
            <NoModel />
            {!kept.isKept && <p className={css.remark}>{t('notKept')}</p>}
            <OtherDrafts others={kept.others} onTurn={kept.turnTo} />
            {kept.isInTheWay && (
              <div className={css.remark}>
                <p>{t('otherDraft')}</p>
                <Button onClick={kept.takeStart}>{t('takeStart')}</Button>
              </div>
            )}
            <div className={css.column}>
              <GoalField />
              <DirectoryField />
              <CriteriaFields />
              <InstructionsField />
              <FilesField uploads={uploads} />
            </div>
            <div className={`${css.column} ${css.aside}`}>
              <DeliveryField />
              <BudgetFields />
              <MoreFields />
            </div>
          </div>
        </div>
        <Foot creation={creation} startsAtOnce={startsAtOnce} isSending={isSending} onCreate={create} />
      </FormFrame>
    </CreateContext>
  );
}

interface OthersProps {
  readonly others: readonly Form[];
  readonly onTurn: (other: Form) => void;
}

/** What is being written elsewhere, or was before: it is kept, too, and one click away. */
function OtherDrafts({ others, onTurn }: OthersProps) {
  const t = useTranslations('create');
  const [latest] = others;
  if (!latest) return null;
  return (
    <div className={css.remark}>
      <p>{t('otherDrafts', { n: others.length })}</p>
      <p className="clamp2" dir="auto">
        {latest.goal.trim() || t('noGoalYet')}
      </p>
      <Button onClick={() => onTurn(latest)}>{t('turnTo')}</Button>
    </div>
  );
}

interface HeadProps {
  readonly isKept: boolean;
  readonly onDiscard: () => void;
}

function Head({ isKept, onDiscard }: HeadProps) {
  const t = useTranslations('create');
  const isEmpty = isBlank(useCreate().form);
  return (
    <header className={css.head}>
      <h1>{t('title')}</h1>
      {!isEmpty && isKept && <span className="small muted">{t('kept')}</span>}
      {!isEmpty && (
        <Button look="quiet" onClick={onDiscard}>
          {t('discard')}
        </Button>
      )}
    </header>
  );
}

interface FrameProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onCreate: () => void;
  readonly children: ReactNode;
}

/** Files may be dropped and pasted anywhere on it; mod and Enter start the work from anywhere in it. */
function FormFrame({ onFiles, onCreate, children }: FrameProps) {
  const t = useTranslations('files');
  const [isOver, setOver] = useState(false);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const isMeant = event.metaKey || event.ctrlKey;
    // In a field of one line Enter alone would start the work; that may cost money, so it takes more than a slip.
    if (isMeant || event.target instanceof HTMLInputElement) event.preventDefault();
    if (isMeant) onCreate();
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
      onPaste={(event) => takePasted(event, onFiles)}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        takeDropped(event, onFiles);
      }}
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
        className={css.goal ?? ''}
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

/** What the server said where it named no part of the form. */
function Refusal({ creation: { refusal, resend } }: { readonly creation: Creation }) {
  const t = useTranslations('create');
  const plain = usePlainProblem();
  if (!refusal || refusal.field !== undefined) return null;
  const { problem } = refusal;
  return (
    <div className={css.refusal}>
      {problem.code === 'idempotency_mismatch' ? (
        <div role="alert" className={css.refused}>
          <p>{t('sameKey')}</p>
          <div className={css.row}>
            <Button onClick={() => resend({ key: newKey() })}>{t('createAnother')}</Button>
            <Link href="/">{t('seeCreated')}</Link>
          </div>
        </div>
      ) : (
        <ProblemNotice problem={plain(problem)} />
      )}
    </div>
  );
}

interface FootProps {
  readonly creation: Creation;
  readonly startsAtOnce: boolean;
  readonly isSending: boolean;
  readonly onCreate: (start: boolean) => void;
}

/** The buttons, the usual one first, and why they did not lead to work. */
function Foot({ creation, startsAtOnce, isSending, onCreate }: FootProps) {
  const t = useTranslations('create');
  const filesT = useTranslations('files');
  const { faults, isPending, isStart } = creation;
  const remark = isSending ? filesT('waiting') : faults.length > 0 ? t('correct', { n: faults.length }) : '';
  const named = (start: boolean): string => {
    if (isPending && isStart === start) return t('creating');
    return start ? t('start') : t('keep');
  };
  return (
    <footer className={css.foot}>
      <Refusal creation={creation} />
      <Button type="submit" look="primary" busy={isPending} disabled={isSending}>
        {named(startsAtOnce)} <Kbd keys="mod+enter" />
      </Button>
      <Button busy={isPending} disabled={isSending} onClick={() => onCreate(!startsAtOnce)}>
        {named(!startsAtOnce)}
      </Button>
      <span role="status" className={`small ${isSending ? 'muted' : css.faults}`}>
        {remark}
      </span>
    </footer>
  );
}
