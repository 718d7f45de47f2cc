// The words that an export adds to what was said, in each language.
import { z } from 'zod';

export const ExportLanguage = z.enum(['en', 'de']);
export type ExportLanguage = z.infer<typeof ExportLanguage>;

export interface ExportWords {
  readonly language: ExportLanguage;
  readonly you: string;
  readonly tool: string;
  readonly result: string;
  readonly failed: string;
  readonly picture: string;
  readonly file: string;
  readonly cut: string;
  /** Replaces the title if strangers see only a part. */
  readonly excerpt: string;
  /** Comes before the date. */
  readonly exported: string;
}

export const exportWords: Readonly<Record<ExportLanguage, ExportWords>> = {
  en: {
    language: 'en',
    you: 'You',
    tool: 'Tool',
    result: 'Result',
    failed: 'failed',
    picture: 'Picture',
    file: 'File',
    cut: 'The rest is left out.',
    excerpt: 'Part of a conversation',
    exported: 'Exported from Parley on',
  },
  de: {
    language: 'de',
    you: 'Du',
    tool: 'Werkzeug',
    result: 'Ergebnis',
    failed: 'fehlgeschlagen',
    picture: 'Bild',
    file: 'Datei',
    cut: 'Der Rest ist weggelassen.',
    excerpt: 'Teil einer Unterhaltung',
    exported: 'Exportiert aus Parley am',
  },
};
