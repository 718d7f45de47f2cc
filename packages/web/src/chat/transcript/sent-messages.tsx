// Messages that were sent from here and are not part of the conversation yet.
import { Button } from '../../ui/button.tsx';
import { Refusal, Spinner } from '../../ui/notes.tsx';
import type { Outbox, SentMessage } from '../connection/outbox.ts';
import { PersonMessage } from './person-message.tsx';

export function SentMessages({ outbox, messages }: { outbox: Outbox; messages: readonly SentMessage[] }) {
  return messages.map(({ key, text, images, error }) => (
    <article key={key}>
      <PersonMessage text={text} images={images.map(({ url }) => url)} isOnItsWay={error !== undefined} />
      {error ? (
        <div className="grid justify-items-end gap-2">
          <Refusal error={error} onRetry={() => outbox.retry(key)} />
          <Button look="quiet" onClick={() => outbox.discard(key)}>
            Do not send it
          </Button>
        </div>
      ) : (
        <div>
          <Spinner label="Sending …" />
        </div>
      )}
    </article>
  ));
}
