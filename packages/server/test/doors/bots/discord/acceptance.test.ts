// The acceptance matrix for Discord: the real client libraries, the real `claude` program, and stand-ins of both services.
import { join } from 'node:path';
import { callTool, lastToolResults, reply, resultText } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { freshWorkplace } from '../telegram/program.ts';
import { answers, petra, startBot } from './harness.ts';

describe('a Discord bot with the real program', () => {
  it('summarizes the workspace from its files, in the same channel [channels.acceptance.discord-summary]', async () => {
    const place = await freshWorkplace();
    place.anthropic.enqueue(
      reply(callTool('Read', { file_path: join(place.workspace, 'README.md') })),
      (request) => reply(`Summary: ${lastToolResults(request.body).map(resultText).join(' ')}`),
    );
    const bot = await startBot({
      folder: place.folder,
      engine: await place.newEngine(),
      settings: { workspace: place.workspace },
    });
    const asked = bot.discord.inject({ author: petra, content: 'Summarize key files in the workspace' });
    const [answer] = await answers(bot.discord, 1, asked.channelId, 60_000);
    expect(answer?.content).toContain('Waters plants by the hour.');
    expect(answer?.replyTo).toBe(asked.id);
    const tools = bot.log.filter(({ fields }) => fields['event'] === 'tool_call');
    expect(tools.map(({ fields }) => fields['tool'])).toEqual(['Read']);
  });
});
