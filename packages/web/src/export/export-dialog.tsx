// Saves a conversation as Markdown, HTML or JSON, or prints it: all of it, or some of its messages.
import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { personalAddress } from '../client.ts';
import { serverLanguage } from '../i18n/server-text.ts';
import { t } from '../i18n/translate.ts';
import { Button, buttonLook } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, WhichTurns } from './which-turns.tsx';

export function ExportDialog({
  session,
  open,
  onClose,
}: {
  session: string;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('Export')}>
      <ExportForm session={session} />
    </Dialog>
  );
}

const formats = {
  md: () => t('Markdown'),
  html: () => t('Web page'),
  json: () => t('JSON'),
};
type Format = keyof typeof formats;

function ExportForm({ session }: { session: string }) {
  const [format, setFormat] = useState<Format>('md');
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const isEmpty = chosen?.size === 0;
  const address = (wanted: Format, show = false) => {
    const query = new URLSearchParams({
      format: wanted,
      language: serverLanguage(),
      ...(chosen && { turns: [...chosen].join(',') }),
      ...(show && { show: 'true' }),
    });
    return personalAddress(`/api/sessions/${session}/export?${query}`);
  };
  return (
    <div className="grid gap-5">
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-soft text-sm">{t('Format')}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {(Object.keys(formats) as Format[]).map((name) => (
            <Choice key={name} isChosen={format === name} onChoose={() => setFormat(name)}>
              {formats[name]()}
            </Choice>
          ))}
        </div>
      </fieldset>
      <WhichTurns session={session} chosen={chosen} onChange={setChosen} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" disabled={isEmpty} onClick={() => print(address('html', true))}>
          <Printer size={16} aria-hidden />
          {t('Print')}
        </Button>
        {isEmpty ? (
          <Button look="primary" disabled>
            {t('Download')}
          </Button>
        ) : (
          <a href={address(format)} download className={buttonLook('primary')}>
            <Download size={16} aria-hidden />
            {t('Download')}
          </a>
        )}
      </div>
    </div>
  );
}

/** The exported page has no scripts, so this page makes it print. */
function print(address: string): void {
  const page = window.open(address);
  page?.addEventListener('load', () => page.print());
}
