// Asks before files go back to the state before a message, and says which files.
import type { PromptItem } from '@parley/client';
import type { Rewind } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { createContext, type ReactNode, use, useState } from 'react';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { useConversationControls } from '../context.ts';

const AskRewind = createContext<(prompt: PromptItem) => void>(() => undefined);

/** One dialog for all messages. */
export function RewindFiles({ session, children }: { session: string; children: ReactNode }) {
  const queries = useQueryClient();
  const [prompt, setPrompt] = useState<PromptItem>();
  const before = prompt?.promptId;
  const rewind = (dryRun: boolean) =>
    send<Rewind>('POST', `/api/claude/sessions/${session}/rewind`, { before, dryRun });
  const preview = useQuery({
    queryKey: ['rewind', session, before],
    queryFn: () => rewind(true),
    enabled: before !== undefined,
    retry: false,
    gcTime: 0,
  });
  return (
    <AskRewind value={setPrompt}>
      {children}
      <ConfirmDialog
        open={prompt !== undefined}
        onClose={() => setPrompt(undefined)}
        title={t('Rewind files?')}
        warning={previewText(preview.data, preview.isError)}
        action={t('Rewind')}
        disabled={!preview.data?.possible || preview.data.files.length === 0}
        run={() => rewind(false)}
        onDone={() => void queries.invalidateQueries({ queryKey: ['changes', session] })}
      />
    </AskRewind>
  );
}

export function RewindItem({ prompt }: { prompt: PromptItem }) {
  const ask = use(AskRewind);
  const { kind } = useConversationControls();
  if (!kind.changesFiles) return null;
  return (
    <MenuItem onSelect={() => ask(prompt)}>
      <History size={15} aria-hidden />
      {t('Rewind files to here …')}
    </MenuItem>
  );
}

const maxNamed = 5;

function previewText(rewind: Rewind | undefined, isError: boolean): string {
  if (isError) return t('Claude Code can’t tell which files would change.');
  if (!rewind) return t('Checking which files would change …');
  if (!rewind.possible) return t('Claude Code has no record of the files from that time.');
  const { files } = rewind;
  if (files.length === 0)
    return t('The files that Claude’s tools wrote haven’t changed since then. There is nothing to rewind.');
  const names = files
    .slice(0, maxNamed)
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .join(', ');
  return t(
    '{count, plural, one {# file} other {# files}} will be restored to the state before this message: {names}. Changes made by commands will stay. This can’t be undone.',
    { count: files.length, names },
  );
}
