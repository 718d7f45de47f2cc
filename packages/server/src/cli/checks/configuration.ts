// Is the configuration valid, and are the API keys strong enough?
import { formatProblem } from '../../config/problem.ts';
import { isLoopback } from '../../config/rules.ts';
import { broken, type Check, type Finding, ok, warning } from './check.ts';

export const configuration: Check = {
  name: 'Configuration',
  run: async ({ loaded: { problems, hints, file } }) => {
    if (problems.length === 0) {
      return [
        ok(file ?? 'no file; all settings come from defaults and the environment'),
        ...hints.map((hint) => warning(hint, 'Correct the name, or remove the variable.')),
      ];
    }
    return problems.map((problem): Finding => {
      const [detail = '', mend = ''] = formatProblem(problem).split('\n    ');
      return broken(detail, mend);
    });
  },
};

export const apiKeys: Check = {
  name: 'API keys',
  run: async ({ config }) => {
    const { host, apiKey, apiKeys } = config;
    if (!apiKey && apiKeys.length === 0) return [ok('none configured; one is created on the first start')];
    const short = [apiKey, ...apiKeys.map(({ key }) => key)].some((key) => key && key.reveal().length < 16);
    if (short && !isLoopback(host)) {
      return [warning('a key is short enough to guess', 'Use a long random key: openssl rand -base64 32')];
    }
    return [ok(`${apiKeys.length + (apiKey ? 1 : 0)} configured`)];
  },
};
