// The app as a whole: who is here, and which page they see. Pages are loaded when they are first opened.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ChatPage } from '../chat/chat-page.tsx';
import { Spinner } from '../ui/notes.tsx';
import { WithPerson } from './me.tsx';
import { Shell } from './shell.tsx';

const CodePage = lazy(async () => ({ default: (await import('../code/code-page.tsx')).CodePage }));
const OverviewPage = lazy(async () => ({
  default: (await import('../overview/overview-page.tsx')).OverviewPage,
}));

const RecipePage = lazy(async () => ({ default: (await import('../recipes/recipe-page.tsx')).RecipePage }));

const queries = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 10_000, refetchOnWindowFocus: true } },
});
/** The app may live below a sub-path. */
const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Router base={base}>
        <WithPerson>
          <Shell>
            <Suspense fallback={<div className="p-8">{<Spinner label="Opening …" />}</div>}>
              <Switch>
                <Route path="/code/*?">{() => <CodePage />}</Route>
                <Route path="/overview">{() => <OverviewPage />}</Route>
                <Route path="/recipes/:id">{({ id }) => <RecipePage id={id} />}</Route>
                <Route path="/chat/:id">{({ id }) => <ChatPage key={id} id={id} />}</Route>
                <Route>{() => <ChatPage id={undefined} />}</Route>
              </Switch>
            </Suspense>
          </Shell>
        </WithPerson>
      </Router>
    </QueryClientProvider>
  );
}
