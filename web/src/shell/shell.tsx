import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { waitingQuery } from '../api/queries.ts';
import { useAttention } from './attention.ts';
import { ConnectionBanner } from './banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useLiveFeed } from './live.ts';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import css from './shell.module.css';
import { ShortcutList } from './shortcut-list.tsx';
import { useShortcuts } from './shortcuts.ts';

/** What stands around every page: the rail, the palette, the state of the connection. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('app');
  const [place, navigate] = useLocation();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const { data: waiting = 0, dataUpdatedAt } = useQuery(waitingQuery);
  useAttention(waiting, dataUpdatedAt);
  useLiveFeed();
  useShortcuts({
    palette: () => setPaletteOpen((open) => !open),
    help: () => setHelpOpen(true),
    board: () => navigate('/'),
    needsYou: () => navigate('/needs-you'),
    new: () => navigate('/new'),
  });
  return (
    <div className={css.shell}>
      <a href="#content" className={css.skip}>
        {t('skip')}
      </a>
      <Rail needsYou={waiting} onPalette={() => setPaletteOpen(true)} />
      <div className={css.main}>
        <ConnectionBanner />
        <main id="content" tabIndex={-1} className={css.content}>
          <ErrorBoundary extent="part" place={place}>
            {children}
          </ErrorBoundary>
        </main>
      </div>
      <Palette open={paletteOpen} onOpenChange={setPaletteOpen} onShortcuts={() => setHelpOpen(true)} />
      <ShortcutList open={helpOpen} onOpenChange={setHelpOpen} />
    </div>
  );
}
