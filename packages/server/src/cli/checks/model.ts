// Does the API take the key, and does it have the model?
import { isLoopback } from '../../config/rules.ts';
import { broken, type Check, type Finding, ok, warning } from './check.ts';

const longestAnswerMs = 5_000;

/** Asks the API for the model by name: that costs nothing, and carries nothing but the key. */
export const model: Check = {
  name: 'Model',
  run: async ({ config: { demo, model, anthropic }, signal }) => {
    if (demo) {
      return [ok('demo mode: a scripted stand-in answers, until ANTHROPIC_API_KEY is set')];
    }
    if (!anthropic.apiKey) {
      return [
        warning(
          'no API key: the assistants cannot answer',
          'Set ANTHROPIC_API_KEY, or remove PARLEY_DEMO=0.',
        ),
      ];
    }
    const { protocol, host, hostname } = new URL(anthropic.baseUrl);
    const isHere = isLoopback(hostname.replace(/^\[|\]$/g, ''));
    if (protocol !== 'https:' && !isHere) {
      return [
        warning(`${host} is reached without encryption, the API key included`, 'Use an https address.'),
      ];
    }
    const { modelStatus } = await import('../../engines/messages-api/api-client.ts');
    const soon = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]);
    try {
      const asked = { apiKey: anthropic.apiKey.reveal(), model, signal: soon };
      return [judge(await modelStatus(anthropic.baseUrl, asked), model, host)];
    } catch {
      return [isHere ? nobodyHere(host) : outOfReach(host)];
    }
  },
};

function judge(status: number, model: string, host: string): Finding {
  if (status === 401 || status === 403) {
    return broken(`${host} does not accept the API key`, 'Set ANTHROPIC_API_KEY to a valid key.');
  }
  if (status === 404) {
    return warning(`${host} does not know the model ${model}`, 'Set PARLEY_MODEL to one that it has.');
  }
  return status < 400
    ? ok(`${model} at ${host}, which accepts the API key`)
    : warning(`${host} answered with status ${status}`, 'Try again in a while.');
}

function nobodyHere(host: string): Finding {
  return broken(`nobody answers at ${host}`, 'Start the server there, or correct ANTHROPIC_BASE_URL.');
}

function outOfReach(host: string): Finding {
  return warning(
    `${host} cannot be reached, so the API key was not tried`,
    'Check that this machine is on the net, and ANTHROPIC_BASE_URL.',
  );
}
