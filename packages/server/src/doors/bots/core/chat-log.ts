// Writes log lines about chats: the kind of event, the chat and how long it took, but never the content of a message.
import type { Logger } from '../../../domain/logger.ts';
import { type ChatAddress, chatKey } from './bot.ts';

type ChatEvent = 'inbound' | 'tool_call' | 'tool_result' | 'outbound' | 'error';

export interface ChatLog {
  write(
    event: ChatEvent,
    chat: ChatAddress,
    fields: Readonly<Record<string, unknown>>,
    message: string,
  ): void;
}

export function createChatLog(logger: Logger): ChatLog {
  return {
    write(event, chat, fields, message) {
      const line = { event, channel: chat.channel, conversation: chatKey(chat), ...fields };
      if (event === 'error') logger.warn(line, message);
      else logger.info(line, message);
    },
  };
}
