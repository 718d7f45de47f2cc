// An assistant is data: a system prompt, the tool sources it may use, and a reminder for long sessions.
export interface Assistant {
  readonly name: string;
  /** Its name on a page. */
  readonly label: string;
  readonly systemPrompt: string;
  /** Names of tool sources. */
  readonly tools: readonly string[];
  /** Appended to prompts once the session is long; only the model sees it. */
  readonly reminder?: { readonly fromMessage: number; readonly text: string };
}
