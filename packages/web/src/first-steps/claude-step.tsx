// The first step: connects Claude. Leaving the demo restarts the server, with other data and other logins.
import type { DemoExitResult } from '@parley/protocol';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { address, replaceLogin, send } from '../client.ts';
import { serverText } from '../i18n/server-text.ts';
import { t } from '../i18n/translate.ts';
import { SecretField } from '../settings/form/controls.tsx';
import { WithSettings } from '../settings/form/parts.tsx';
import { SettingGroup } from '../settings/form/setting-group.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { ErrorNote, Spinner } from '../ui/notes.tsx';
import { useEndFirstSteps } from './end-first-steps.ts';

export function ClaudeStep() {
  return useHere().demo ? <LeaveDemo /> : <Connected />;
}

/** The key can be added or replaced, as in the server's settings. */
function Connected() {
  return (
    <WithSettings keys={['anthropic.apiKey']}>
      {(view) => (
        <SettingGroup
          view={view}
          title={t('Claude is connected')}
          hint={t(
            'Claude Code uses the API key or, without one, the claude program’s login. The chat needs a key.',
          )}
          settings={[{ key: 'anthropic.apiKey', label: t('Anthropic API key') }]}
        />
      )}
    </WithSettings>
  );
}

type Way = 'key' | 'login' | 'demo';

function LeaveDemo() {
  const [way, setWay] = useState<Way>('key');
  const [key, setKey] = useState('');
  const [, go] = useLocation();
  const stay = useEndFirstSteps();
  const leave = useMutation({
    mutationFn: () => replaceLogin(() => leaveDemo(way === 'key' ? key.trim() : undefined), '/setup/people'),
  });
  const isBusy = leave.isPending || stay.isPending;
  return (
    <Card
      title={t('How should Parley connect to Claude?')}
      hint={t('Right now, the answers are scripted, and the notes and recipes are made up.')}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (way === 'demo') stay.mutate(undefined, { onSuccess: () => go('/') });
          else leave.mutate();
        }}
      >
        <div role="radiogroup" aria-label={t('How should Parley connect to Claude?')} className="grid gap-3">
          {waysOut().map(({ value, name, about }) => (
            <label
              key={value}
              className={classes(
                'flex cursor-pointer items-start gap-3 rounded-card border p-4 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                value === way ? 'border-accent bg-accent-wash' : 'border-line hover:bg-sunken',
              )}
            >
              <input
                type="radio"
                name="way"
                value={value}
                checked={value === way}
                disabled={isBusy}
                onChange={() => setWay(value)}
                className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
              />
              <span>
                <span className="block font-medium">{name}</span>
                <span className="mt-0.5 block text-soft leading-snug">{about}</span>
              </span>
            </label>
          ))}
        </div>
        {way === 'key' && (
          <SecretField
            label={t('Anthropic API key')}
            hint={t('Parley checks it, and stores it in its data folder, where only the server can read it.')}
            required
            disabled={isBusy}
            value={key}
            onChange={(typed) => setKey(typeof typed === 'string' ? typed : '')}
          />
        )}
        {way !== 'demo' && (
          <p className="text-soft text-sm">
            {t('Parley will restart without the sample data. Then log in again with the same password.')}
          </p>
        )}
        {leave.isError && <ErrorNote error={leave.error} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" disabled={isBusy}>
            {way === 'demo' ? t('Stay in the demo') : t('Connect')}
          </Button>
          {leave.isPending && <Spinner label={t('Parley is restarting …')} />}
        </div>
      </form>
    </Card>
  );
}

function waysOut(): readonly { readonly value: Way; readonly name: string; readonly about: string }[] {
  return [
    {
      value: 'key',
      name: t('With an API key'),
      about: t('For the chat and for Claude Code. You can create a key at console.anthropic.com.'),
    },
    {
      value: 'login',
      name: t('With the claude program’s login'),
      about: t(
        'For Claude Code, if you have logged in to the program on this machine. The chat needs a key, which you can add later.',
      ),
    },
    {
      value: 'demo',
      name: t('Not yet, stay in the demo'),
      about: t('Nothing leaves this machine. The bar at the top brings you back here.'),
    },
  ];
}

async function leaveDemo(apiKey: string | undefined): Promise<void> {
  const left = await send<DemoExitResult>('POST', '/api/settings/leave-demo', { apiKey });
  if (!left.ok) throw new Error(serverText(left.problem ?? ''));
  await startedAgain();
}

const askEveryMs = 300;
const longestStartMs = 60_000;

/** Waits until the server has restarted. Then the demo's logins no longer work. */
async function startedAgain(): Promise<void> {
  const late = performance.now() + longestStartMs;
  while (performance.now() < late) {
    const status = await fetch(address('/api/me')).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 401) return;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
  throw new Error(t('Parley didn’t restart. Check its log, or start it by hand.'));
}
