import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { useMoney } from '../../components/values.tsx';
import css from './overview.module.css';

/** What it cost, of what it may cost. */
export function Budget({ item: { usage, limits } }: { readonly item: Item }) {
  const t = useTranslations();
  const money = useMoney();
  const limit = typeof limits.costMicros === 'number' ? limits.costMicros : undefined;
  const used = money(usage.costMicros);
  return (
    <section>
      <h3>{t('pane.budget')}</h3>
      <p className="num">
        {limit === undefined ? t('pane.noLimit', { used }) : t('pane.used', { used, limit: money(limit) })}
      </p>
      {limit !== undefined && (
        <div className={css.meter} aria-hidden="true">
          <span style={{ width: `${Math.min(100, (usage.costMicros / Math.max(1, limit)) * 100)}%` }} />
        </div>
      )}
      <p className="small muted num">
        {t('pane.requests', { requests: usage.requests, tokens: usage.tokens })}
        {usage.unpriced > 0 && ` · ${t('pane.unpriced', { n: usage.unpriced })}`}
        {!usage.metered && ` · ${t('board.unmetered')}`}
      </p>
    </section>
  );
}
