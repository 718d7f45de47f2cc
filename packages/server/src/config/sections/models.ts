// The Anthropic API and its models.
import { say } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';
import { httpAddress, secretText } from './values.ts';

export const models = {
  model: setting(z.string().min(1).default('claude-sonnet-5-5'), {
    env: 'PARLEY_MODEL',
    meaning: say`The model that answers.`,
  }),
  models: setting(
    z.array(z.string().min(1).max(100)).default(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5']),
    { meaning: say`The models that people can choose for a conversation, in addition to \`model\`.` },
  ),
  anthropic: section({
    apiKey: setting(secretText().optional(), {
      env: 'ANTHROPIC_API_KEY',
      secret: true,
      meaning: say`The key for the Anthropic API. Without one, Parley runs in demo mode.`,
    }),
    baseUrl: setting(httpAddress().default('https://api.anthropic.com'), {
      env: 'ANTHROPIC_BASE_URL',
      // An address may carry a name and a password.
      secret: true,
      meaning: 'The address of the Anthropic API, or of a compatible server.',
      hint: 'Use an address such as https://api.anthropic.com, without a user name or password.',
    }),
  }),
};
