import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type KeyboardEvent, useId } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../components/button.tsx';
import { CheckTrial } from './check-trial.tsx';
import { type Field, proofsFor } from './compile-form.ts';
import css from './create.module.css';
import { FieldNotice, useIsWrong } from './field-notice.tsx';
import { type CriterionForm, LIMITS, type MinProof } from './form.ts';
import { LongText } from './long-text.tsx';

interface Props {
  readonly criterion: CriterionForm;
  readonly at: number;
  readonly count: number;
  readonly onChange: (part: Partial<CriterionForm>) => void;
  /** `part` is what had the focus. */
  readonly onMove: (by: number, part: string) => void;
  readonly onRemove: () => void;
}

const partOf = (target: EventTarget): string =>
  (target instanceof HTMLElement ? target.dataset.part : undefined) ?? 'text';

/** One criterion: its sentence, its check, how strong a proof has to be. Alt and an arrow move it. */
export function CriterionRow({ criterion, at, count, onChange, onMove, onRemove }: Props) {
  const t = useTranslations('create.criteria');
  const id = `c${at + 1}`;
  const field: Field = `criterion.${at}`;
  const noticeId = useId();
  const isWrong = useIsWrong(field);
  const { text, run } = criterion;
  const press = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1, partOf(event.target));
  };
  const shared = { spellCheck: false, autoCapitalize: 'off', dir: 'ltr' } as const;
  return (
    <li className={css.criterion} data-key={criterion.key} data-field={field} onKeyDown={press}>
      <code className={`faint ${css.criterionId}`}>{id}</code>
      <div className={css.criterionParts}>
        <LongText
          data-part="text"
          rows={1}
          value={text}
          limit={LIMITS.criterionChars}
          aria-label={t('text', { id })}
          aria-invalid={isWrong}
          aria-describedby={noticeId}
          placeholder={t('textPlaceholder')}
          onChange={(next) => onChange({ text: next })}
        />
        <LongText
          {...shared}
          data-part="run"
          rows={1}
          value={run}
          limit={LIMITS.commandChars}
          className={css.command ?? ''}
          aria-label={t('run', { id })}
          placeholder={t('runPlaceholder')}
          onChange={(next) => onChange({ run: next })}
        />
        <ProofSelect criterion={criterion} id={id} onChange={(minProof) => onChange({ minProof })} />
        {criterion.minProof === 'machine-protected' && run.trim() !== '' && (
          <input
            {...shared}
            data-part="protect"
            type="text"
            value={criterion.protect}
            className={css.command}
            aria-label={t('protect', { id })}
            placeholder={t('protectPlaceholder')}
            onChange={(event) => onChange({ protect: event.target.value })}
          />
        )}
        {run.trim() !== '' && <CheckTrial run={run} />}
        <FieldNotice field={field} id={noticeId} />
      </div>
      <RowTools id={id} at={at} count={count} onMove={onMove} onRemove={onRemove} />
    </li>
  );
}

type ToolsProps = Pick<Props, 'at' | 'count' | 'onMove' | 'onRemove'> & { readonly id: string };

function RowTools({ id, at, count, onMove, onRemove }: ToolsProps) {
  const t = useTranslations('create.criteria');
  return (
    <div className={css.criterionTools}>
      <IconButton
        data-part="up"
        label={t('up', { id })}
        icon={<ArrowUp size={14} aria-hidden />}
        disabled={at === 0}
        onClick={() => onMove(-1, 'up')}
      />
      <IconButton
        data-part="down"
        label={t('down', { id })}
        icon={<ArrowDown size={14} aria-hidden />}
        disabled={at === count - 1}
        onClick={() => onMove(1, 'down')}
      />
      <IconButton label={t('remove', { id })} icon={<X size={14} aria-hidden />} onClick={onRemove} />
    </div>
  );
}

interface ProofProps {
  readonly criterion: CriterionForm;
  readonly id: string;
  readonly onChange: (minProof: MinProof | '') => void;
}

function ProofSelect({ criterion: { run, minProof }, id, onChange }: ProofProps) {
  const t = useTranslations('create.criteria');
  const possible = proofsFor(run);
  const chosen = minProof !== '' && possible.includes(minProof) ? minProof : '';
  return (
    <select
      data-part="proof"
      className={css.proofSelect}
      aria-label={t('proof', { id })}
      value={chosen}
      onChange={({ target }) => onChange(possible.find((each) => each === target.value) ?? '')}
    >
      <option value="">{t(run.trim() === '' ? 'proofAuto.none' : 'proofAuto.check')}</option>
      {possible.map((each) => (
        <option key={each} value={each}>
          {t(`minProof.${each}`)}
        </option>
      ))}
    </select>
  );
}
