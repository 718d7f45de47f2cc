// What a chat shows when the Anthropic API refuses the requests of the real program, which retries for minutes.
import { httpError, overloaded } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { answers, petra, startBot } from './harness.ts';
import { freshWorkplace } from './program.ts';

async function botWith(failure: ReturnType<typeof overloaded>) {
  const place = await freshWorkplace();
  const { workspace, anthropic } = place;
  const failing = anthropic.script(() => true).always(failure);
  const bot = await startBot({ engine: await place.newEngine(), settings: { workspace } });
  return { ...bot, anthropic, failing };
}

describe('a chat whose program cannot reach the model', () => {
  it('learns that the login was refused, and the turn ends [channels.error.upstream]', async () => {
    const { telegram } = await botWith(httpError(401, 'authentication_error', 'invalid x-api-key'));
    telegram.inject({ from: petra, fields: { text: 'hi' } });
    const [answer] = await answers(telegram, 1, petra.id, 60_000);
    expect(answer?.text).toMatch(
      /^Sorry, that did not work\. The Anthropic API does not accept the key or login/,
    );
  });

  it('sees that the model is overloaded while the program tries again [channels.error.upstream]', async () => {
    const { telegram } = await botWith(overloaded());
    telegram.inject({ from: petra, fields: { text: 'hi' } });
    const isShown = () =>
      telegram
        .visible(petra.id)
        .some(({ text }) => /^The service is overloaded\. Trying again \(\d/.test(text));
    await telegram.until(isShown, AbortSignal.timeout(60_000));
    telegram.inject({ from: petra, fields: { text: '/stop' } });
    await telegram.until(
      () => telegram.visible(petra.id).some(({ text }) => text === 'Stopped.'),
      AbortSignal.timeout(60_000),
    );
  }, 150_000);
});
