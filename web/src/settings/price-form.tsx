import { useTranslations } from 'use-intl';
import type { CurrentSettings } from '../../../src/client/index.ts';
import { Button } from '../components/button.tsx';
import { numberOf } from '../components/typed-number.ts';
import { useKept } from '../shell/kept.ts';
import { MODEL_LIST } from './model-names.tsx';
import { SettingProblem } from './setting-problem.tsx';
import css from './settings.module.css';
import { useSetting } from './use-setting.ts';

const RATES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
type Typed = Readonly<Record<(typeof RATES)[number] | 'model', string>>;

const EMPTY: Typed = { model: '', input: '', output: '', cacheRead: '', cacheWrite: '' };

const isTyped = (value: unknown): value is Typed =>
  typeof value === 'object' && value !== null && Object.keys(EMPTY).every((part) => part in value);

/** The price as it is stored; undefined while a part is missing or is no number. */
function priceOf(typed: Typed): Readonly<Record<string, number>> | undefined {
  const given = RATES.filter((rate) => typed[rate].trim() !== '');
  const rates = given.map((rate) => [rate, numberOf(typed[rate]) ?? Number.NaN] as const);
  const isWhole = given.includes('input') && given.includes('output') && typed.model.includes('/');
  return isWhole && rates.every(([, rate]) => rate >= 0) ? Object.fromEntries(rates) : undefined;
}

/** A price of one's own for a model. */
export function PriceForm({ current }: { readonly current: CurrentSettings }) {
  const t = useTranslations('settings.models');
  const [typed = EMPTY, setTyped] = useKept('price', isTyped);
  const { value, change } = useSetting(current, ['prices', typed.model.trim()], (saved) => {
    // What was typed since is another price.
    if (JSON.stringify(saved) === JSON.stringify(price)) setTyped(undefined);
  });
  const price = priceOf(typed);
  const type = (part: keyof Typed, text: string): void => setTyped({ ...typed, [part]: text });
  return (
    <form
      className={css.priceForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (price && !change.isPending) change.mutate({ value: price, base: value });
      }}
    >
      <label>
        {t('model')}
        <input
          className={css.input}
          list={MODEL_LIST}
          value={typed.model}
          placeholder="provider/model"
          onChange={(event) => type('model', event.target.value)}
        />
      </label>
      {RATES.map((rate) => (
        <label key={rate}>
          {t(rate)}
          <input
            className={css.input}
            inputMode="decimal"
            data-number
            value={typed[rate]}
            onChange={(event) => type(rate, event.target.value)}
          />
        </label>
      ))}
      <Button type="submit" busy={change.isPending} disabled={!price}>
        {t('addPrice')}
      </Button>
      <SettingProblem error={change.error} />
    </form>
  );
}
