// The demo model with a shell, as in `claude`.
import { expect, it } from 'vitest';
import { DemoConversation } from './demo-conversation.ts';

it("doesn't repeat the reminders that the program appends to the output of a command", () => {
  const reminder = '<system-reminder>\nConsider the task tools.\n</system-reminder>';
  const run = () => `README.md\n${reminder}\n${reminder}`;
  const conversation = new DemoConversation({ Bash: { properties: { command: { type: 'string' } }, run } });
  const { calls, text } = conversation.say('Run the command ls');
  expect(calls).toEqual([{ name: 'Bash', input: { command: 'ls' } }]);
  expect(text).toContain('README.md');
  expect(text).not.toContain('reminder');
});
