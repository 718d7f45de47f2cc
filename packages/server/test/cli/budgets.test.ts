// What was spent before a server was killed.
import type { BudgetOverview } from '@parley/protocol';
import { callTool, createGate, noFallback, reply, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

const key = 'a-key-for-this-test';

it('is still known after a kill in the middle of a turn [team.budgets.crash]', {
  timeout: 120_000,
}, async () => {
  const model = await startAnthropicStandIn({ fallback: noFallback });
  onTestFinished(() => model.close());
  const { serve } = freshPlace(parley);
  const env = {
    PARLEY_API_KEY: key,
    PARLEY_PEOPLE: 'ada',
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: model.url,
  };
  const call = (url: string, path: string, method = 'GET', body?: object) =>
    fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const { url, program } = await serve([], env);
  await call(url, '/api/budgets', 'PUT', { scope: 'everybody', period: 'day', unit: 'tokens', limit: 1e6 });

  model.enqueue(reply(callTool('no_such_tool', {})), reply(wait(createGate().opened), 'Never read.'));
  const lost = call(url, '/api/claude/chat', 'POST', { message: 'Hello' }).catch(() => undefined);
  await vi.waitUntil(() => model.requests.length === 2, { timeout: 60_000, interval: 20 });
  await program.stop('SIGKILL');
  await lost;

  const again = await serve([], env);
  const { budgets } = (await (await call(again.url, '/api/budgets')).json()) as BudgetOverview;
  expect(budgets).toMatchObject([{ scope: 'everybody', limit: 1e6, reserved: 0 }]);
  expect(budgets[0]?.spent).toBeGreaterThan(0);
});
