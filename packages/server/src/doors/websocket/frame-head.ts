// The few fields of a line that tell where it belongs. Loose: what is not understood is simply not there.

export interface FrameHead {
  readonly type?: unknown;
  readonly uuid?: unknown;
  /** Set on what a subagent says. */
  readonly parent_tool_use_id?: unknown;
  readonly event?: { readonly type?: unknown };
}

export function frameHead(line: string): FrameHead {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
