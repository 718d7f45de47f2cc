// Is the configuration valid, and is everything used that people have set in the app?
import { type Sentence, say } from '@parley/protocol';
import { formatProblem, type Problem } from '../../config/problem.ts';
import { broken, type Check, type Finding, ok, type QuickCheck, warning } from './check.ts';

export const configuration: Check = {
  name: 'Configuration',
  run: async ({ loaded: { problems, hints, file } }) => {
    if (problems.length > 0) return problems.map(finding);
    return [
      ok(file ?? 'no file; all settings come from defaults, the app and the environment'),
      ...hints.map((hint) => warning(hint, 'Correct the name, or remove the variable.')),
    ];
  },
};

export const appSettings: QuickCheck = {
  name: say`App settings`,
  run: async ({ loaded: { ignored, stored } }) => {
    if (ignored.length > 0) return ignored.map(notUsed);
    const count = Object.keys(stored.settings).length;
    return [ok(count === 0 ? say`none` : say`${count} in use`)];
  },
};

function finding(problem: Problem): Finding {
  const [detail = '', fix = ''] = formatProblem(problem).split('\n    ');
  return broken(detail, fix);
}

function notUsed({ key, message, hint }: Problem): Finding<Sentence> {
  return warning(say`not used: ${key}: ${message}`, say`${hint}`);
}
