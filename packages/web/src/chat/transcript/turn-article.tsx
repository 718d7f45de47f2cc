// One turn: what the person said, and all that the assistant said and did about it.
import { ChefHat, ChevronRight, Info, Lightbulb, Pencil, RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { RecipeCard } from '../../recipes/recipe-card.tsx';
import { moment } from '../../ui/amounts.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Refusal, Spinner } from '../../ui/notes.tsx';
import { answerText, type Part, type TurnView } from '../model/conversation.ts';
import { PermissionCard } from './permission-card.tsx';
import { PersonMessage } from './person-message.tsx';
import { ToolActivity } from './tool-activity.tsx';
import { TurnCost } from './turn-cost.tsx';

export interface TurnProps {
  readonly sessionId: string;
  readonly turn: TurnView;
  /** Only the last turn can be sent again. */
  readonly onRetry: (() => void) | undefined;
  readonly onEdit: (() => void) | undefined;
}

export const TurnArticle = memo(function TurnArticle({ sessionId, turn, onRetry, onEdit }: TurnProps) {
  const isRunning = turn.status === 'running';
  const failure = failureOf(turn);
  return (
    <article className="group/turn" aria-busy={isRunning}>
      <PersonMessage
        text={turn.prompt.text}
        images={Array.from(
          { length: turn.prompt.images },
          (_, at) => `/api/sessions/${sessionId}/turns/${turn.id}/images/${at}`,
        )}
        at={turn.startedAt}
      >
        {onEdit && (
          <IconButton label="Edit and send again" className="size-8" onClick={onEdit}>
            <Pencil size={14} aria-hidden />
          </IconButton>
        )}
      </PersonMessage>
      <div className="min-w-0" aria-live={isRunning ? 'polite' : 'off'} aria-atomic="false">
        <h2 className="sr-only">Answer</h2>
        {turn.parts.map((part, at) => (
          <PartView
            key={keyOf(part, at)}
            sessionId={sessionId}
            part={part}
            isLast={isRunning && at === turn.parts.length - 1}
          />
        ))}
        {isRunning && !isBusy(turn.parts.at(-1)) && (
          <div className="mt-2">
            <Spinner label="Thinking …" />
          </div>
        )}
        {failure !== undefined && (
          <div className="mt-3">
            <Refusal error={new Error(failure)} {...(onRetry && { onRetry })} />
          </div>
        )}
        {turn.status === 'interrupted' && failure === undefined && (
          <p className="mt-2 text-faint text-sm">Stopped.</p>
        )}
      </div>
      {!isRunning && (
        <footer className="mt-1 flex min-h-8 items-center gap-1 text-faint text-xs">
          <TurnCost turn={turn} />
          <div
            className={classes(
              'flex transition-opacity focus-within:opacity-100 group-hover/turn:opacity-100 pointer-coarse:opacity-100',
              // Of the last answer they are there without being looked for.
              !onRetry && 'opacity-0',
            )}
          >
            <CopyButton label="Copy the answer" text={() => answerText(turn)} />
            {onRetry && failure === undefined && (
              <IconButton label="Ask again" className="size-8" onClick={onRetry}>
                <RotateCcw size={15} aria-hidden />
              </IconButton>
            )}
          </div>
          {turn.endedAt !== undefined && (
            <time
              dateTime={new Date(turn.endedAt).toISOString()}
              title={new Date(turn.endedAt).toLocaleString()}
              className="ml-auto opacity-0 transition-opacity group-hover/turn:opacity-100"
            >
              {moment(turn.endedAt, new Date())}
            </time>
          )}
        </footer>
      )}
    </article>
  );
});

function PartView({ sessionId, part, isLast }: { sessionId: string; part: Part; isLast: boolean }) {
  switch (part.kind) {
    case 'text':
      return (
        <div className="my-2">
          <Markdown isStreaming={isLast}>{part.text}</Markdown>
        </div>
      );
    case 'thinking':
      return (
        <details className="group/thoughts my-1 text-sm">
          <summary className="-mx-2 inline-flex list-none items-center gap-2 rounded-lg px-2 py-1 text-soft hover:bg-sunken [&::-webkit-details-marker]:hidden">
            <Lightbulb
              size={15}
              className={classes('shrink-0', isLast ? 'animate-pulse text-accent' : 'text-faint')}
              aria-hidden
            />
            {isLast ? 'Thinking …' : 'Thoughts'}
            <ChevronRight
              size={14}
              className="shrink-0 text-faint transition-transform group-open/thoughts:rotate-90"
              aria-hidden
            />
          </summary>
          <p
            dir="auto"
            className="whitespace-pre-wrap break-words border-line mt-1 mb-3 border-s-2 py-1 ps-4 text-soft leading-relaxed"
          >
            {part.text}
          </p>
        </details>
      );
    case 'tool':
      return <ToolActivity part={part} />;
    case 'permission':
      return <PermissionCard sessionId={sessionId} part={part} />;
    case 'recipe':
      return <RecipeCard id={part.id} icon={<ChefHat size={18} aria-hidden />} />;
    case 'notice':
      return (
        <p className="my-2 flex gap-2 text-faint text-sm">
          <Info size={15} className="mt-0.5 shrink-0" aria-hidden />
          {part.message}
        </p>
      );
    default:
      return part satisfies never;
  }
}

/** Whether one can see that something is going on without being told. */
function isBusy(part: Part | undefined): boolean {
  if (part?.kind === 'tool') return part.outcome === 'running';
  if (part?.kind === 'permission') return part.settled === undefined;
  return part?.kind === 'text' || part?.kind === 'thinking';
}

function failureOf({ status, error }: TurnView): string | undefined {
  if (error) return error.message;
  return status === 'failed' ? 'The answer failed. Try again.' : undefined;
}

function keyOf(part: Part, at: number): string {
  return part.kind === 'tool' || part.kind === 'permission' ? part.id : `${part.kind}-${at}`;
}
