export type { Changes } from './changes.ts';
export {
  type ClientOptions,
  createClient,
  type ParleyClient,
  type SubscribeOptions,
} from './client.ts';
export type { Conversation } from './conversation.ts';
export type { ConversationSnapshot } from './conversation-snapshot.ts';
export type { Entry } from './entry.ts';
export { type Environment, type PageLike, type PageState, pageEnvironment } from './environment.ts';
export type { Files } from './files.ts';
export { foldEntries, foldEntry, foldOlder, foldSubagent } from './fold.ts';
export { ApiError, createHttp, type Http, type HttpMethod, type RequestOptions } from './http.ts';
export { type Observable, ObservableValue } from './observable.ts';
export { openedView } from './opening.ts';
export { newKey, type PromptStorage, type SentPrompt, type StoredPrompt } from './outbox.ts';
export type {
  SocketEnd,
  SocketHandlers,
  WebSocketConstructor,
  WebSocketLike,
} from './reconnecting-socket.ts';
export type {
  NewSession,
  PastQuery,
  PromptContent,
  PromptReceipt,
  SearchHit,
  SendOptions,
  SessionChange,
  SessionPage,
  Sessions,
} from './sessions.ts';
export { streamEvents, toEnvelope } from './stream-events.ts';
export type { ConnectionState, Notification, Presence } from './transport.ts';
export {
  type ArtifactItem,
  type AttachedFile,
  type ConversationView,
  type EndItem,
  emptyView,
  type Facts,
  type FoldMemory,
  type Item,
  mainThread,
  type NoticeItem,
  type PartialBlock,
  type PermissionItem,
  type Picture,
  type PromptItem,
  type RawItem,
  type SettledPermission,
  type TextItem,
  type ThinkingItem,
  type ToolItem,
  type ToolState,
  type TurnFailure,
  type TurnMemory,
} from './view.ts';
