import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Forecast } from '../../../src/client/index.ts';
import { duration, useMoney, useShortNumber } from '../components/values.tsx';
import { type Amount, microsOf, secondsOf, tokensOf } from './amounts.ts';
import { usedCriteria } from './compile-form.ts';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { FieldNotice, useIsWrong } from './field-notice.tsx';
import type { Form } from './form.ts';
import { forecastQuery, settingsQuery } from './queries.ts';

const SECONDS_PER_HOUR = 3_600;

/** What it may cost, beside what such work usually costs. Left empty, the limits are those of the settings. */
export function BudgetFields() {
  const t = useTranslations('create.budget');
  const format = useFormatter();
  const short = useShortNumber();
  const money = useMoney();
  const { form, change } = useCreate();
  const id = useId();
  const usual = useQuery(settingsQuery).data?.settings.limits ?? {};
  const { tokens = DEFAULT_TOKENS, usd, wallClockSec } = usual;
  return (
    <section className={css.field} aria-labelledby={id}>
      <h2 id={id}>{t('title')}</h2>
      <div className={css.amounts}>
        <AmountField field="usd" usual={usd === undefined ? t('none') : money(usd * 1_000_000)} />
        <AmountField field="tokens" usual={short(tokens)} />
        <AmountField
          field="hours"
          usual={wallClockSec === undefined ? t('none') : format.number(wallClockSec / SECONDS_PER_HOUR)}
        />
      </div>
      {(['usd', 'tokens', 'hours'] as const).map((field) => (
        <FieldNotice key={field} field={field} id={`${id}-${field}`} />
      ))}
      <Estimate />
      {form.usd.trim() !== '' && (
        <label className={css.choice}>
          <input
            type="checkbox"
            checked={form.allowUnmetered}
            onChange={({ target }) => change((now) => ({ ...now, allowUnmetered: target.checked }))}
          />
          {t('allowUnmetered')}
        </label>
      )}
    </section>
  );
}

/** Of the server, where its settings say nothing else. */
const DEFAULT_TOKENS = 20_000_000;

function AmountField({ field, usual }: { readonly field: 'usd' | 'tokens' | 'hours'; readonly usual: string }) {
  const t = useTranslations('create.budget');
  const { form, change } = useCreate();
  return (
    <label className={css.amount} data-field={field}>
      {t(field)}
      <input
        className={`${css.input} num`}
        inputMode={field === 'tokens' ? 'text' : 'decimal'}
        autoComplete="off"
        value={form[field]}
        maxLength={24}
        placeholder={usual}
        aria-invalid={useIsWrong(field)}
        onChange={({ target }) => change((now) => ({ ...now, [field]: target.value }))}
      />
    </label>
  );
}

const isBelow = (amount: Amount, low: number | undefined): boolean =>
  typeof amount === 'number' && low !== undefined && amount < low;

const isTight = ({ usd, tokens, hours }: Form, { costMicros, tokens: usual, wallMs }: Forecast): boolean =>
  isBelow(microsOf(usd), costMicros?.median) ||
  isBelow(tokensOf(tokens), usual.median) ||
  isBelow(secondsOf(hours), wallMs.median / 1_000);

/** An estimate says that it is one, and what it rests on. */
function Estimate() {
  const t = useTranslations('create.budget');
  const short = useShortNumber();
  const money = useMoney();
  const { form } = useCreate();
  const count = useDeferredValue(Math.max(1, usedCriteria(form).length));
  const { data } = useQuery({ ...forecastQuery(count, form.target), placeholderData: keepPreviousData });
  if (!data) return null;
  const { tokens, wallMs, costMicros, basis, n } = data;
  return (
    <div className={css.estimate}>
      <p className="small num">
        {t('usual', {
          ...{ tokens: short(tokens.median), low: short(tokens.low), high: short(tokens.high) },
          time: duration(wallMs.median),
        })}
        {costMicros !== null && t('usualCost', { cost: money(costMicros.median) })}
      </p>
      <p className="small muted">{t(`basis.${basis}`, { n })}</p>
      {isTight(form, data) && <p className={`small ${css.tight}`}>{t('tight')}</p>}
    </div>
  );
}
