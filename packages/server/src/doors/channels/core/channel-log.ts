// The log lines of the channels: what kind of event, in which chat, how long it took. Never what was said.
import type { Logger } from '../../../domain/logger.ts';
import { type ChatAddress, conversationKey } from './channel.ts';

type ChannelEventType = 'inbound' | 'tool_call' | 'tool_result' | 'outbound' | 'error';

export interface ChannelLog {
  write(
    event: ChannelEventType,
    chat: ChatAddress,
    fields: Readonly<Record<string, unknown>>,
    message: string,
  ): void;
}

export function channelLog(logger: Logger): ChannelLog {
  return {
    write(event, chat, fields, message) {
      const line = { event, channel: chat.channel, conversation: conversationKey(chat), ...fields };
      if (event === 'error') logger.warn(line, message);
      else logger.info(line, message);
    },
  };
}
