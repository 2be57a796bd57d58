import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { useMoney } from '../components/values.tsx';
import css from './budget-form.module.css';
import { extension, UNITS, type Unit, USUAL, unitOf } from './extension.ts';

const MICROS = 1_000_000;

interface Props {
  /** Of the hold: what is used up is what is offered first. */
  readonly code: string;
  readonly busy: boolean;
  readonly onAdd: (added: Partial<Record<Unit, number>>) => void;
}

/** So much more of one thing. */
export function BudgetForm({ code, busy, onAdd }: Props) {
  const t = useTranslations('hold');
  const money = useMoney();
  const [unit, setUnit] = useState<Unit>(unitOf(code));
  const [typed, setTyped] = useState(String(USUAL[unitOf(code)]));
  const added = extension(unit, typed);
  const n = Number(typed) || 0;
  const said = unit === 'costMicros' ? money(n * MICROS) : t(`so.${unit}`, { n });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (added) onAdd(added);
      }}
    >
      <label>
        <span className="sr-only">{t('amount')}</span>
        <input
          type="number"
          inputMode="decimal"
          min="0"
          step="any"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <label>
        <span className="sr-only">{t('add')}</span>
        <select
          value={unit}
          onChange={(event) => {
            const next = UNITS.find((each) => each === event.target.value) ?? unit;
            setUnit(next);
            setTyped(String(USUAL[next]));
          }}
        >
          {UNITS.map((each) => (
            <option key={each} value={each}>
              {t(`unit.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" look="primary" busy={busy} disabled={!added}>
        {t('addAndResume', { amount: said })}
      </Button>
    </form>
  );
}
