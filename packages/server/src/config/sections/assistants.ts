// Assistants in addition to the built-in ones.
import { z } from 'zod';
import { setting } from '../setting.ts';
import { haveUniqueNames } from './values.ts';

const Reminder = z.strictObject({
  fromMessage: setting(z.int().min(1), {
    meaning: 'The number of the first message that carries the reminder.',
  }),
  text: setting(z.string().min(1), { meaning: 'The reminder.' }),
});

const AssistantEntry = z.strictObject({
  name: setting(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a word of a-z, 0-9 and -'), {
    meaning: 'The name that requests use.',
  }),
  label: setting(z.string().min(1), { meaning: 'The name that people see.' }),
  systemPrompt: setting(z.string().min(1), { meaning: 'The instructions for the model.' }),
  tools: setting(z.array(z.string().min(1)).default([]), {
    meaning: 'The tool sources that the assistant may use.',
  }),
  reminder: setting(Reminder.optional(), {
    meaning:
      'A text that is sent to the model with later messages of a long conversation. People do not see it.',
  }),
});

export const assistants = {
  assistants: setting(z.array(AssistantEntry).refine(haveUniqueNames, 'expected unique names').default([]), {
    meaning:
      'Assistants in addition to the built-in ones. One with the name of a built-in assistant replaces it.',
    hint: 'Each entry has "name", "label" and "systemPrompt", and can have "tools" and "reminder".',
  }),
};
