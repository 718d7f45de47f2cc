// Assistants in addition to the built-in ones.
import { say } from '@parley/protocol';
import { z } from 'zod';
import { setting } from '../setting.ts';
import { haveUniqueNames } from './values.ts';

const Reminder = z.strictObject({
  fromMessage: setting(z.int().min(1), {
    meaning: 'The number of the first message that carries the reminder.',
  }),
  text: setting(z.string().min(1), { meaning: 'The reminder.' }),
});

/** The assistants that exist without configuration. */
export const builtInNames: readonly string[] = ['notes', 'kitchen'];

const OwnAssistant = z
  .strictObject({
    name: setting(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a word of a-z, 0-9 and -'), {
      meaning: 'The name that requests use.',
    }),
    extends: setting(z.string().min(1).optional(), {
      meaning:
        'Another assistant that this one adds tools or instructions to: `notes`, `kitchen` or one earlier in the list. Everything else is the same unless it is set here. With the same name, it replaces the other one.',
    }),
    label: setting(z.string().min(1).optional(), {
      meaning: 'The name that people see. Required without `extends`.',
    }),
    systemPrompt: setting(z.string().min(1).optional(), {
      meaning:
        'The instructions for the model. With `extends`, they follow the instructions of the other assistant. Required without `extends`.',
    }),
    tools: setting(z.array(z.string().min(1)).default([]), {
      meaning:
        'The tool sources that the assistant may use, in addition to those of the assistant that it extends.',
    }),
    reminder: setting(Reminder.optional(), {
      meaning:
        'A text that is sent to the model with later messages of a long conversation. People do not see it.',
    }),
  })
  .refine(
    ({ extends: base, label, systemPrompt }) =>
      base !== undefined || (label !== undefined && systemPrompt !== undefined),
    {
      error: 'expected a label and a systemPrompt, or extends',
    },
  );

export const assistants = {
  assistants: setting(z.array(OwnAssistant).refine(haveUniqueNames, 'expected unique names').default([]), {
    meaning:
      'Assistants in addition to the built-in ones. One with the name of a built-in assistant replaces it.',
    hint: 'Each entry has "name", and either "extends" or "label" and "systemPrompt". It can have "tools" and "reminder".',
  }),
  caution: setting(z.enum(['strict', 'normal', 'off']).default('normal'), {
    env: 'PARLEY_CAUTION',
    meaning: say`When an assistant asks first, because a text may have misled it. \`normal\`: after it has read text from strangers (pages, MCP servers, comments), before it overwrites or deletes anything; after it has read that or notes, before it fetches from a host that the person has not named. \`strict\`: before all of these after reading anything. \`off\`: never.`,
    hint: 'Choose strict, normal or off.',
  }),
};
