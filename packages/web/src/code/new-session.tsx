// Starts a session: where, with which model and mode, and with which first message.

import type { CodeSessionView, NewCodeSession } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { AttachButton } from '../attachments/attach-button.tsx';
import { AttachedList } from '../attachments/attached-list.tsx';
import { DropZone } from '../attachments/drop-zone.tsx';
import { client, send } from '../client.ts';
import { type Draft, useDraft } from '../conversation/use-draft.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { Select } from '../ui/select.tsx';
import { modes, neverAsk, rememberedModels } from './choices.ts';
import { FolderPicker } from './folder-picker.tsx';
import { headKey, useRecentFolders } from './list/use-sessions.ts';
import { ConfirmNeverAsk } from './mode-menu.tsx';
import { FolderSandbox } from './sandbox-note.tsx';
import type { WorkPlace } from './work-place.ts';

export function NewSession({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('New session')} wide>
      <Form />
    </Dialog>
  );
}

const mostRecent = 4;

const field = 'h-10 bg-paper pl-3 text-sm outline-none focus:border-accent pointer-coarse:h-11';

function Form() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const { terminal, person } = useHere();
  // The program uses its default if no model is named.
  const choosable = rememberedModels().filter(({ value }) => value !== 'default');
  const recent = useRecentFolders(mostRecent);
  const [picked, setPicked] = useState<WorkPlace>();
  const place = picked ?? recent[0];
  const { path: workingDir, machine } = place ?? {};
  const [model, setModel] = useState('');
  const [permissionMode, setPermissionMode] = useState('default');
  const [isConfirming, setConfirming] = useState(false);
  const [runsIn, setRunsIn] = useState<'ui' | 'cli'>('ui');
  const draft = useDraft(`new-session.${person}`);
  const create = useMutation({
    mutationFn: (wanted: NewCodeSession) => send<CodeSessionView>('POST', '/api/claude/sessions', wanted),
    onSuccess: async ({ id }) => {
      if (runsIn === 'ui' && !draft.isEmpty) client.conversation(id).send(draft.take());
      await queries.invalidateQueries({ queryKey: headKey });
      go(runsIn === 'cli' ? `/code/${id}/terminal` : `/code/${id}`, { replace: true });
    },
  });
  useEffect(() => {
    if (workingDir === undefined || runsIn === 'cli') return;
    const config = { ...(model !== '' && { model }), permissionMode };
    // Starts the program while the person is still writing. If that fails, creating the session says why.
    send('POST', '/api/claude/sessions/prepare', { workingDir, machine, config }).catch(() => undefined);
  }, [workingDir, machine, model, permissionMode, runsIn]);
  const start = (folder: string) =>
    create.mutate({
      workingDir: folder,
      ...(machine !== undefined && { machine }),
      mode: runsIn,
      config: { ...(model !== '' && { model }), permissionMode },
    });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (workingDir === undefined) return;
        if (permissionMode === neverAsk) setConfirming(true);
        else start(workingDir);
      }}
    >
      <FolderPicker chosen={place} recent={recent} onChoose={setPicked} />
      {place && <FolderSandbox place={place} />}
      <div className={classes('grid grid-cols-2 gap-4', terminal && 'sm:grid-cols-3')}>
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">{t('Model')}</span>
          <Select
            value={model}
            onChange={({ target }) => setModel(target.value)}
            className={classes(field, 'border-line')}
          >
            <option value="">{t('Default')}</option>
            {choosable.map(({ value, displayName }) => (
              <option key={value} value={value}>
                {displayName}
              </option>
            ))}
          </Select>
        </label>
        <label className="grid gap-1.5 text-sm">
          <span className="text-soft">{t('Permissions')}</span>
          <Select
            value={permissionMode}
            onChange={({ target }) => setPermissionMode(target.value)}
            className={classes(field, permissionMode === neverAsk ? 'border-warn text-warn' : 'border-line')}
          >
            {modes().map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </label>
        {terminal && (
          <label className="col-span-2 grid gap-1.5 text-sm sm:col-span-1">
            <span className="text-soft">{t('Open in')}</span>
            <Select
              value={runsIn}
              onChange={({ target }) => setRunsIn(target.value === 'cli' ? 'cli' : 'ui')}
              className={classes(field, 'border-line')}
            >
              <option value="ui">{t('This page')}</option>
              <option value="cli">{t('The terminal')}</option>
            </Select>
          </label>
        )}
      </div>
      {runsIn === 'ui' && <FirstMessage draft={draft} />}
      <ConfirmNeverAsk
        open={isConfirming}
        folder={workingDir ?? ''}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          if (workingDir !== undefined) start(workingDir);
        }}
      />
      {create.isError && <ErrorNote error={create.error} />}
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

function FirstMessage({ draft }: { draft: Draft }) {
  const id = useId();
  return (
    <div className="grid gap-1.5 text-sm">
      <label htmlFor={id} className="text-soft">
        {t('First message')}
      </label>
      <DropZone onDrop={draft.attach}>
        <div className="rounded-lg border border-line bg-paper focus-within:border-accent">
          <AttachedList attachments={draft.attachments} problem={draft.problem} onRemove={draft.detach} />
          <textarea
            id={id}
            // A phone's keyboard would cover the folders.
            autoFocus={window.matchMedia('(hover: hover)').matches}
            rows={3}
            value={draft.text}
            onChange={({ target }) => draft.write(target.value)}
            onPaste={draft.paste}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            placeholder={t('What should Claude do? (optional)')}
            className="block w-full resize-none bg-transparent px-3 pt-2 outline-none placeholder:text-faint"
          />
          <div className="p-1">
            <AttachButton onFiles={draft.attach} />
          </div>
        </div>
      </DropZone>
    </div>
  );
}
