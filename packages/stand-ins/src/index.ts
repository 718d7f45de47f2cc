export type { Mind } from './anthropic/api.ts';
export { demoMind } from './anthropic/demo-mind/demo-mind.ts';
export type { MessagesBody, StopReason, Usage, WireMessage, WireTool } from './anthropic/messages-wire.ts';
export {
  block,
  callTool,
  createGate,
  cut,
  type ErrorReply,
  errorInStream,
  type Fault,
  type FoundPage,
  type Gate,
  httpError,
  type MessageReply,
  malformedEvent,
  overloaded,
  overloadInStream,
  type Pace,
  type Reply,
  type ReplyOptions,
  type ReplyPart,
  rateLimited,
  reply,
  say,
  sayInWords,
  searchWeb,
  stall,
  think,
  type WireBlock,
  wait,
  withOptions,
} from './anthropic/reply.ts';
export {
  isSubagent,
  lastToolResults,
  lastUserText,
  resultText,
  sessionOf,
  systemText,
} from './anthropic/request-reading.ts';
export type { RecordedRequest, RecordLimits, RequestKind } from './anthropic/request-record.ts';
export type { ReplySource, RequestMatch, Script } from './anthropic/script.ts';
export {
  type AnthropicStandIn,
  type AnthropicStandInOptions,
  livePace,
  noMind,
  startAnthropicStandIn,
} from './anthropic/stand-in.ts';
export { type ChannelPage, startChannelPage } from './channel-page/stand-in.ts';
export type { DiscordCall, DiscordFault, DiscordRoute } from './discord/rest-api.ts';
export type { RoomMessage } from './discord/rooms.ts';
export {
  type DiscordStandIn,
  type DiscordStandInOptions,
  type InjectedDiscordMessage,
  startDiscordStandIn,
} from './discord/stand-in.ts';
export type { DiscordAttachment, DiscordChannel, DiscordUser } from './discord/wire.ts';
export {
  type LinkedInRequest,
  type LinkedInStandIn,
  type LinkedInStandInOptions,
  startLinkedInStandIn,
} from './linkedin/stand-in.ts';
export type { TelegramCall, TelegramFault } from './telegram/bot-api.ts';
export type { SentMessage } from './telegram/chats.ts';
export { parseHtml as parseTelegramHtml } from './telegram/html.ts';
export {
  type InjectedMessage,
  startTelegramStandIn,
  type TelegramStandIn,
  type TelegramStandInOptions,
} from './telegram/stand-in.ts';
export type { MessageEntity, TelegramChat, TelegramUser } from './telegram/wire.ts';
export { startWebSite, type WebSite, type WebSiteOptions } from './web-site/stand-in.ts';
