// What all questions of the program have in common: the frame, the reason for a refusal, the keys.
import type { CodeClientMessage, ControlRequestData } from '@parley/protocol';
import { ShieldQuestionMark } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Shortcut } from '../../app/shortcuts.ts';
import { Button } from '../../ui/button.tsx';

export type Answer = (message: CodeClientMessage) => void;

export interface CardProps {
  readonly request: ControlRequestData;
  readonly workingDir: string | undefined;
  /** How many wait, this one included. */
  readonly waiting: number;
  readonly onAnswer: Answer;
}

export function CardFrame({
  title,
  words,
  waiting,
  children,
}: {
  title: string;
  words?: string | undefined;
  waiting: number;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="@container grid max-h-[55vh] gap-3 overflow-y-auto rounded-card border-2 border-accent/50 bg-raised p-4 shadow-lg"
    >
      <div className="flex items-start gap-2.5">
        <ShieldQuestionMark size={19} className="mt-0.5 shrink-0 text-accent" aria-hidden />
        <div className="min-w-0 flex-1">
          <h2 className="break-words font-semibold">{title}</h2>
          <span role="alert" className="sr-only">
            Claude waits for you: {title}
          </span>
          {words !== undefined && <p className="break-words text-soft text-sm">{words}</p>}
        </div>
        {waiting > 1 && <span className="shrink-0 text-faint text-xs">1 of {waiting}</span>}
      </div>
      {children}
    </section>
  );
}

/** Buttons side by side where the card is wide, else two in a row: a card stands beside a list, too. */
export const answerRow = 'grid grid-cols-2 gap-2 @md:flex';

export function DenyForm({ onDeny, onBack }: { onDeny: (reason: string) => void; onBack: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <form
      className={answerRow}
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
    >
      <input
        // The person asked for this field by the key or the button just before.
        autoFocus
        aria-label="Why not (the model reads this)"
        placeholder="Why not? The model reads this. You may leave it empty."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onBack();
        }}
        className="col-span-2 h-10 min-w-0 flex-1 rounded-lg border border-line bg-paper px-3 text-sm outline-none placeholder:text-faint focus:border-accent"
      />
      <Button look="danger" type="submit" className="min-h-11 @md:min-h-10">
        Deny
      </Button>
      <Button look="plain" className="min-h-11 @md:min-h-10" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}

/** The key of an answer. Whoever is writing needs Alt with it. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="hidden rounded border border-current/30 px-1 font-mono text-[0.7rem] @md:inline">
      <span className="hidden [body:has(:is(input,textarea):focus)_&]:inline">Alt+</span>
      {children}
    </kbd>
  );
}

/** The same by a letter alone, and with Alt while writing. */
export function answerKeys(letter: string, does: string, run: () => void): readonly Shortcut[] {
  return [
    { keys: letter, does, run },
    { keys: `Alt+${letter}`, does: `${does}, while writing`, run, inFields: true },
  ];
}
