// What answers: the Anthropic API and its model.
import { z } from 'zod';
import { Secret } from '../secret.ts';
import { section, setting } from '../setting.ts';

export const models = {
  model: setting(z.string().min(1).default('claude-sonnet-5-5'), {
    env: 'PARLEY_MODEL',
    meaning: 'The model that answers.',
  }),
  models: setting(
    z.array(z.string().min(1).max(100)).default(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5']),
    { meaning: 'The models among which a person may choose for a conversation, beside `model`.' },
  ),
  anthropic: section({
    apiKey: setting(
      z
        .string()
        .min(1)
        .transform((value) => new Secret(value))
        .optional(),
      {
        env: 'ANTHROPIC_API_KEY',
        secret: true,
        meaning: 'The key for the Anthropic API. Without one, Parley runs in demo mode.',
      },
    ),
    baseUrl: setting(
      z.string().refine(isBaseUrl, 'expected an http or https address').default('https://api.anthropic.com'),
      {
        env: 'ANTHROPIC_BASE_URL',
        // An address may carry a name and a password.
        secret: true,
        meaning: 'The address of the Anthropic API, or of a server that speaks like it.',
        hint: 'Give an address such as https://api.anthropic.com, without user name or password in it.',
      },
    ),
  }),
};

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
