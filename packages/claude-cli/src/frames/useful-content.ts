// Decides whether a person who reads the conversation would miss a frame. Unknown content counts as useful, because
// hiding it would lose it.
import type { ContentBlock } from './bodies.ts';
import type { Frame } from './frame-types.ts';

export function frameHasUsefulContent(frame: Frame): boolean {
  switch (frame.kind) {
    case 'user':
      return frame.body.isMeta !== true && contentIsUseful(frame.body.message.content);
    case 'assistant':
      return contentIsUseful(frame.body.message.content);
    case 'system':
      return isFilled(frame.body.content) || frame.body.subtype === 'compact_boundary';
    case 'summary':
      return isFilled(frame.body.summary);
    case 'custom_title':
      return isFilled(frame.body.customTitle);
    case 'ai_title':
      return isFilled(frame.body.aiTitle);
    case 'tag':
      return isFilled(frame.body.tag);
    case 'agent_name':
      return isFilled(frame.body.agentName);
    case 'stream_event':
      return frame.body.event.type !== 'ping';
    case 'bare_stream_event':
      return frame.body.type !== 'ping';
    case 'result':
    case 'control_request':
    case 'control_cancel_request':
    case 'unknown':
      return true;
    case 'system_init':
    case 'progress':
    case 'control_response':
    case 'queue_operation':
    case 'file_history_snapshot':
      return false;
    default:
      return frame satisfies never;
  }
}

function contentIsUseful(content: string | readonly ContentBlock[]): boolean {
  if (typeof content === 'string') return isFilled(content);
  return content.some((block) => {
    if (block.type === 'text') return isFilled(block.text);
    if (block.type === 'thinking') return isFilled(block.thinking);
    return true;
  });
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
