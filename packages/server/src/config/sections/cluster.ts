// Several servers on one database: how they reach and recognize each other.
import { setting } from '../setting.ts';
import { httpAddress, secretText } from './values.ts';

export const cluster = {
  serverUrl: setting(httpAddress().optional(), {
    env: 'PARLEY_SERVER_URL',
    meaning:
      'Where the other servers reach this one, such as `http://10.0.0.2:4710`. Without it, this is the only server.',
    hint: 'Use the address of this machine in your own network, not the one that browsers use.',
  }),
  clusterSecret: setting(
    secretText()
      .refine((secret) => secret.reveal().length >= 16, 'expected at least 16 characters')
      .optional(),
    {
      env: 'PARLEY_CLUSTER_SECRET',
      secret: true,
      meaning:
        'The secret by which servers recognize each other. Give all of them the same long random value.',
      hint: 'Generate one, for example with `openssl rand -base64 32`.',
    },
  ),
};
