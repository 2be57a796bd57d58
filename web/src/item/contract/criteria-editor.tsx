import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Contract } from '../../../../src/client/index.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { LimitedText } from '../../components/limited-text.tsx';
import { useFocusSoon } from '../../components/use-focus-soon.ts';
import css from './contract.module.css';
import { type ContractForm, type CriterionForm, newId } from './contract-form.ts';

const PROOFS = ['self', 'independent', 'machine', 'machine-protected'] as const;
const MOST = 24;

interface Props {
  readonly base: Contract;
  readonly form: ContractForm;
  readonly onChange: (criteria: readonly CriterionForm[]) => void;
}

/** How one will know: each criterion with its id, which stays its own whatever is written. */
export function CriteriaEditor({ base, form, onChange }: Props) {
  const t = useTranslations('contract');
  const { criteria } = form;
  const fields = useRef<HTMLFieldSetElement>(null);
  const focus = useFocusSoon(fields);
  const add = (): void => {
    const id = newId(base, form);
    onChange([...criteria, { id, text: '', run: '', minProof: 'self' }]);
    focus(id, 'text');
  };
  const remove = (at: number): void => {
    const neighbour = criteria[at - 1] ?? criteria[at + 1];
    onChange(criteria.toSpliced(at, 1));
    if (neighbour) focus(neighbour.id, 'text');
  };
  return (
    <fieldset ref={fields} className={css.criteriaForm}>
      <legend>{t('criteria')}</legend>
      {criteria.map((criterion, at) => (
        <CriterionFields
          key={criterion.id}
          criterion={criterion}
          mayRemove={criteria.length > 1}
          onChange={(next) => onChange(criteria.map((each) => (each.id === criterion.id ? next : each)))}
          onRemove={() => remove(at)}
        />
      ))}
      <Button icon={<Plus size={14} aria-hidden />} disabled={criteria.length >= MOST} onClick={add}>
        {t('addCriterion')}
      </Button>
    </fieldset>
  );
}

/** A machine cannot prove what has no check, and where there is one it should. */
function withRun(criterion: CriterionForm, run: string): CriterionForm {
  const { minProof } = criterion;
  const had = criterion.run.trim() !== '';
  const has = run.trim() !== '';
  if (had && !has && minProof.startsWith('machine')) return { ...criterion, run, minProof: 'independent' };
  if (!had && has && minProof === 'self') return { ...criterion, run, minProof: 'machine' };
  return { ...criterion, run };
}

interface FieldsProps {
  readonly criterion: CriterionForm;
  readonly mayRemove: boolean;
  readonly onChange: (criterion: CriterionForm) => void;
  readonly onRemove: () => void;
}

function CriterionFields({ criterion, mayRemove, onChange, onRemove }: FieldsProps) {
  const t = useTranslations('contract');
  const { id, text, run, minProof } = criterion;
  const hasCheck = run.trim() !== '';
  return (
    <div className={css.criterion} data-key={id}>
      <code className="faint">{id}</code>
      <div className={css.text}>
        <LimitedText
          data-part="text"
          value={text}
          rows={1}
          limit={2_000}
          required
          aria-label={t('criterionText', { id })}
          placeholder={t('criterionHint')}
          onChange={(written) => onChange({ ...criterion, text: written })}
        />
      </div>
      <IconButton
        label={t('removeCriterion', { id })}
        disabled={!mayRemove}
        icon={<X size={14} aria-hidden />}
        onClick={onRemove}
      />
      <div className={css.run}>
        <LimitedText
          className="mono"
          value={run}
          rows={1}
          limit={8_000}
          dir={undefined}
          spellCheck={false}
          aria-label={t('criterionCheck', { id })}
          placeholder={t('checkHint')}
          onChange={(command) => onChange(withRun(criterion, command))}
        />
      </div>
      <select
        value={minProof}
        aria-label={t('criterionProof', { id })}
        onChange={(event) => {
          const next = PROOFS.find((each) => each === event.target.value);
          if (next) onChange({ ...criterion, minProof: next });
        }}
      >
        {PROOFS.filter((each) => hasCheck || !each.startsWith('machine')).map((each) => (
          <option key={each} value={each}>
            {t(`proofs.${each}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
