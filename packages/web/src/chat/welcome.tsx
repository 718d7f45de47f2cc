// The start of a chat: a greeting, the assistants, and things to try.

import type { AssistantEntry } from '@parley/protocol';
import { BookOpen, ChefHat, MessageCircle } from 'lucide-react';
import { suggestionsFor } from '../app/assistants.ts';
import { useHere } from '../app/me.tsx';
import { FirstStepsCard } from '../first-steps/first-steps-card.tsx';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';

const known = new Map([
  ['notes', { icon: BookOpen, about: () => t('Finds, reads and writes notes in your own folder.') }],
  ['kitchen', { icon: ChefHat, about: () => t('Knows your recipes and shows them in the side panel.') }],
]);

export function Welcome({
  assistants,
  assistant,
  onChoose,
  onTry,
}: {
  assistants: readonly AssistantEntry[];
  assistant: AssistantEntry | undefined;
  onChoose: (name: string) => void;
  onTry: (text: string) => void;
}) {
  const { person, displayName, demo, firstSteps } = useHere();
  const suggestions = assistant ? suggestionsFor(assistant.name, demo) : [];
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center px-1 py-8">
      <h1 className="text-balance text-center font-semibold text-2xl tracking-tight sm:text-3xl">
        {greeting(nameFor(person, displayName))}
      </h1>
      {firstSteps && <FirstStepsCard />}
      <div
        role="radiogroup"
        aria-label={t('Choose an assistant')}
        className="mt-8 grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(12rem,1fr))]"
      >
        {assistants.map(({ name, label }) => {
          const { icon: Icon, about } = known.get(name) ?? { icon: MessageCircle, about: undefined };
          const isChosen = name === assistant?.name;
          return (
            <label
              key={name}
              className={classes(
                'flex cursor-pointer items-start gap-3 rounded-card border p-4 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                isChosen ? 'border-accent bg-accent-wash' : 'border-line bg-raised hover:bg-sunken',
              )}
            >
              <input
                type="radio"
                name="assistant"
                value={name}
                checked={isChosen}
                onChange={() => onChoose(name)}
                className="sr-only"
              />
              <Icon size={20} className="mt-0.5 shrink-0 text-accent" aria-hidden />
              <span>
                <span className="block font-medium text-sm">{label}</span>
                {about !== undefined && (
                  <span className="mt-0.5 block text-sm text-soft leading-snug">{about()}</span>
                )}
              </span>
            </label>
          );
        })}
      </div>
      {suggestions.length > 0 && (
        <section aria-labelledby="try" className="mt-8">
          <h2 id="try" className="mb-3 text-center text-faint text-sm">
            {t('Try')}
          </h2>
          <ul className="flex flex-wrap justify-center gap-2">
            {suggestions.map((text) => (
              <li key={text}>
                <button
                  type="button"
                  onClick={() => onTry(text)}
                  className="rounded-full border border-line bg-raised px-4 py-2 text-sm text-soft transition-colors hover:border-accent hover:text-ink"
                >
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Undefined for `me`, which is the name of the only person until they choose another. */
function nameFor(person: string, displayName: string | null): string | undefined {
  if (displayName !== null && displayName !== person) return displayName;
  return person === 'me' ? undefined : person.charAt(0).toUpperCase() + person.slice(1);
}

function greeting(name: string | undefined): string {
  const hour = new Date().getHours();
  if (hour < 5) return name === undefined ? t('Hello') : t('Hello, {name}', { name });
  if (hour < 12) return name === undefined ? t('Good morning') : t('Good morning, {name}', { name });
  if (hour < 18) return name === undefined ? t('Good afternoon') : t('Good afternoon, {name}', { name });
  return name === undefined ? t('Good evening') : t('Good evening, {name}', { name });
}
