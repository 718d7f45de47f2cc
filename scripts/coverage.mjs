// `npm run coverage`: how much of the driver its tests reach. Fails below 80 %.
import { bin, ensureInstalled, runAndExit } from './workspace.mjs';

ensureInstalled();
const driver = 'packages/claude-cli';
const least = 80;
runAndExit(bin('vitest'), [
  'run',
  driver,
  '--coverage',
  '--coverage.provider=v8',
  `--coverage.include=${driver}/src/**/*.ts`,
  '--coverage.reporter=text-summary',
  '--coverage.reporter=lcov',
  ...['statements', 'branches', 'functions', 'lines'].map((what) => `--coverage.thresholds.${what}=${least}`),
]);
