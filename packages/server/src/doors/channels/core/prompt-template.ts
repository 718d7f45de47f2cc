// The summary prompt: a template of the person who runs the server, around what somebody wrote in a chat.

export interface SummaryPrompt {
  readonly enabled: boolean;
  /** With the placeholders `{{message}}` and `{{workspace}}`. */
  readonly template: string;
}

/** A template that has no place for the message gets it at its end. */
export function applyTemplate(
  { enabled, template }: SummaryPrompt,
  message: string,
  workspace: string,
): string {
  if (!enabled || message === '') return message;
  const filled = template.replaceAll(/\{\{\s*(message|workspace)\s*\}\}/g, (_, name: string) =>
    name === 'message' ? message : workspace,
  );
  return /\{\{\s*message\s*\}\}/.test(template) ? filled : `${filled}\n\n${message}`;
}
