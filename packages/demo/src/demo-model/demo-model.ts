// The demo model: a table of intents. It makes real tool calls, answers from their real results, and says
// that it is scripted.
import type { MessagesBody } from '../anthropic/messages-wire.ts';
import { type MessageReply, type ReplyPart, reply, sayInWords } from '../anthropic/reply.ts';
import type { Intent } from './intent.ts';
import { commandIntents } from './intents/commands.ts';
import { linkedInIntents } from './intents/linkedin.ts';
import { noteQuestionIntents } from './intents/note-questions.ts';
import { noteIntents } from './intents/notes.ts';
import { recipeIntents } from './intents/recipes.ts';
import { attachmentIntents, smallTalkIntents } from './intents/small-talk.ts';
import { webIntents } from './intents/web.ts';
import { togetherIntents } from './intents/working-together.ts';
import { workspaceIntents } from './intents/workspace.ts';
import { bullets, whatIAm } from './phrasing.ts';
import { readScene, type Scene } from './scene.ts';
import { offers } from './tool-calls.ts';

/** The first intent that has its tools and recognizes the request answers, so specific intents come first. */
const intents: readonly Intent[] = [
  ...attachmentIntents,
  ...linkedInIntents,
  ...webIntents,
  ...recipeIntents,
  ...commandIntents,
  ...togetherIntents,
  ...noteIntents,
  ...workspaceIntents,
  ...smallTalkIntents,
  ...noteQuestionIntents,
];

export function demoModel(body: MessagesBody): MessageReply {
  const scene = readScene(body);
  const available = intents.filter((intent) =>
    intent.needs.every((any) => any.some((name) => offers(scene, name))),
  );
  if (/\bwhat can (you|i)\b(?! (cook|make|bake|eat)\b)|^\s*help\b/i.test(scene.said))
    return reply(...explain(available, whatIAm));
  // Parley sends this when a person compacts a session.
  if (scene.said.startsWith('Summarize our conversation so far'))
    return reply(sayInWords(`So far, you asked me:\n\n${bullets(scene.saidBefore.slice(-20))}`));
  for (const intent of available) {
    const parts = intent.next(scene);
    if (parts !== undefined) return reply(...parts);
  }
  return reply(...notUnderstood(scene, available));
}

function notUnderstood(scene: Scene, available: readonly Intent[]): readonly ReplyPart[] {
  // The client itself wrote the message, such as `claude` when a subagent has reported.
  if (scene.said === '') return [sayInWords('Noted.')];
  return explain(available, `I didn't understand that. ${whatIAm}`);
}

function explain(available: readonly Intent[], opening: string): readonly ReplyPart[] {
  return [
    sayInWords(
      `${opening}. Here you can try:\n\n${bullets(available.map((intent) => `“${intent.example}”`))}`,
    ),
  ];
}
