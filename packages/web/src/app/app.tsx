// The whole app: finds out who is here and routes them to a page. A page's code loads when it is first opened.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ChatPage } from '../chat/chat-page.tsx';
import { InLanguage } from '../i18n/language.tsx';
import { t } from '../i18n/translate.ts';
import { preloadMarkdown } from '../ui/markdown.tsx';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { meQuery, WithPerson } from './me.tsx';
import { NothingHere } from './nothing-here.tsx';
import { Shell } from './shell.tsx';

const code = preloadable(async () => {
  void preloadMarkdown();
  return (await import('../code/code-page.tsx')).CodePage;
});
const overview = preloadable(async () => (await import('../overview/overview-page.tsx')).OverviewPage);
const settings = preloadable(async () => (await import('../settings/settings-page.tsx')).SettingsPage);
const setup = preloadable(async () => (await import('../first-steps/first-steps-page.tsx')).FirstStepsPage);
const recipe = preloadable<{ id: string }>(
  async () => (await import('../recipes/recipe-page.tsx')).RecipePage,
);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 10_000, refetchOnWindowFocus: true } },
});
/** One route for all chats, so that the list stays as it is when another chat opens. */
const chats = /^\/(?:chat(?:\/[^/]*)?\/?)?$/;
/** The app may be served below a sub-path. */
const base = new URL(document.baseURI).pathname.replace(/\/$/, '');
// Starts now, not after the language has loaded, which takes a separate request.
void queries.prefetchQuery(meQuery);
/** Wait for this before rendering: a page that suspends stays hidden for a third of a second. */
export const pageLoaded = preloadPage(location.pathname.slice(base.length));

/** Fetches everything on the page again. */
export function refresh(): void {
  void queries.invalidateQueries();
}

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
                  <Route path="/settings/*?">{() => <settings.Part />}</Route>
                  <Route path="/setup/*?">{() => <setup.Part />}</Route>
                  <Route path="/recipes/:id">{({ id }) => <recipe.Part id={id} />}</Route>
                  <Route path={chats}>{() => <ChatPage />}</Route>
                  <Route>{() => <NothingHere />}</Route>
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

/** Loads the page's code while the app asks the server who is here. */
async function preloadPage(path: string): Promise<void> {
  if (path.startsWith('/code')) await code.preload();
  if (path.startsWith('/overview')) await overview.preload();
  if (path.startsWith('/settings')) await settings.preload();
  if (path.startsWith('/setup')) await setup.preload();
  if (path.startsWith('/recipes')) await recipe.preload();
}
