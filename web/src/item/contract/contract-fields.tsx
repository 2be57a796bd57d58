import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { LimitedText } from '../../components/limited-text.tsx';
import css from './contract.module.css';
import type { ContractDraft } from './contract-draft.ts';
import type { ContractForm } from './contract-form.ts';
import { CriteriaEditor } from './criteria-editor.tsx';

interface Props {
  readonly draft: ContractDraft;
  readonly onChange: (part: Partial<ContractForm>) => void;
}

/** The parts of a contract, each in its field. */
export function ContractFields({ draft: { base, form }, onChange }: Props) {
  const t = useTranslations('contract');
  return (
    <>
      <label>
        {t('part.title')}
        <input
          value={form.title}
          maxLength={200}
          dir="auto"
          onChange={(event) => onChange({ title: event.target.value })}
        />
      </label>
      <LongText
        label={t('part.goal')}
        value={form.goal}
        rows={4}
        most={8_000}
        onChange={(goal) => onChange({ goal })}
        required
      />
      <CriteriaEditor base={base} form={form} onChange={(criteria) => onChange({ criteria })} />
      <LongText
        label={t('part.setup')}
        value={form.setup}
        rows={1}
        most={8_000}
        onChange={(setup) => onChange({ setup })}
        isCommand
      />
      <DeliveryFields form={form} onChange={onChange} />
      <LongText
        label={t('part.instructions')}
        value={form.instructions}
        rows={3}
        most={20_000}
        onChange={(instructions) => onChange({ instructions })}
      />
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly most: number;
  readonly required?: boolean;
  /** For the shell, so nobody corrects its spelling. */
  readonly isCommand?: boolean;
  readonly onChange: (value: string) => void;
}

function LongText({ label, value, rows, most, required = false, isCommand = false, onChange }: TextProps) {
  const id = useId();
  const look = isCommand ? { className: 'mono', spellCheck: false, dir: undefined } : {};
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <LimitedText id={id} value={value} rows={rows} limit={most} required={required} onChange={onChange} {...look} />
    </div>
  );
}

const TARGETS = ['workspace_files', 'response', 'pull_request', 'merge'] as const;

/** Where the result goes; only a merge names a branch. */
function DeliveryFields({
  form: { target, branch },
  onChange,
}: { readonly form: ContractForm } & Omit<Props, 'draft'>) {
  const t = useTranslations('contract');
  return (
    <div className={css.two}>
      <label>
        {t('part.delivery')}
        <select
          value={target}
          onChange={(event) => {
            const next = TARGETS.find((each) => each === event.target.value);
            if (next) onChange({ target: next });
          }}
        >
          {TARGETS.map((each) => (
            <option key={each} value={each}>
              {t(`target.${each}`)}
            </option>
          ))}
        </select>
      </label>
      {target === 'merge' && (
        <label>
          {t('branch')}
          <input
            className="mono"
            value={branch}
            maxLength={256}
            spellCheck={false}
            onChange={(event) => onChange({ branch: event.target.value })}
          />
        </label>
      )}
    </div>
  );
}
