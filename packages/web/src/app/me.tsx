// Who is logged in: the person, the household, and whether this is the demo.
import type { Me } from '@parley/protocol';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { actFor, client, get, request, send } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Spinner } from '../ui/notes.tsx';
import { DemoBanner, Mark } from './brand.tsx';
import { PersonName } from './person-name.tsx';

/** A login for which a person has been chosen. */
export type Here = Me & { person: string };

const HereContext = createContext<Here | undefined>(undefined);

export function useHere(): Here {
  const here = useContext(HereContext);
  if (!here) throw new Error('useHere needs a person.');
  return here;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => remember(await get<Me>('/api/me', signal)),
  staleTime: Infinity,
});

/** Shows the app once the person is known. If the login has no person yet, asks who it is. */
export function WithPerson({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  const choose = useChoosePerson();
  useFreshRights();
  if (me.isPending)
    return (
      <Center>
        <Spinner label={t('Loading …')} />
      </Center>
    );
  // If a refetch fails, the page stays.
  if (!me.data) {
    return (
      <Center>
        <ErrorNote error={me.error} onRetry={() => void me.refetch()} />
      </Center>
    );
  }
  const { person, people } = me.data;
  if (person !== null) return <HereContext value={{ ...me.data, person }}>{children}</HereContext>;
  return (
    <div className="flex h-full flex-col">
      {me.data.demo && <DemoBanner />}
      <Center>
        <section className="w-full max-w-sm rounded-card border border-line bg-raised p-7 shadow-xl shadow-black/5">
          <Mark className="mb-5 size-11" />
          <h1 className="mb-1 font-semibold text-xl">{t('Who’s using Parley?')}</h1>
          <p className="mb-5 text-soft text-sm">{t('Everyone has their own notes and conversations.')}</p>
          <div className="grid gap-2">
            {people.map((name) => (
              <Button
                key={name}
                className="min-h-12 justify-start gap-3 px-3 text-base"
                disabled={choose.isPending}
                onClick={() => choose.mutate(name)}
              >
                <span
                  aria-hidden
                  className="grid size-8 place-items-center rounded-full bg-accent-wash font-semibold text-accent text-sm uppercase"
                >
                  {name.charAt(0)}
                </span>
                <PersonName person={name} />
              </Button>
            ))}
          </div>
          {choose.isError && <ErrorNote error={choose.error} />}
        </section>
      </Center>
    </div>
  );
}

/** Reloads all data when the person's rights change or something is shared with them. */
function useFreshRights(): void {
  const queries = useQueryClient();
  useEffect(() => client.rights.subscribe(() => void queries.invalidateQueries()), [queries]);
}

/** Reloads the page if it has shown another person's data, so that none of it stays. */
export function useChoosePerson() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (person: string) => send<Me>('POST', '/api/me', { person }),
    onSuccess: (me) => {
      const before = queries.getQueryData(meQuery.queryKey)?.person ?? undefined;
      if (before === undefined) queries.setQueryData(meQuery.queryKey, remember(me));
      else location.assign(document.baseURI);
    },
  });
}

function remember(me: Me): Me {
  if (me.person !== null) actFor(me.person);
  return me;
}

/** Leads to the server's login form. */
export async function logOut(): Promise<void> {
  await request('/logout', { method: 'POST' });
  location.assign(document.baseURI);
}

function Center({ children }: { children: ReactNode }) {
  return <main className="grid min-h-full flex-1 place-items-center p-6">{children}</main>;
}
