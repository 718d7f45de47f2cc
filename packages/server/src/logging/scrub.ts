// Takes secrets out of text by their value, wherever it turns up.

export const redacted = '[redacted]';

// Removing a very short value would maim text that has nothing to do with it.
const shortestScrubbed = 6;

/** A function that replaces these values, as they are and as they look inside JSON. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= shortestScrubbed)
    .flatMap((secret) => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])]);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, redacted), text);
}
