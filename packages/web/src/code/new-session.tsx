// Starts a session: where, with which model and mode, and with which first message.

import type { CodeSessionView, NewCodeSession } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { client, send } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Refusal } from '../ui/notes.tsx';
import { modes, rememberedModels } from './choices.ts';
import { FolderPicker } from './folder-picker.tsx';
import { headKey, useRecentFolders } from './list/use-sessions.ts';

export function NewSession({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('New session')} wide>
      <Form />
    </Dialog>
  );
}

const mostRecent = 4;

const field =
  'h-10 w-full rounded-lg border border-line bg-paper px-3 text-sm outline-none focus:border-accent';

function Form() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const { terminal } = useHere();
  // The program takes its default without being told.
  const choosable = rememberedModels().filter(({ value }) => value !== 'default');
  const recent = useRecentFolders(mostRecent);
  const [picked, setPicked] = useState<string>();
  const workingDir = picked ?? recent[0];
  const [model, setModel] = useState('');
  const [permissionMode, setPermissionMode] = useState('default');
  const [runsIn, setRunsIn] = useState<'ui' | 'cli'>('ui');
  const [prompt, setPrompt] = useState('');
  const create = useMutation({
    mutationFn: (wanted: NewCodeSession) => send<CodeSessionView>('POST', '/api/claude/sessions', wanted),
    onSuccess: async ({ id }) => {
      const text = prompt.trim();
      if (runsIn === 'ui' && text !== '') client.conversation(id).send({ text, images: [] });
      await queries.invalidateQueries({ queryKey: headKey });
      go(runsIn === 'cli' ? `/code/${id}/terminal` : `/code/${id}`, { replace: true });
    },
  });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (workingDir === undefined) return;
        create.mutate({
          workingDir,
          mode: runsIn,
          config: { ...(model !== '' && { model }), permissionMode },
        });
      }}
    >
      <FolderPicker chosen={workingDir} recent={recent} onChoose={setPicked} />
      <div className={classes('grid grid-cols-2 gap-4', terminal && 'sm:grid-cols-3')}>
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">{t('Model')}</span>
          <select value={model} onChange={({ target }) => setModel(target.value)} className={field}>
            <option value="">{t('Default')}</option>
            {choosable.map(({ value, displayName }) => (
              <option key={value} value={value}>
                {displayName}
              </option>
            ))}
          </select>
        </label>
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">{t('Permissions')}</span>
          <select
            value={permissionMode}
            onChange={({ target }) => setPermissionMode(target.value)}
            className={field}
          >
            {modes().map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {terminal && (
          <label className="col-span-2 grid gap-1.5 text-sm sm:col-span-1">
            <span className="text-soft">{t('Open in')}</span>
            <select
              value={runsIn}
              onChange={({ target }) => setRunsIn(target.value === 'cli' ? 'cli' : 'ui')}
              className={field}
            >
              <option value="ui">{t('This page')}</option>
              <option value="cli">{t('The terminal')}</option>
            </select>
          </label>
        )}
      </div>
      {runsIn === 'ui' && (
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">{t('First message')}</span>
          <textarea
            // The keyboard of a phone would cover the folders.
            autoFocus={window.matchMedia('(hover: hover)').matches}
            rows={3}
            value={prompt}
            onChange={({ target }) => setPrompt(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            placeholder={t('What should Claude do? (optional)')}
            className="w-full resize-none rounded-lg border border-line bg-paper px-3 py-2 outline-none placeholder:text-faint focus:border-accent"
          />
        </label>
      )}
      {create.isError && <Refusal error={create.error} />}
      <div className="flex justify-end">
        <Button
          look="primary"
          type="submit"
          className="min-h-11 w-full sm:min-h-10 sm:w-auto"
          disabled={workingDir === undefined || create.isPending}
          title={t('Start (Ctrl+Enter)')}
        >
          {t('Start')}
        </Button>
      </div>
    </form>
  );
}
