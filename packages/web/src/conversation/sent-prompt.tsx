// A message that was sent from here and is not part of the conversation yet.

import type { SentPrompt } from '@parley/client';
import { CloudOff } from 'lucide-react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Refusal, Spinner } from '../ui/notes.tsx';
import { useOpenConversation } from './context.ts';
import { PromptBubble } from './items/prompt.tsx';
import { dataUrl } from './sent-pictures.ts';

export function SentPromptView({ prompt }: { prompt: SentPrompt }) {
  return (
    <div className="flex flex-col items-end gap-1.5 pt-3">
      <PromptBubble text={prompt.text} pictures={prompt.images.map(dataUrl)} isFaint />
      <Delivery prompt={prompt} />
    </div>
  );
}

function Delivery({ prompt: { key, error } }: { prompt: SentPrompt }) {
  const { conversation } = useOpenConversation();
  if (!error) return <Spinner label={t('Sending …')} />;
  const discard = (
    <Button look="quiet" onClick={() => void conversation.discard(key)}>
      {t('Discard')}
    </Button>
  );
  // It goes out when the connection is back: nothing is wrong with it.
  if (error.code === 'offline') {
    return (
      <div className="flex flex-wrap items-center justify-end gap-x-2 text-soft text-sm">
        <p role="status" className="flex items-center gap-2">
          <CloudOff size={15} aria-hidden />
          {t('Waiting for the connection')}
        </p>
        <Button look="quiet" onClick={() => conversation.retry(key)}>
          {t('Try now')}
        </Button>
        {discard}
      </div>
    );
  }
  return (
    <div className="grid justify-items-end gap-2">
      <Refusal error={error} onRetry={() => conversation.retry(key)} />
      {discard}
    </div>
  );
}
