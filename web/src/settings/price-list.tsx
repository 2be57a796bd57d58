import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { CurrentSettings, Models } from '../../../src/client/index.ts';
import { IconButton } from '../components/button.tsx';
import { PriceForm } from './price-form.tsx';
import { Scroll } from './scroll.tsx';
import { SettingProblem } from './setting-problem.tsx';
import css from './settings.module.css';
import { useSetting } from './use-setting.ts';

type Price = Models['prices']['entries'][number];

const SHOWN = 40;

/** What models cost, built in or by the person's word; found by name, for there are many. */
export function PriceList({ current, models }: { readonly current: CurrentSettings; readonly models: Models }) {
  const t = useTranslations('settings.models');
  const [search, setSearch] = useState('');
  const { asOf, entries } = models.prices;
  const found = entries.filter(({ model }) => model.includes(search.trim().toLowerCase()));
  const sorted = found.toSorted((a, b) => Number(b.from === 'settings') - Number(a.from === 'settings'));
  return (
    <>
      <h3>{t('prices')}</h3>
      <p className={css.help}>{t('pricesHelp', { asOf })}</p>
      <PriceForm current={current} />
      <input
        type="search"
        className={css.input}
        value={search}
        placeholder={t('find')}
        aria-label={t('find')}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Scroll label={t('prices')}>
        <table className={`${css.table} num`}>
          <thead>
            <tr>
              <th scope="col">{t('model')}</th>
              {(['input', 'output', 'cacheRead', 'cacheWrite'] as const).map((name) => (
                <th key={name} scope="col" className={css.number}>
                  {t(name)}
                </th>
              ))}
              <th scope="col">{t('from')}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, SHOWN).map((price) => (
              <PriceRow key={`${price.from} ${price.model}`} current={current} price={price} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {sorted.length > SHOWN && <p className={css.help}>{t('more', { n: sorted.length - SHOWN })}</p>}
    </>
  );
}

function PriceRow({ current, price }: { readonly current: CurrentSettings; readonly price: Price }) {
  const t = useTranslations('settings.models');
  const format = useFormatter();
  const { value, change } = useSetting(current, ['prices', price.model]);
  const isOwn = price.from === 'settings';
  const usd = (rate: number | null): string =>
    rate === null ? '–' : format.number(rate, { maximumFractionDigits: 4 });
  return (
    <tr>
      <th scope="row">
        <code>{price.model}</code>
      </th>
      {[price.input, price.output, price.cacheRead, price.cacheWrite].map((rate, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four columns, always in this order
        <td key={index} className={css.number}>
          {usd(rate)}
        </td>
      ))}
      <td>
        {t(isOwn ? 'own' : 'builtIn')}
        {isOwn && (
          <IconButton
            label={t('removePrice', { model: price.model })}
            icon={<Trash2 size={14} aria-hidden />}
            busy={change.isPending}
            onClick={() => change.mutate({ value: undefined, base: value })}
          />
        )}
        <SettingProblem error={change.error} />
      </td>
    </tr>
  );
}
