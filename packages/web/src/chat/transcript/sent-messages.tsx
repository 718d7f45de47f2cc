// Messages that were sent from here and are not part of the conversation yet.
import { CloudOff } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Refusal, Spinner } from '../../ui/notes.tsx';
import type { Outbox, SentMessage } from '../connection/outbox.ts';
import { PersonMessage } from './person-message.tsx';

export function SentMessages({ outbox, messages }: { outbox: Outbox; messages: readonly SentMessage[] }) {
  return messages.map((message) => (
    <article key={message.key}>
      <PersonMessage
        text={message.text}
        images={message.images.map(({ url }) => url)}
        isOnItsWay={message.error !== undefined}
      />
      <Delivery outbox={outbox} message={message} />
    </article>
  ));
}

function Delivery({ outbox, message: { key, error } }: { outbox: Outbox; message: SentMessage }) {
  if (!error) return <Spinner label="Sending …" />;
  const discard = (
    <Button look="quiet" onClick={() => outbox.discard(key)}>
      Do not send it
    </Button>
  );
  // It goes by itself when the connection is back: nothing is wrong with it.
  if (error.code === 'offline') {
    return (
      <div className="flex flex-wrap items-center justify-end gap-x-2 text-soft text-sm">
        <p role="status" className="flex items-center gap-2">
          <CloudOff size={15} aria-hidden />
          Waits for the connection.
        </p>
        <Button look="quiet" onClick={() => outbox.retry(key)}>
          Try now
        </Button>
        {discard}
      </div>
    );
  }
  return (
    <div className="grid justify-items-end gap-2">
      <Refusal error={error} onRetry={() => outbox.retry(key)} />
      {discard}
    </div>
  );
}
