// A process whose app closes when a line arrives on stdin. Arguments: the grace period, how long repeated signals
// count as one, and optionally the text of an error to throw.
import { drain, exitOnUncaughtError, requestToStop } from '../../../src/cli/stopping.ts';
import { createLogger } from '../../../src/logging/logger.ts';

const [, , graceMs, sameRequestMs, defect] = process.argv;
const logger = createLogger({ level: 'info', secrets: ['planted-secret'] });
exitOnUncaughtError(logger);
const keepAlive = setInterval(() => {}, 60_000);
const app = {
  close: () =>
    new Promise<void>((resolve, reject) => {
      process.stdin.once('data', (line) => {
        clearInterval(keepAlive);
        process.stdin.destroy();
        if (String(line).startsWith('fail')) reject(new Error('could not close'));
        else resolve();
      });
    }),
};
const asked = requestToStop(Number(sameRequestMs));
logger.info({}, 'up');
if (defect) {
  setImmediate(() => {
    throw new Error(defect);
  });
}
process.exitCode = await drain(app, { logger, graceMs: Number(graceMs), signal: await asked });
