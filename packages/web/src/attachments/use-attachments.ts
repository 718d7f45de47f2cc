// The attachments of the message that somebody is writing.
import { type ClipboardEvent, useCallback, useMemo, useState } from 'react';
import { errorText } from '../i18n/error-text.ts';
import { type Attachment, attach as read, within } from './attachment.ts';
import { useStoredAttachments } from './stored-attachments.ts';

export interface Attachments {
  readonly attachments: readonly Attachment[];
  /** Why something couldn't be attached. */
  readonly problem: string | undefined;
  readonly attach: (files: readonly File[]) => void;
  /** Attaches pasted files; pasted text is left to the field. */
  readonly paste: (event: ClipboardEvent) => void;
  readonly detach: (id: string) => void;
  readonly replace: (attachments: readonly Attachment[]) => void;
}

/** They are stored under this name. */
export function useAttachments(name: string): Attachments {
  const [attachments, change] = useStoredAttachments(name);
  const [problem, setProblem] = useState<string>();
  const attach = useCallback(
    (files: readonly File[]) => {
      setProblem(undefined);
      // Read in parallel, but kept in order: people refer to the first one and the last.
      void Promise.allSettled(files.map(read)).then((results) => {
        const fine = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        const refused = results.find((one) => one.status === 'rejected');
        change((before) => {
          const { kept, problem: tooMuch } = within([...before, ...fine]);
          setProblem(refused ? errorText(refused.reason) : tooMuch);
          return kept;
        });
      });
    },
    [change],
  );
  const paste = useCallback(
    (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      attach(files);
    },
    [attach],
  );
  const detach = useCallback(
    (id: string) => {
      setProblem(undefined);
      change((before) => before.filter((one) => one.id !== id));
    },
    [change],
  );
  const replace = useCallback(
    (others: readonly Attachment[]) => {
      setProblem(undefined);
      change((before) => (before.length + others.length === 0 ? before : others));
    },
    [change],
  );
  return useMemo(
    () => ({ attachments, problem, attach, paste, detach, replace }),
    [attachments, problem, attach, paste, detach, replace],
  );
}
