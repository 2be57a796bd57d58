import { useFormatter, useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { duration, useMoney } from '../../components/values.tsx';
import { type BudgetLine, budgetLines } from './budget-lines.ts';
import css from './overview.module.css';

/** What it cost, of what it may cost: everything that has a limit, and what of it is no measurement. */
export function Budget({ item }: { readonly item: Item }) {
  const t = useTranslations('pane');
  return (
    <section>
      <h3>{t('budget')}</h3>
      <dl className={css.budget}>
        {budgetLines(item).map((line) => (
          <Line key={line.what} line={line} />
        ))}
      </dl>
      <Caveats item={item} />
    </section>
  );
}

/** An amount in its unit. */
function useAmount(): (what: BudgetLine['what'], amount: number) => string {
  const money = useMoney();
  const format = useFormatter();
  return (what, amount) => {
    if (what === 'costMicros') return money(amount);
    return what === 'wallClockSec' ? duration(amount * 1_000) : format.number(amount);
  };
}

function Line({ line: { what, used, limit, state } }: { readonly line: BudgetLine }) {
  const t = useTranslations();
  const amount = useAmount();
  const said = { used: amount(what, used), limit: limit === null ? '' : amount(what, limit) };
  const hasMeter = limit !== null && (what === 'costMicros' || state !== 'fine');
  return (
    <div data-state={state}>
      <dt className="muted">{t(`contract.limit.${what}`)}</dt>
      <dd className="num">
        {limit === null ? t('pane.noLimit', said) : t('pane.used', said)}
        {state !== 'fine' && <strong className={css.word}> {t(`pane.${state}`)}</strong>}
        {hasMeter && (
          <div className={css.meter} aria-hidden="true">
            <span style={{ width: `${Math.min(100, (used / Math.max(1, limit)) * 100)}%` }} />
          </div>
        )}
      </dd>
    </div>
  );
}

/** What the sums leave out, or only estimate. */
function Caveats({ item: { usage, estimated } }: { readonly item: Item }) {
  const t = useTranslations();
  const money = useMoney();
  const { requests, tokens, costMicros } = estimated;
  const all = [
    ...(requests > 0 ? [t('pane.estimated', { requests, tokens, cost: money(costMicros) })] : []),
    ...(usage.unpriced > 0 ? [t('pane.unpriced', { n: usage.unpriced })] : []),
    ...(usage.metered ? [] : [t('pane.unmetered')]),
  ];
  return all.map((each) => (
    <p key={each} className="small muted num">
      {each}
    </p>
  ));
}
