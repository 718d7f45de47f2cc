// Reports a problem: shows exactly what a report contains, to copy or save it. Sends nothing.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { useTheme } from '../app/theme.ts';
import { get } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { Spinner } from '../ui/notes.tsx';
import { showNotice } from '../ui/notice.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { clientErrors } from './client-errors.ts';
import { closeHelp } from './help.ts';
import { browserFacts, reportText } from './report.ts';

const maxWords = 5_000;

export function ReportDialog() {
  const { version, role } = useHere();
  const [path] = useLocation();
  const theme = useTheme();
  const [words, setWords] = useState('');
  const server = useQuery({
    queryKey: ['support'],
    queryFn: ({ signal }) => get<unknown>('/api/support', signal),
    enabled: role === 'owner',
    retry: false,
    staleTime: 0,
  });
  const text = reportText({
    words,
    heading: t('What happened'),
    server: server.data,
    browser: browserFacts(version, path, theme),
    errors: clientErrors(),
  });
  return (
    <Dialog
      open
      onOpenChange={closeHelp}
      wide
      title={t('Report a problem')}
      description={t(
        'This report helps to find the cause. Nothing is sent: read it, copy or save it, and give it to the person who runs your server.',
      )}
    >
      <div className="grid gap-4">
        <TextArea
          label={t('What happened?')}
          hint={t('What you did, what you expected, and what you saw instead.')}
          rows={3}
          // Not on phones, where the keyboard would cover the report.
          autoFocus={window.matchMedia('(hover: hover)').matches}
          maxLength={maxWords}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <section aria-labelledby="report-content" className="grid gap-2">
          <h3 id="report-content" className="font-medium text-sm">
            {t('Full report')}
          </h3>
          <ScrollBox
            label={t('Full report')}
            className="max-h-64 rounded-lg border border-line bg-code p-3 font-mono text-xs"
          >
            <pre className="whitespace-pre-wrap break-words">{text}</pre>
          </ScrollBox>
          {server.isFetching && <Spinner label={t('Contacting the server …')} />}
          {server.isError && (
            <p className="text-faint text-xs">
              {t('The server’s part is missing because the server didn’t answer.')}
            </p>
          )}
          {role !== 'owner' && (
            <p className="text-faint text-xs">
              {t('For owners, the report also includes details about the server.')}
            </p>
          )}
        </section>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => save(text)}>{t('Save as file')}</Button>
          <Button
            look="primary"
            onClick={() => void copyText(text).then((isCopied) => isCopied && showNotice(t('Report copied')))}
          >
            {t('Copy')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function save(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = 'parley-report.txt';
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
