// A text that somebody will use elsewhere, such as a secret or a link, with a button that copies it.
import { t } from '../i18n/translate.ts';
import { CopyButton } from './copy-button.tsx';

export function CopyText({ name, text }: { name: string; text: string }) {
  return (
    <div className="min-w-0">
      <div className="flex min-h-10 items-center justify-between gap-3">
        <h3 className="font-medium text-sm">{name}</h3>
        <CopyButton label={t('Copy: {name}', { name })} text={() => text} />
      </div>
      <pre className="overflow-hidden whitespace-pre-wrap break-all rounded-lg border border-line bg-code p-3 font-mono text-sm">
        {text}
      </pre>
    </div>
  );
}
