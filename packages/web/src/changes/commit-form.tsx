// Commits the ticked files. Suggests a message based on the last prompt.
import type { ChangedFile } from '@parley/protocol';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/notes.tsx';

export function CommitForm({
  files,
  suggestion,
  isPending,
  error,
  onCommit,
}: {
  files: readonly ChangedFile[];
  suggestion: string;
  isPending: boolean;
  error: unknown;
  onCommit: (message: string) => Promise<unknown>;
}) {
  /** Undefined until somebody edits the suggestion. */
  const [written, setWritten] = useState<string>();
  const message = written ?? suggestion;
  const count = files.filter(({ staged }) => staged !== 'no').length;
  const commit = () => {
    if (count === 0 || message.trim() === '' || isPending) return;
    onCommit(message).then(
      () => setWritten(undefined),
      () => undefined,
    );
  };
  return (
    <form
      className="grid shrink-0 gap-2 border-line border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      {error !== null && error !== undefined && <ErrorNote error={error} />}
      <textarea
        aria-label={t('Commit message')}
        placeholder={t('Commit message')}
        rows={2}
        value={message}
        onChange={({ target }) => setWritten(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) commit();
        }}
        className="w-full resize-y rounded-lg border border-line bg-paper px-3 py-2 text-base text-ink placeholder:text-faint sm:text-sm"
      />
      <Button look="primary" type="submit" disabled={count === 0 || message.trim() === '' || isPending}>
        {t('{count, plural, =0 {Select files to commit} one {Commit # file} other {Commit # files}}', {
          count,
        })}
      </Button>
    </form>
  );
}
