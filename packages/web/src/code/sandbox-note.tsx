// Says whether the programs of a folder run in a sandbox, what they can reach, and why there is no sandbox.

import type { SandboxView, WorkFolderList } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { get } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { foldersPath, type WorkPlace } from './work-place.ts';

/** For a folder in which a session is about to start. */
export function FolderSandbox({ place }: { place: WorkPlace }) {
  const { data } = useQuery({
    queryKey: ['work-folders', place],
    queryFn: ({ signal }) => get<WorkFolderList>(foldersPath(place), signal),
    retry: false,
  });
  if (!data?.sandbox) return null;
  const isConfined = data.sandbox.kind !== 'none';
  return (
    <p className={classes('flex items-start gap-2 text-xs', isConfined ? 'text-soft' : 'text-warn')}>
      <Shield sandbox={data.sandbox} />
      <span>{sandboxText(data.sandbox)}</span>
    </p>
  );
}

/** For the header of a session: the sign alone, with the text as its name. */
export function SandboxSign({ sandbox }: { sandbox: SandboxView }) {
  return (
    <span role="img" aria-label={sandboxText(sandbox)} title={sandboxText(sandbox)} className="shrink-0">
      <Shield sandbox={sandbox} />
    </span>
  );
}

function Shield({ sandbox }: { sandbox: SandboxView }) {
  const Icon = sandbox.kind === 'none' ? ShieldOff : ShieldCheck;
  return (
    <Icon size={14} className={classes('shrink-0', sandbox.kind === 'none' && 'text-warn')} aria-hidden />
  );
}

function sandboxText({ kind, reason = 'off', required }: SandboxView): string {
  if (kind !== 'none') {
    return t(
      'Sandboxed: programs see only this folder, your own Claude Code settings and the system. They can still use the network.',
    );
  }
  const why = reasons[reason]();
  return required
    ? t('Sessions in this folder need a sandbox, but none is available. {why}', { why })
    : t('Not sandboxed: programs can read and change whatever the server can. {why}', { why });
}

const reasons: Record<NonNullable<SandboxView['reason']>, () => string> = {
  off: () => t('The sandbox is turned off.'),
  missing: () => t('Bubblewrap is not installed on the server.'),
  forbidden: () => t('The server’s machine doesn’t allow sandboxing.'),
  unsupported: () => t('No sandbox is available for the server’s operating system.'),
};
