// Drives the `claude` program: processes, flags, control protocol, events, frames, transcripts.
export type { BreakerOptions } from './breaker.ts';
export type { ControlAnswer, ControlFields, RequestOptions } from './control/control-channel.ts';
export type {
  PermissionDecision,
  PermissionHandler,
  PermissionRequest,
  PermissionUpdate,
} from './control/permission.ts';
export { ClaudeCliError, type ClaudeCliErrorCode, type ClaudeCliErrorDetails } from './errors.ts';
export type {
  AnnouncementCode,
  ClaudeEvent,
  Command,
  ErrorEvent,
  MetadataEvent,
  MetricEvent,
  OutputEvent,
  StatusChangeEvent,
  Task,
  TokenCounts,
} from './events/event.ts';
export { readCommands } from './events/from-program.ts';
export type { FrameListener } from './events/readers.ts';
export { noTasks, type TaskState } from './events/tasks.ts';
export { translate } from './events/translate.ts';
export {
  initialTranslationState,
  streamPositionOf,
  subagentOf,
  type Translation,
  type TranslationState,
} from './events/translation-state.ts';
export { buildArguments } from './flags/flag-table.ts';
export {
  ClaudeOptions,
  type EffortLevel,
  effortLevels,
  type PermissionMode,
  permissionModes,
} from './flags/options.ts';
export type {
  AgentNameBody,
  AiTitleBody,
  AssistantBody,
  BareStreamEventBody,
  ContentBlock,
  ControlCancelBody,
  ControlRequestBody,
  ControlResponseBody,
  CustomTitleBody,
  FileHistorySnapshotBody,
  FrameBodies,
  FrameKind,
  LineFields,
  ProgressBody,
  QueueOperationBody,
  ResultBody,
  StreamEvent,
  StreamEventBody,
  SummaryBody,
  SystemBody,
  SystemInitBody,
  TagBody,
  UnknownBody,
  Usage,
  UserBody,
} from './frames/bodies.ts';
export { bookkeepingTypes } from './frames/bookkeeping-types.ts';
export { type Frame, type FrameOfKind, LiveFrame, parseFrame, streamEventOf } from './frames/frame.ts';
export { FrameReader, type FrameReaderOptions, type FrameWarning } from './frames/frame-reader.ts';
export { DEFAULT_MAX_LINE_BYTES, LineSplitter, type LineSplitterOptions } from './frames/line-splitter.ts';
export { topLevelString, topLevelType } from './frames/top-level-fields.ts';
export { type PoolOptions, type SessionPool, warmUp } from './pool.ts';
export { isTooOld, OLDEST_VERSION } from './process/capabilities.ts';
export { type DiscoveryOptions, discoverProgram, programCommand } from './process/discover.ts';
export { buildEnvironment, type EnvironmentSources, type Variables } from './process/environment.ts';
export { type CommandLine, signalProgram, type Wrap, type WrappedCommand } from './process/wrap.ts';
export { createProvider, type Provider, type ProviderOptions } from './provider.ts';
export type { Session } from './session.ts';
export { SessionConfig, SessionLimits } from './session-config.ts';
export type { SessionState, SessionStatus } from './session-state.ts';
export {
  archiveSession,
  deleteSession,
  renameSession,
  rewindToStart,
} from './transcripts/edit-session.ts';
export { type FailedPrompt, lastFailedPrompt } from './transcripts/failed-prompt.ts';
export { type IndexCache, MemoryIndexCache } from './transcripts/index-cache.ts';
export type { SessionChange } from './transcripts/known-sessions.ts';
export {
  findTranscript,
  isSessionId,
  projectFolderName,
  projectsRoot,
  transcriptPath,
} from './transcripts/location.ts';
export { readPastTasks } from './transcripts/past-tasks.ts';
export type { ProjectWatcherOptions, WatchFolder } from './transcripts/project-watcher.ts';
export { openReal } from './transcripts/real-file.ts';
export type { UnreadableFolder } from './transcripts/scan-projects.ts';
export { type SessionFile, SessionIndex, type SessionIndexOptions } from './transcripts/session-index.ts';
export type { ListOptions, SessionPage } from './transcripts/session-list.ts';
export type { SessionEntry, SessionRecord } from './transcripts/session-record.ts';
export {
  type SessionTitle,
  type TitleParts,
  type TitleSource,
  titleOf,
} from './transcripts/session-title.ts';
export { readSpentUsd } from './transcripts/spent.ts';
export { findSubagent } from './transcripts/subagents.ts';
export { searchTranscripts, type TextHit, type TextSearchOptions } from './transcripts/text-search.ts';
export {
  commandOf,
  type Damage,
  type DamageCounts,
  isCommandEcho,
  isMeta,
  isSidechain,
  messageIn,
  messageOf,
  promptOf,
  type SpokenMessage,
} from './transcripts/transcript-line.ts';
export {
  type PageOptions,
  readTranscriptPage,
  type TranscriptMessage,
  type TranscriptPage,
} from './transcripts/transcript-page.ts';
export type { InputBlock, UserInput } from './user-input.ts';
