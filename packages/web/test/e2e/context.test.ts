// Context and cost: what fills the context, what the tokens cost, compacting, and the warning before it is full.
import { reply } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { answered, conversation, say } from './chat-page.ts';
import { fillInSession, hear } from './code-pages.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley();

describe.each([
  ['desktop', {}],
  ['phone', { viewport: phone, hasTouch: true, isMobile: true }],
])('context and cost on a %s', { timeout }, (_, size) => {
  it('are explained in a chat, which can be compacted [app.context.parts] [app.context.compact]', async () => {
    const page = await parley.visit(size);
    await say(page, 'Hello');
    await hear(page, /scripted/);
    await answered(page);
    await page.getByRole('button', { name: /^Context and cost/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Context and cost' });
    await dialog.getByText('Instructions').waitFor();
    await dialog.getByText('Output ·').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Compact' }).click();
    await conversation(page).getByText('So far, you asked me').waitFor();
    await conversation(page).getByText('From here on, the model gets this summary').waitFor();
    await conversation(page).getByText('Hello', { exact: true }).first().waitFor();
  });

  it('are explained in a session of Claude Code [app.context.parts]', async () => {
    const page = await parley.visit({ path: '/code/new', ...size });
    await fillInSession(page, 'Hello');
    await hear(page, /scripted demo model/);
    await answered(page);
    await page.getByRole('button', { name: /^Context and cost/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Context and cost' });
    await dialog.getByText('Messages', { exact: true }).waitFor();
    await expectAccessible(page);
  });
});

describe('a context that is nearly full', { timeout }, () => {
  const scripted = runningParley({
    scripted: true,
    config: { limits: { contextTokens: 10_000, outputTokens: 300 } },
  });

  it('is announced, with a way to compact it [app.context.warning]', async () => {
    const page = await scripted.visit();
    scripted.model.enqueue(reply('Read.'), reply('It was about words.'), reply('Hi.'));
    await say(page, 'word '.repeat(6_000));
    await hear(page, 'Read.');
    const warning = page.getByRole('status').filter({ hasText: 'The context is' });
    await warning.waitFor();
    await expectAccessible(page);
    await warning.getByRole('button', { name: 'Compact' }).click();
    await hear(page, 'It was about words.');
    await answered(page);
    await expect.poll(() => warning.count()).toBe(0);
  });
});
