// Running a server: what helps when something goes wrong.
import { promisesOf } from './requirement.ts';

export const operations = promisesOf(9, {
  'ops.log-level.now':
    'An owner can change the log level while the server runs, in the app and with `parley log-level`; a restart goes back to the configured one.',
  'ops.log-level.audit': 'The audit log shows every change of the log level.',
  'ops.support.command':
    '`parley support` writes one file with versions, settings, what the doctor says, sizes, recent log lines and metrics, whether or not a server runs.',
  'ops.support.no-secrets':
    'A support report contains no secrets and nothing that people wrote, wherever these are stored.',
  'ops.commands.data':
    'A command uses the data of the running server, even without its API key, and says so when that is the demo’s.',
  'ops.doctor.read-only':
    'The doctor leaves the tables of an older version alone; only a start changes them.',
  'ops.dashboard': 'The dashboard that Parley ships uses only metrics that the server has.',
  'ops.help.served':
    'Every server serves the documentation under `/help`, without a login and without a network.',
  'ops.help.policy':
    'The pages of the documentation have a strict content security policy, and load nothing from elsewhere.',
  'ops.help.links': 'No link in the documentation is dead, not even one to a heading.',
  'ops.help.doctor': 'For each symptom, the documentation quotes what the doctor says.',
  'ops.help.complete': 'The documentation has every document, and every picture is used.',
  'ops.help.video':
    'The documentation shows a short video of the demo, with controls and a description, and the README a short animation.',
  'ops.help.search':
    'The documentation can be searched and used by keyboard, on a phone and in the dark, and is accessible.',
  'ops.help.api': 'The documentation describes every operation of the API on pages of a readable size.',
  'ops.examples': 'The examples for contributors run: a tool, an engine, a door and a chat service.',
});
