// Installing, updating and backing up.
import { promisesOf } from './requirement.ts';

export const shipping = promisesOf(6, {
  'team.ship.install':
    'One file installs Parley on a machine that has only Node: without arguments it starts the demo, with the app and all tools.',
  'team.ship.small':
    'An installation has fewer than 250 packages and 120 MB without the `claude` program, and runs no install scripts.',
  'team.ship.offline': 'Once downloaded, the same file installs and runs without a network.',
});
