// Commands through `Bash`: harmless ones only, and one that fails on purpose.
import { sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { fence } from '../phrasing.ts';
import { firstLines, unquote } from '../reading.ts';
import { call, lastCall } from '../tool-calls.ts';

const failingCommand = 'ls /this-folder-does-not-exist';

/** The model is a toy but the shell is real, so anything that isn't clearly harmless is declined. */
const harmless =
  /^(?:echo|date|ls|pwd|whoami|uname|seq|sleep|true|false|touch|mkdir|node --version|git status)(?: [\w ./:,!?'"-]*)?(?:> ?[\w-]+\.\w+)?$/;

const runFailing: Intent = {
  name: 'run a failing command',
  example: 'Run a failing command',
  needs: [['Bash']],
  next(scene) {
    if (!/\brun\b.*\b(failing|broken|wrong)\b|\bcommand that fails\b/i.test(scene.said)) return undefined;
    const ran = lastCall(scene, 'Bash');
    if (ran === undefined)
      return [
        call(scene, 'Bash', { command: failingCommand, description: 'List a folder that does not exist' }),
      ];
    if (!ran.failed)
      return [sayInWords(`That should have failed, but it printed:\n\n${fence(firstLines(ran.result, 10))}`)];
    return [
      sayInWords(
        `The command failed, as expected:\n\n${fence(firstLines(ran.result, 10))}\n\nNothing was changed. Trying again won't help until that folder exists.`,
      ),
    ];
  },
};

const runCommand: Intent = {
  name: 'run a command',
  example: 'Run touch hello.txt',
  needs: [['Bash']],
  next(scene) {
    const asked = /\b(?:run|execute)\b(?: the)?(?: command)?:?\s+(.+)/is.exec(scene.said)?.[1];
    if (asked === undefined) return undefined;
    const command = unquote(asked);
    if (!harmless.test(command)) {
      return [
        sayInWords(
          `I'm a scripted demo model and run only harmless commands such as \`echo\`, \`date\`, \`ls\`, \`touch\` or \`mkdir\`, so I won't run \`${command}\`.`,
        ),
      ];
    }
    const ran = lastCall(scene, 'Bash');
    if (ran === undefined)
      return [call(scene, 'Bash', { command, description: `Run ${command.split(' ')[0]}` })];
    if (ran.failed) return [sayInWords(`\`${command}\` failed:\n\n${fence(firstLines(ran.result, 10))}`)];
    return [sayInWords(`\`${command}\` printed:\n\n${fence(firstLines(ran.result, 30))}`)];
  },
};

export const commandIntents: readonly Intent[] = [runFailing, runCommand];
