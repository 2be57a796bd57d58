import { Tabs } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { useLocation, useParams } from 'wouter';
import type { Item } from '../../../../src/client/index.ts';
import { Overview } from './overview.tsx';
import css from './pane.module.css';

const CONTENTS = ['proof', 'actions', 'diff', 'contract', 'events'] as const;
type Content = (typeof CONTENTS)[number];

/** What is, for reading. The address names what is shown, so Back unwinds it and a link leads there. */
export function Pane({ item }: { readonly item: Item }) {
  const t = useTranslations('pane');
  const { '*': rest = '' } = useParams();
  const [, navigate] = useLocation();
  const shown: Content = CONTENTS.find((each) => rest.startsWith(each)) ?? 'proof';
  return (
    <section className={css.pane} aria-label={t('label')}>
      <Tabs.Root value={shown} onValueChange={(next) => navigate(`/work/${item.id}/${next}`)} className={css.root}>
        <Tabs.List className={css.tabs}>
          {CONTENTS.map((each) => (
            <Tabs.Trigger key={each} value={each} className={css.tab}>
              {t(each)} {each === 'actions' && <span className="faint num">{item.counts.actions}</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="proof" className={css.content}>
          <Overview item={item} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}
