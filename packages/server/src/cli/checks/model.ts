// Does the API accept the key, and does it have the model?
import { isLoopback } from '../../basics/proxy-routes.ts';
import { broken, type Check, type Finding, ok, warning } from './check.ts';

const longestAnswerMs = 5_000;

/** Asks the API for the model by name, which costs nothing and sends nothing but the key. */
export const model: Check = {
  name: 'Model',
  run: async ({ config: { demo, model, anthropic }, loaded: { origins }, outgoing, signal }) => {
    if (demo) {
      return [ok('demo mode: a scripted model answers until ANTHROPIC_API_KEY is set')];
    }
    if (!anthropic.apiKey) {
      // Only the data shows that this isn't the demo, so the server has a key that the doctor doesn't have.
      if (origins.get('demo')?.from === 'default') return [notGiven];
      return [
        warning("no API key: assistants can't answer", 'Set ANTHROPIC_API_KEY, or remove PARLEY_DEMO=0.'),
      ];
    }
    const { protocol, host, hostname } = new URL(anthropic.baseUrl);
    const isHere = isLoopback(hostname);
    if (protocol !== 'https:' && !isHere) {
      return [
        warning(
          `the connection to ${host}, and with it the API key, is not encrypted`,
          'Use an https address.',
        ),
      ];
    }
    const { modelStatus } = await import('../../engines/messages-api/api-client.ts');
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]);
    try {
      const asked = { apiKey: anthropic.apiKey.reveal(), model, outgoing, signal: deadline };
      return [judge(await modelStatus(anthropic.baseUrl, asked), model, host)];
    } catch {
      return [isHere ? nothingHere(host) : unreachable(host)];
    }
  },
};

const notGiven = warning(
  'the API key of the server was not checked, because this command does not have it',
  'Set ANTHROPIC_API_KEY for this command, too. A server that starts without it is a demo.',
);

function judge(status: number, model: string, host: string): Finding {
  if (status === 401 || status === 403) {
    return broken(`${host} does not accept the API key`, 'Set ANTHROPIC_API_KEY to a valid key.');
  }
  if (status === 404) {
    return warning(`${host} does not have the model ${model}`, 'Set PARLEY_MODEL to a model that it has.');
  }
  return status < 400
    ? ok(`${model} at ${host}, which accepts the API key`)
    : warning(`${host} answered with status ${status}`, 'Try again later.');
}

function nothingHere(host: string): Finding {
  return broken(`nothing answers at ${host}`, 'Start the server there, or correct ANTHROPIC_BASE_URL.');
}

function unreachable(host: string): Finding {
  return warning(
    `${host} can't be reached, so the API key was not checked`,
    'Check the network connection, HTTPS_PROXY and ANTHROPIC_BASE_URL.',
  );
}
