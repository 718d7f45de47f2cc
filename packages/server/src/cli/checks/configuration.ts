// Is the configuration right, and does something answer?
import { formatProblem } from '../../config/problem.ts';
import { isLoopback } from '../../config/rules.ts';
import { broken, type Check, type Finding, ok, warning } from './check.ts';

export const configuration: Check = {
  name: 'Configuration',
  run: async ({ loaded: { problems, hints, file } }) => {
    if (problems.length === 0) {
      return [
        ok(file ?? 'no file, all settings from defaults and the environment'),
        ...hints.map((hint) => warning(hint, 'Correct its name, or remove it.')),
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
    if (!apiKey && apiKeys.length === 0) return [ok('none configured, one is made at the first start')];
    const short = [apiKey, ...apiKeys.map(({ key }) => key)].some((key) => key && key.reveal().length < 16);
    if (short && !isLoopback(host)) {
      return [
        warning('a key is short enough to be guessed', 'Use a long random one: openssl rand -base64 32'),
      ];
    }
    return [ok(`${apiKeys.length + (apiKey ? 1 : 0)} configured`)];
  },
};
