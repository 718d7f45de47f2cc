// Lists what a folder's configuration makes the `claude` program run or apply.
import type { FolderRun, FolderTrustView } from '@parley/protocol';
import { shortPath } from '../conversation/tools/describe-tool.ts';
import { t } from '../i18n/translate.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';

export function FolderRuns({ folder: { path, runs, more } }: { folder: FolderTrustView }) {
  return (
    <ScrollBox
      label={t('What the folder would run')}
      className="max-h-[30vh] rounded-lg border border-line bg-paper"
    >
      <ul className="divide-y divide-line">
        {runs.map((run) => (
          <li key={JSON.stringify(run)} className="grid gap-0.5 px-3 py-2">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{kinds[run.kind]()}</span>
              <span className="break-all">{run.name}</span>
              <span className="break-all text-faint text-xs">{shortPath(run.file, path)}</span>
            </p>
            {run.detail !== '' && <code className="break-all font-mono text-xs">{run.detail}</code>}
          </li>
        ))}
        {more > 0 && <li className="px-3 py-2 text-soft">{t('and {count} more', { count: more })}</li>}
      </ul>
    </ScrollBox>
  );
}

const kinds: Record<FolderRun['kind'], () => string> = {
  hook: () => t('Hook'),
  mcp: () => t('MCP server'),
  env: () => t('Variable'),
  helper: () => t('Helper command'),
  permission: () => t('Permission'),
  plugin: () => t('Plugin'),
  command: () => t('Slash command'),
  skill: () => t('Skill'),
  agent: () => t('Agent'),
  workflow: () => t('Workflow'),
  schedule: () => t('Scheduled prompts'),
  setting: () => t('Setting'),
  unreadable: () => t('Unreadable file'),
};
