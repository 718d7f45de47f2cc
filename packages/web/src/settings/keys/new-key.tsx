// The secret of a new key, which the server shows only once, and a command to try it with.
import type { CreatedApiKey } from '@parley/protocol';
import { address } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyText } from '../../ui/copy-text.tsx';

export function NewKey({ made: { key, secret }, onDone }: { made: CreatedApiKey; onDone: () => void }) {
  return (
    <div role="status">
      <Card
        title={t('Your new key “{label}”', { label: key.label })}
        hint={t('Copy it now. Parley keeps only its hash and can’t show it again.')}
        action={<Button onClick={onDone}>{t('I have copied it')}</Button>}
      >
        <div className="grid gap-4">
          <CopyText name={t('Key')} text={secret} />
          <CopyText name={t('Try it')} text={exampleFor(key, secret)} />
        </div>
      </Card>
    </div>
  );
}

/** Asks the notes assistant if the key may do that, otherwise lists what it can read. */
function exampleFor({ assistants, readOnly }: CreatedApiKey['key'], secret: string): string {
  const mayAsk = !readOnly && (assistants?.includes('notes') ?? true);
  const path = mayAsk ? '/api/claude/chat' : '/api/sessions';
  return [
    `curl -s '${address(path)}'`,
    `-H 'X-API-Key: ${secret}'`,
    ...(mayAsk ? [`--json '${JSON.stringify({ message: t('What is on my shopping list?') })}'`] : []),
  ].join(' \\\n  ');
}
