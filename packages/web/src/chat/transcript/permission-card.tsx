// A tool waits until somebody decides: what exactly it wants, and the answers there are.
import { useMutation } from '@tanstack/react-query';
import { ShieldCheck, ShieldQuestionMark, ShieldX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { type Answer, decide } from '../connection/actions.ts';
import type { PermissionPart } from '../model/conversation.ts';
import { toolWords } from '../model/tool-words.ts';

export function PermissionCard({ sessionId, part }: { sessionId: string; part: PermissionPart }) {
  return part.settled ? (
    <Settled part={part} settled={part.settled} />
  ) : (
    <Open sessionId={sessionId} part={part} />
  );
}

function Open({ sessionId, part }: { sessionId: string; part: PermissionPart }) {
  const [reason, setReason] = useState<string>();
  const answer = useMutation({ mutationFn: (choice: Answer) => decide(sessionId, part.id, choice) });
  const { request } = part;
  const deny = () =>
    answer.mutate({
      behavior: 'deny',
      ...(reason !== undefined && reason.trim() !== '' && { message: reason }),
    });
  return (
    <section
      aria-label={`Permission for ${request.tool}`}
      className="my-3 rounded-card border border-warn/40 bg-warn-wash p-4"
    >
      <h3 className="flex items-center gap-2 font-semibold text-sm text-warn">
        <ShieldQuestionMark size={17} aria-hidden />
        {request.description ?? `${toolWords(request.tool, request.input).doing}: is that all right?`}
      </h3>
      <pre
        tabIndex={0}
        className="my-3 max-h-56 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-raised p-3 font-mono text-xs leading-relaxed"
      >
        {`${request.tool} ${JSON.stringify(request.input, null, 2) ?? ''}`}
      </pre>
      {reason !== undefined && (
        <label className="mb-3 grid gap-1.5 text-sm">
          Why not? The assistant is told.
          <input
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && deny()}
            className="h-10 rounded-lg border border-edge bg-raised px-3 text-base sm:text-sm"
          />
        </label>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          disabled={answer.isPending}
          onClick={() => answer.mutate({ behavior: 'allow', scope: 'once' })}
        >
          Allow once
        </Button>
        <Button
          disabled={answer.isPending}
          onClick={() => answer.mutate({ behavior: 'allow', scope: 'session' })}
        >
          Allow in this conversation
        </Button>
        <Button
          look="danger"
          disabled={answer.isPending}
          onClick={() => (reason === undefined ? setReason('') : deny())}
        >
          {reason === undefined ? 'Deny …' : 'Deny'}
        </Button>
      </div>
      {answer.isError && (
        <div className="mt-3">
          <Refusal error={answer.error} />
        </div>
      )}
    </section>
  );
}

function Settled({
  part,
  settled,
}: {
  part: PermissionPart;
  settled: NonNullable<PermissionPart['settled']>;
}) {
  const isAllowed = settled.behavior === 'allow';
  const Icon = isAllowed ? ShieldCheck : ShieldX;
  return (
    <p className="my-1 flex items-center gap-2 text-faint text-sm">
      <Icon size={15} className={isAllowed ? 'text-good' : 'text-danger'} aria-hidden />
      {words(part.request.tool, settled)}
    </p>
  );
}

function words(tool: string, { behavior, reason }: NonNullable<PermissionPart['settled']>): string {
  switch (reason) {
    case 'decided':
      return behavior === 'allow' ? `You allowed ${tool}.` : `You denied ${tool}.`;
    case 'allowed-for-session':
      return `${tool} is allowed in this conversation.`;
    case 'cancelled':
      return `${tool} was cancelled before anybody decided.`;
    case 'turn-ended':
      return `The answer ended before anybody decided on ${tool}.`;
    default:
      return reason satisfies never;
  }
}
