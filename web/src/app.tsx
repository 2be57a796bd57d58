import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { queryClient } from './api/queries.ts';
import { BoardPage } from './board/board-page.tsx';
import { Words } from './i18n/words.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { later } from './shell/later.ts';
import { Loading } from './shell/loading.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { TokenGate } from './shell/token-gate.tsx';

const ItemPage = later(async () => (await import('./item/item-page.tsx')).ItemPage);
const CreatePage = later(async () => (await import('./create/create-page.tsx')).CreatePage);
const InboxPage = later(async () => (await import('./inbox/inbox-page.tsx')).InboxPage);
const SettingsPage = later(async () => (await import('./settings/settings-page.tsx')).SettingsPage);
const VpsPage = later(async () => (await import('./vps/vps-page.tsx')).VpsPage);
const GalleryPage = later(async () => (await import('./gallery/gallery-page.tsx')).GalleryPage);

/** The places of the page. What is not needed for the first paint comes when it is visited. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Words>
        <ErrorBoundary extent="page">
          <TokenGate>
            <Shell>
              <Suspense fallback={<Loading />}>
                <Switch>
                  <Route path="/" component={BoardPage} />
                  <Route path="/work/:id/*?" component={ItemPage} />
                  <Route path="/new" component={CreatePage} />
                  <Route path="/needs-you/:item?/:what?" component={InboxPage} />
                  <Route path="/settings/:section?" component={SettingsPage} />
                  <Route path="/vps/:id?" component={VpsPage} />
                  <Route path="/gallery" component={GalleryPage} />
                  <Route component={NotFound} />
                </Switch>
              </Suspense>
            </Shell>
          </TokenGate>
        </ErrorBoundary>
      </Words>
    </QueryClientProvider>
  );
}
