// An assistant is data: a system prompt, the tool sources it may use, and a reminder for long talks.
export interface Assistant {
  readonly name: string;
  /** How it is called on a page. */
  readonly label: string;
  readonly systemPrompt: string;
  /** Names of tool sources. */
  readonly tools: readonly string[];
  /** Appended, for the model alone, to prompts once the conversation is long. */
  readonly reminder?: { readonly fromMessage: number; readonly text: string };
}
