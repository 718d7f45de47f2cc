// Who is here: the person, the household, and whether this is the demo. Every page may ask.
import type { Me } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { get, request, send } from '../api/http.ts';
import { Button } from '../ui/button.tsx';
import { Refusal, Spinner } from '../ui/notes.tsx';
import { DemoBanner, Mark } from './brand.tsx';

/** A login that has chosen its person. */
export type Here = Me & { person: string };

const HereContext = createContext<Here | undefined>(undefined);

export function useHere(): Here {
  const here = useContext(HereContext);
  if (!here) throw new Error('There is nobody here yet.');
  return here;
}

/** Shows the app once it is known for whom; asks where a login has not said yet. */
export function WithPerson({ children }: { children: ReactNode }) {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => get<Me>('/api/me', signal),
    staleTime: Infinity,
  });
  const choose = useChoosePerson();
  if (me.isPending) return <Centre>{<Spinner label="Opening Parley …" />}</Centre>;
  if (me.isError) {
    return (
      <Centre>
        <Refusal error={me.error} onRetry={() => void me.refetch()} />
      </Centre>
    );
  }
  const { person, people } = me.data;
  if (person !== null) return <HereContext value={{ ...me.data, person }}>{children}</HereContext>;
  return (
    <div className="flex h-full flex-col">
      {me.data.demo && <DemoBanner />}
      <Centre>
        <section className="w-full max-w-sm rounded-card border border-line bg-raised p-7 shadow-xl shadow-black/5">
          <Mark className="mb-5 size-11" />
          <h1 className="mb-1 font-semibold text-xl">Who is here?</h1>
          <p className="mb-5 text-soft text-sm">Everybody has their own notes and conversations.</p>
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
                <span className="capitalize">{name}</span>
              </Button>
            ))}
          </div>
          {choose.isError && <Refusal error={choose.error} />}
        </section>
      </Centre>
    </div>
  );
}

/** Another person sees other conversations: everything is asked for anew. */
export function useChoosePerson() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (person: string) => send<Me>('POST', '/api/me', { person }),
    onSuccess: (me) => {
      queries.clear();
      queries.setQueryData(['me'], me);
    },
  });
}

/** The server then shows its login form. */
export async function logOut(): Promise<void> {
  await request('/logout', { method: 'POST' });
  location.assign(document.baseURI);
}

function Centre({ children }: { children: ReactNode }) {
  return <main className="grid min-h-full flex-1 place-items-center p-6">{children}</main>;
}
