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
export { type Frame, type FrameOfKind, parseFrame, streamEventOf } from './frames/frame.ts';
export { FrameReader, type FrameReaderOptions, type FrameWarning } from './frames/frame-reader.ts';
export { DEFAULT_MAX_LINE_BYTES, LineSplitter, type LineSplitterOptions } from './frames/line-splitter.ts';
export { topLevelStrings, topLevelType } from './frames/top-level-fields.ts';
