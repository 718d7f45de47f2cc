// The whole app: who is here, and which page they see. A page is loaded when it is first opened.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ChatPage } from '../chat/chat-page.tsx';
import { InLanguage } from '../i18n/language.tsx';
import { t } from '../i18n/translate.ts';
import { preloadMarkdown } from '../ui/markdown.tsx';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { WithPerson } from './me.tsx';
import { Shell } from './shell.tsx';

const code = preloadable(async () => {
  preloadMarkdown();
  return (await import('../code/code-page.tsx')).CodePage;
});
const overview = preloadable(async () => (await import('../overview/overview-page.tsx')).OverviewPage);
const recipe = preloadable<{ id: string }>(
  async () => (await import('../recipes/recipe-page.tsx')).RecipePage,
);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 10_000, refetchOnWindowFocus: true } },
});
/** The app may be served below a sub-path. */
const base = new URL(document.baseURI).pathname.replace(/\/$/, '');
preloadPage(location.pathname.slice(base.length));

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Router base={base}>
        <InLanguage>
          <WithPerson>
            <Shell>
              <Suspense fallback={<Opening />}>
                <Switch>
                  <Route path="/code/*?">{() => <code.Part />}</Route>
                  <Route path="/overview">{() => <overview.Part />}</Route>
                  <Route path="/recipes/:id">{({ id }) => <recipe.Part id={id} />}</Route>
                  <Route>{() => <ChatPage />}</Route>
                </Switch>
              </Suspense>
            </Shell>
          </WithPerson>
        </InLanguage>
      </Router>
    </QueryClientProvider>
  );
}

function Opening() {
  return (
    <div className="p-8">
      <Spinner label={t('Loading …')} />
    </div>
  );
}

/** Loads the page's code while the server is asked who is here. */
function preloadPage(path: string): void {
  if (path.startsWith('/code')) code.preload();
  if (path.startsWith('/overview')) overview.preload();
  if (path.startsWith('/recipes')) recipe.preload();
}
