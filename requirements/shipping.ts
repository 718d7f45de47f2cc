// Installing, updating and backing up.
import { promisesOf } from './requirement.ts';

export const shipping = promisesOf(6, {
  'team.ship.install':
    'One file installs Parley on a machine that has only Node: without arguments it starts the demo, with the app and all tools.',
  'team.ship.small':
    'An installation has fewer than 250 packages and 120 MB without the `claude` program, and runs no install scripts.',
  'team.ship.offline': 'Once downloaded, the same file installs and runs without a network.',
  'team.ship.backup': 'A backup has every row and every file of a home, and a restore brings them back.',
  'team.ship.running': '`parley backup` works while the server runs.',
  'team.ship.restore':
    'A restore replaces existing data only on request, and then keeps the old data in a separate folder.',
  'team.ship.restore-running':
    '`parley restore` works while the server runs: it restarts with the data of the backup.',
  'team.ship.restore-crash': 'A restore that a crash stops while files move is finished at the next start.',
  'team.ship.verify': 'A backup that is incomplete, damaged or forged is refused before anything changes.',
  'team.ship.migrations': 'A database of every earlier version opens with everything that was in it.',
  'team.ship.any-input':
    'Whatever the `claude` program, the model, a stream or a request contains, Parley reads it or refuses it, with a bounded amount of work.',
  'team.ship.soak':
    'A server that is used through every door at once, with faults, keeps answering and leaves no process behind.',
  'team.ship.copies': 'Before its tables change, the database is copied; the last three copies are kept.',
});
