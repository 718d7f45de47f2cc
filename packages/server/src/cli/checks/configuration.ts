// Is the configuration valid, and is everything used that people have set in the app?
import { formatProblem, type Problem } from '../../config/problem.ts';
import { broken, type Check, type Finding, ok, type QuickCheck, warning } from './check.ts';

export const configuration: Check = {
  name: 'Configuration',
  run: async ({ loaded: { problems, hints, file } }) => {
    if (problems.length > 0) return problems.map((problem) => finding(problem, broken));
    return [
      ok(file ?? 'no file; all settings come from defaults, the app and the environment'),
      ...hints.map((hint) => warning(hint, 'Correct the name, or remove the variable.')),
    ];
  },
};

export const appSettings: QuickCheck = {
  name: 'App settings',
  run: async ({ loaded: { ignored, stored } }) => {
    if (ignored.length > 0) return ignored.map((problem) => finding(problem, notUsed));
    const count = Object.keys(stored.settings).length;
    return [ok(count === 0 ? 'none' : `${count} in use`)];
  },
};

function finding(problem: Problem, kind: typeof broken): Finding {
  const [detail = '', fix = ''] = formatProblem(problem).split('\n    ');
  return kind(detail, fix);
}

function notUsed(detail: string, fix: string): Finding {
  return warning(`not used: ${detail}`, fix);
}
