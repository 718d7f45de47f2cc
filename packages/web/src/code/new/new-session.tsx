// Begins a session: where, with which model and mode, and with which first words.
import type { CodeSessionView, NewCodeSession } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { send } from '../../api/http.ts';
import { useHere } from '../../app/me.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { headKey, useRecentFolders } from '../list/use-sessions.ts';
import { modes } from '../session/choices.ts';
import { setFirstPrompt } from '../session/first-prompt.ts';
import { knownModels } from '../session/known-models.ts';
import { FolderPicker } from './folder-picker.tsx';

export function NewSession({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={onClose} title="New session" wide>
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
  // What the program takes by default, it takes without being told.
  const choosable = knownModels().filter(({ value }) => value !== 'default');
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
      if (runsIn === 'ui' && prompt.trim() !== '') setFirstPrompt(id, prompt.trim());
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
          <span className="text-soft">Model</span>
          <select value={model} onChange={({ target }) => setModel(target.value)} className={field}>
            <option value="">As configured</option>
            {choosable.map(({ value, displayName }) => (
              <option key={value} value={value}>
                {displayName}
              </option>
            ))}
          </select>
        </label>
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">Permissions</span>
          <select
            value={permissionMode}
            onChange={({ target }) => setPermissionMode(target.value)}
            className={field}
          >
            {modes.map(({ mode, name }) => (
              <option key={mode} value={mode}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {terminal && (
          <label className="col-span-2 grid gap-1.5 text-sm sm:col-span-1">
            <span className="text-soft">Work in</span>
            <select
              value={runsIn}
              onChange={({ target }) => setRunsIn(target.value === 'cli' ? 'cli' : 'ui')}
              className={field}
            >
              <option value="ui">This page</option>
              <option value="cli">The terminal</option>
            </select>
          </label>
        )}
      </div>
      {runsIn === 'ui' && (
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">First prompt</span>
          <textarea
            // A phone's keyboard would cover the folders.
            autoFocus={window.matchMedia('(hover: hover)').matches}
            rows={3}
            value={prompt}
            onChange={({ target }) => setPrompt(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            placeholder="What should Claude do? You may leave it empty."
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
          title="Begin (Ctrl+Enter)"
        >
          Begin
        </Button>
      </div>
    </form>
  );
}
