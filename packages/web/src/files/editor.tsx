// Edits a text file. If somebody else has changed it in the meantime, the person decides whose text stays.
import { ApiError } from '@parley/client';
import type { FilePart } from '@parley/protocol';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote, Spinner } from '../ui/notes.tsx';
import type { FilesOf } from './files-of.ts';
import { useFileChanged } from './use-file.ts';
import { useWholeText } from './use-whole-text.ts';

type TextFile = Extract<FilePart, { kind: 'text' }>;

export function Editor({ place, file, onClose }: { place: FilesOf; file: TextFile; onClose: () => void }) {
  const whole = useWholeText(place, file.path);
  if (whole.isError) {
    return (
      <div className="p-4">
        <ErrorNote error={whole.error} onRetry={() => void whole.refetch()} />
      </div>
    );
  }
  if (!whole.data) {
    return (
      <div className="p-6">
        <Spinner label={t('Opening the file')} />
      </div>
    );
  }
  return (
    <Form
      // A newer version of the file starts a new form.
      key={whole.data.version}
      place={place}
      path={file.path}
      text={whole.data.text}
      version={whole.data.version}
      onReload={() => void whole.refetch()}
      onClose={onClose}
    />
  );
}

function Form({
  place,
  path,
  text,
  version,
  onReload,
  onClose,
}: {
  place: FilesOf;
  path: string;
  text: string;
  version: string;
  onReload: () => void;
  onClose: () => void;
}) {
  const [written, setWritten] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const changed = useFileChanged(place);
  const isChanged = written !== text;
  const save = useMutation({
    mutationFn: async (over: 'the version that was read' | 'whatever is there') => {
      const replaced = over === 'whatever is there' ? (await place.files.read(path)).version : version;
      await place.files.save(path, written, replaced);
    },
    onSuccess: async () => {
      await changed(path);
      onClose();
    },
  });
  const canSave = isChanged && !save.isPending;
  const submit = () => {
    if (canSave) save.mutate('the version that was read');
  };
  const isConflict = save.error instanceof ApiError && save.error.code === 'conflict';
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (!isChanged) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        aria-label={t('File content')}
        spellCheck={false}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 's') {
            event.preventDefault();
            submit();
          }
          // Closing the panel would lose what was written.
          if (event.key === 'Escape' && isChanged) event.preventDefault();
        }}
        className="min-h-0 w-full flex-1 resize-none whitespace-pre bg-code p-4 font-mono text-xs leading-5 outline-offset-[-2px]"
      />
      {save.isError && !isConflict && (
        <div className="p-3">
          <ErrorNote error={save.error} />
        </div>
      )}
      <div className="flex shrink-0 justify-end gap-2 border-line border-t p-2">
        <Button look="quiet" onClick={onClose}>
          {isChanged ? t('Discard') : t('Close')}
        </Button>
        <Button look="primary" type="submit" disabled={!canSave} title={t('Save (Ctrl+S)')}>
          {t('Save')}
        </Button>
      </div>
      <Dialog
        open={isConflict}
        onOpenChange={() => save.reset()}
        title={t('The file has changed')}
        description={t(
          'Somebody else has saved this file since you opened it. Which version do you want to keep?',
        )}
      >
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={() => save.reset()}>
            {t('Keep editing')}
          </Button>
          <Button
            onClick={() => {
              save.reset();
              onReload();
            }}
          >
            {t('Use the other version')}
          </Button>
          <Button look="danger" onClick={() => save.mutate('whatever is there')}>
            {t('Save mine')}
          </Button>
        </div>
      </Dialog>
    </form>
  );
}
