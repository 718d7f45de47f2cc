// The parts that the stand-ins build on: the demo model, and each loopback service with its wire format.
export type { ApiOptions, ApiRequest, RequestKind } from './anthropic/api.ts';
export type {
  ErrorType,
  MessagesBody,
  StopReason,
  ToolResultBlock,
  Usage,
  WireMessage,
  WireTool,
} from './anthropic/messages-wire.ts';
export { errorBody } from './anthropic/play-reply.ts';
export {
  type Connection,
  callTool,
  type ErrorReply,
  httpError,
  type MessageReply,
  type Pace,
  type Reply,
  type ReplyOptions,
  type ReplyPart,
  reply,
  say,
  sayInWords,
  type WireBlock,
} from './anthropic/reply.ts';
export { blocksOf, lastUserText, resultText, systemText } from './anthropic/request-reading.ts';
export { startAnthropicService } from './anthropic/service.ts';
export { encodeEvent } from './anthropic/stream-plan.ts';
export { demoModel } from './demo-model/demo-model.ts';
export type { DiscordMessage } from './discord/channels.ts';
export { type DiscordCall, type DiscordRoute } from './discord/rest-api.ts';
export { type DiscordService, type InjectedDiscordMessage, startDiscordService } from './discord/service.ts';
export {
  type DiscordAttachment,
  type DiscordChannel,
  DiscordRefusal,
  type DiscordUser,
} from './discord/wire.ts';
export type { FeedComment, Post as LinkedInPost } from './linkedin/feed.ts';
export {
  type LinkedInRefusal,
  type LinkedInRequest,
  type LinkedInService,
  type LinkedInServiceOptions,
  startLinkedInService,
} from './linkedin/service.ts';
export { sendJson } from './loopback-server.ts';
export type { TelegramCall } from './telegram/bot-api.ts';
export type { SentMessage } from './telegram/chats.ts';
export { parseHtml as parseTelegramHtml } from './telegram/html.ts';
export {
  type InjectedMessage,
  type MessageUpdateKind,
  startTelegramService,
  type TelegramService,
} from './telegram/service.ts';
export {
  type MessageEntity,
  Refusal as TelegramRefusal,
  type TelegramChat,
  type TelegramUser,
} from './telegram/wire.ts';
export { searchPages } from './web-site/search.ts';
export { startWebSite, type WebSite } from './web-site/service.ts';
