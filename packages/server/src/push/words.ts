// The words of notifications, in the language of the device.
import type { PushLanguage } from '@parley/protocol';

interface PushWords {
  readonly needsYou: (tool: string) => string;
  readonly done: string;
  readonly failed: string;
  readonly mention: (name: string) => string;
  readonly untitled: string;
  readonly allow: string;
  readonly deny: string;
  readonly late: string;
}

export const pushWords: Readonly<Record<PushLanguage, PushWords>> = {
  en: {
    needsYou: (tool) => `${tool} needs your permission`,
    done: 'Done',
    failed: 'Failed',
    mention: (name) => `${name} mentioned you`,
    untitled: 'Untitled conversation',
    allow: 'Allow',
    deny: 'Deny',
    late: 'This was already decided.',
  },
  de: {
    needsYou: (tool) => `${tool} braucht deine Erlaubnis`,
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    mention: (name) => `${name} hat dich erwähnt`,
    untitled: 'Unterhaltung ohne Titel',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    late: 'Darüber wurde schon entschieden.',
  },
};
