// Assistants beside the built-in ones.
import { z } from 'zod';
import { setting } from '../setting.ts';

const Reminder = z.strictObject({
  fromMessage: setting(z.int().min(1), { meaning: 'The first message of a conversation that carries it.' }),
  text: setting(z.string().min(1), { meaning: 'What the model is reminded of.' }),
});

const AssistantEntry = z.strictObject({
  name: setting(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a word of a-z, 0-9 and -'), {
    meaning: 'Its name in requests.',
  }),
  label: setting(z.string().min(1), { meaning: 'How it is called on a page.' }),
  systemPrompt: setting(z.string().min(1), { meaning: 'What the model is told about its task.' }),
  tools: setting(z.array(z.string().min(1)).default([]), { meaning: 'The tool sources that it may use.' }),
  reminder: setting(Reminder.optional(), {
    meaning: 'A text that goes to the model, unseen by people, with later messages of a long conversation.',
  }),
});

export const assistants = {
  assistants: setting(
    z
      .array(AssistantEntry)
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'expected each name once')
      .default([]),
    {
      meaning: 'Assistants besides the built-in ones; the name of a built-in one replaces it.',
      hint: 'Each entry has "name", "label" and "systemPrompt", and may have "tools" and "reminder".',
    },
  ),
};
