import { Tabs } from 'radix-ui';
import { type ComponentType, Suspense, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation, useParams } from 'wouter';
import type { Item } from '../../../../src/client/index.ts';
import { ErrorBoundary } from '../../shell/error-boundary.tsx';
import { later } from '../../shell/later.ts';
import { Loading } from '../../shell/loading.tsx';
import { ShownInstead } from '../../shell/not-found.tsx';
import { Overview } from './overview.tsx';
import css from './pane.module.css';
import { CONTENT_NAMES, type ContentName, placeAt } from './places.ts';
import { useFollowedFocus } from './use-followed-focus.ts';

/** What a content is given: the item, and what the address says behind the name of the content. */
export interface ContentProps {
  readonly item: Item;
  /** Such as `["a1", "runs", "r1"]` of `/work/ID/actions/a1/runs/r1`. */
  readonly rest: readonly string[];
}

/** Names of contents are in the address, so Back unwinds the pane and a link leads there. */
const CONTENTS = {
  proof: Overview,
  actions: later(async () => (await import('../actions/actions-content.tsx')).ActionsContent),
  diff: later(async () => (await import('../diff/diff-content.tsx')).DiffContent),
  contract: later(async () => (await import('../contract/contract-content.tsx')).ContractContent),
  events: later(async () => (await import('../events/events-content.tsx')).EventsContent),
} satisfies Record<ContentName, ComponentType<ContentProps>>;

/** What is, for reading: it never touches what is being written on the left. */
export function Pane({ item }: { readonly item: Item }) {
  const t = useTranslations('pane');
  const { '*': address = '' } = useParams();
  const [, navigate] = useLocation();
  const { shown, rest, isPlace } = placeAt(address);
  const Content = CONTENTS[shown];
  const panel = useRef<HTMLDivElement>(null);
  useFollowedFocus(panel);
  return (
    <section className={css.pane} aria-label={t('label')}>
      <Tabs.Root
        value={shown}
        onValueChange={(next) => navigate(`/work/${item.id}/${next}`)}
        activationMode="manual"
        className={css.root}
      >
        <Tabs.List className={css.tabs}>
          {CONTENT_NAMES.map((name) => (
            <Tabs.Trigger key={name} value={name} className={css.tab}>
              {t(name)} {name === 'actions' && <span className="faint num">{item.counts.actions}</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content ref={panel} value={shown} className={css.content}>
          {!isPlace && <ShownInstead />}
          <ErrorBoundary extent="part" place={address}>
            <Suspense fallback={<Loading />}>
              <Content item={item} rest={rest} />
            </Suspense>
          </ErrorBoundary>
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}
