// Decides what kind a parsed line is. A typed view must never lie: a line with a known type but an unexpected shape is
// `unknown`, and passes through unchanged like any other.
import { type Fields as Body, isRecord } from '../fields.ts';
import type { FrameKind } from './bodies.ts';

export function kindOf(body: Body): FrameKind {
  switch (body['type']) {
    // First, because almost every frame of a live session is one.
    case 'stream_event':
      return isStreamEvent(body['event']) ? 'stream_event' : 'unknown';
    case 'user':
      return isMessage(body['message'], true) ? 'user' : 'unknown';
    case 'assistant':
      return isMessage(body['message'], false) ? 'assistant' : 'unknown';
    case 'system':
      if (body['subtype'] === 'init') return isInit(body) ? 'system_init' : 'unknown';
      return isStringOrMissing(body['subtype']) ? 'system' : 'unknown';
    case 'result':
      return typeof body['subtype'] === 'string' ? 'result' : 'unknown';
    case 'progress':
    case 'tool_progress':
      return 'progress';
    case 'message_start':
    case 'content_block_start':
    case 'content_block_delta':
    case 'content_block_stop':
    case 'message_delta':
    case 'message_stop':
    case 'ping':
    case 'error':
      return isStreamEvent(body) ? 'bare_stream_event' : 'unknown';
    case 'control_request':
      return isString(body['request_id']) && isString(asObject(body['request'])?.['subtype'])
        ? 'control_request'
        : 'unknown';
    case 'control_response':
      return isControlResponse(asObject(body['response'])) ? 'control_response' : 'unknown';
    case 'control_cancel_request':
      return isString(body['request_id']) ? 'control_cancel_request' : 'unknown';
    case 'summary':
      return isString(body['summary']) ? 'summary' : 'unknown';
    case 'custom-title':
      return isString(body['customTitle']) ? 'custom_title' : 'unknown';
    case 'ai-title':
      return isString(body['aiTitle']) ? 'ai_title' : 'unknown';
    case 'tag':
      return isString(body['tag']) ? 'tag' : 'unknown';
    case 'agent-name':
      return isString(body['agentName']) ? 'agent_name' : 'unknown';
    case 'queue-operation':
      return isString(body['operation']) ? 'queue_operation' : 'unknown';
    case 'file-history-snapshot':
      return 'file_history_snapshot';
    default:
      return 'unknown';
  }
}

function isMessage(value: unknown, mayBeText: boolean): boolean {
  const message = asObject(value);
  if (!message || !isString(message['role']) || !isStringOrMissing(message['id'])) return false;
  const content = message['content'];
  return Array.isArray(content) ? content.every(isContentBlock) : mayBeText && isString(content);
}

function isContentBlock(value: unknown): boolean {
  const block = asObject(value);
  return (
    block !== undefined &&
    isString(block['type']) &&
    isStringOrMissing(block['text']) &&
    isStringOrMissing(block['thinking']) &&
    isStringOrMissing(block['id']) &&
    isStringOrMissing(block['name']) &&
    isStringOrMissing(block['tool_use_id'])
  );
}

function isStreamEvent(value: unknown): boolean {
  const event = asObject(value);
  if (!event || !isString(event['type'])) return false;
  return (event['delta'] === undefined || isDelta(asObject(event['delta']))) && hasValidParts(event);
}

function hasValidParts({ content_block: block, message }: Body): boolean {
  return (
    (block === undefined || isContentBlock(block)) &&
    (message === undefined || isStringOrMissing(asObject(message)?.['id']))
  );
}

function isDelta(delta: Body | undefined): boolean {
  return (
    delta !== undefined &&
    isStringOrMissing(delta['type']) &&
    isStringOrMissing(delta['text']) &&
    isStringOrMissing(delta['thinking']) &&
    isStringOrMissing(delta['partial_json'])
  );
}

function isInit(body: Body): boolean {
  return isString(body['session_id']) && isString(body['cwd']) && isString(body['model']);
}

function isControlResponse(response: Body | undefined): boolean {
  return response !== undefined && isString(response['subtype']) && isString(response['request_id']);
}

function asObject(value: unknown): Body | undefined {
  return isRecord(value) ? value : undefined;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStringOrMissing(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
