import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { queryClient } from './api/queries.ts';
import { BoardPage } from './board/board-page.tsx';
import { Words } from './i18n/words.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { Loading } from './shell/loading.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

const ItemPage = lazy(() => import('./item/item-page.tsx').then(({ ItemPage: page }) => ({ default: page })));
const GalleryPage = lazy(() =>
  import('./gallery/gallery-page.tsx').then(({ GalleryPage: page }) => ({ default: page })),
);

/** The places of the page. What is not needed for the first paint comes when it is visited. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Words>
        <ErrorBoundary extent="page">
          <Shell>
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/" component={BoardPage} />
                <Route path="/work/:id/*?" component={ItemPage} />
                <Route path="/gallery" component={GalleryPage} />
                <Route component={NotFound} />
              </Switch>
            </Suspense>
          </Shell>
        </ErrorBoundary>
      </Words>
    </QueryClientProvider>
  );
}
