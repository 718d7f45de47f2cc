// A process whose app takes as long to close as it is told: until a line on stdin, or for ever.
// Given a second argument, it fails with that text instead.
import { drain, endOnDefect, requestToStop } from '../../../src/cli/stopping.ts';
import { createLogger } from '../../../src/logging/logger.ts';

const [, , graceMs, defect] = process.argv;
const logger = createLogger({ level: 'info', secrets: ['planted-secret'] });
endOnDefect(logger);
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
const asked = requestToStop();
logger.info({}, 'up');
if (defect) {
  setImmediate(() => {
    throw new Error(defect);
  });
}
process.exitCode = await drain(app, { logger, graceMs: Number(graceMs), signal: await asked });
