// What tests and benchmarks import: the stand-ins, and what they need to script them.
export {
  type ApiRequest,
  callTool,
  type DiscordAttachment,
  type DiscordCall,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordRoute,
  type DiscordUser,
  type ErrorReply,
  httpError,
  type InjectedDiscordMessage,
  type InjectedMessage,
  type LinkedInRequest,
  lastUserText,
  type MessageEntity,
  type MessageReply,
  type MessagesBody,
  type Pace,
  parseTelegramHtml,
  type Reply,
  type ReplyOptions,
  type ReplyPart,
  type RequestKind,
  reply,
  resultText,
  type SentMessage,
  type StopReason,
  say,
  sayInWords,
  systemText,
  type TelegramCall,
  type TelegramChat,
  type TelegramUser,
  type Usage,
  type WireBlock,
  type WireMessage,
  type WireTool,
} from '@parley/demo/services';
export {
  block,
  createGate,
  cut,
  errorInStream,
  type FoundPage,
  type Gate,
  malformedEvent,
  overloaded,
  overloadInStream,
  rateLimited,
  searchWeb,
  stall,
  think,
  wait,
  withOptions,
} from './anthropic/reply.ts';
export { isSubagent, lastToolResults, sessionOf } from './anthropic/request-reading.ts';
export type { RecordedRequest, RecordLimits } from './anthropic/request-record.ts';
export type { ReplySource, RequestMatch, Script } from './anthropic/script.ts';
export {
  type AnthropicStandIn,
  type AnthropicStandInOptions,
  type Fallback,
  noFallback,
  startAnthropicStandIn,
} from './anthropic/stand-in.ts';
export { type BreakableLine, lineTo } from './breakable-line.ts';
export {
  type DiscordFault,
  type DiscordStandIn,
  type DiscordStandInOptions,
  startDiscordStandIn,
} from './discord/stand-in.ts';
export { freePort } from './free-port.ts';
export {
  type LinkedInStandIn,
  type LinkedInStandInOptions,
  startLinkedInStandIn,
} from './linkedin/stand-in.ts';
export { type ProxyStandIn, type ProxyStandInOptions, startProxyStandIn } from './proxy.ts';
export {
  type PushStandIn,
  type PushSubscriptionStandIn,
  type ReceivedPush,
  startPushStandIn,
} from './push/stand-in.ts';
export {
  startTelegramStandIn,
  type TelegramFault,
  type TelegramStandIn,
  type TelegramStandInOptions,
} from './telegram/stand-in.ts';
export { startWebSiteStandIn, type WebSite, type WebSiteOptions } from './web-site/stand-in.ts';
