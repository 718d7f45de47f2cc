// The types of lines in a transcript that are not part of the conversation.

/**
 * What the program writes for its own use. Lines of these types are skipped without parsing them; every other type
 * counts as a message, so that the types of a later release are shown rather than lost.
 */
export const bookkeepingTypes: ReadonlySet<string> = new Set([
  'agent-name',
  'ai-title',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'attachment',
  'cost-state',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'queue-operation',
  'tag',
  'tools-used',
]);
