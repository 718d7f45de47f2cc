// Nothing is published before the person has agreed to exactly that text. Where they can be asked, they are asked each time.
// Elsewhere the tool returns a preview with a code, and their next message must contain the code.
import { createHmac, randomBytes } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import { BoundedMap } from '../../basics/bounded-map.ts';
import type { ToolContext } from '../../domain/tool.ts';

export interface Publication {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What would happen, such as "Publish a post on LinkedIn". */
  readonly what: string;
  readonly text: string;
}

/** The input to continue with, or the preview for the model. */
export type Consent =
  | { readonly given: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly given: false; readonly preview: string };

export interface ConsentOptions {
  /** False publishes without a preview where nobody can be asked, unless text from strangers was read before. */
  readonly confirm: boolean;
}

/** Used codes; none works twice. */
const maxUsedCodes = 1_000;

export class PublishingConsent {
  readonly #confirm: boolean;
  /** New with each start: codes from before a restart are invalid. */
  readonly #key = randomBytes(32);
  readonly #used = new BoundedMap<string, true>(maxUsedCodes);

  constructor({ confirm }: ConsentOptions) {
    this.#confirm = confirm;
  }

  async ask(publication: Publication, context: ToolContext): Promise<Consent> {
    if (context.canAsk !== false) return askNow(publication, context);
    // After reading text from strangers, the model may be doing what a stranger wants.
    const mayBeMisled = context.hasReadOutside ?? true;
    if (!this.#confirm && !mayBeMisled) return { given: true, input: publication.input };
    const { text, number } = context.prompt ?? { text: '', number: 0 };
    const code = this.#code(publication, context, number - 1);
    if (saysCode(text, code) && this.#use(code)) return { given: true, input: publication.input };
    return { given: false, preview: preview(publication, this.#code(publication, context, number)) };
  }

  /** Bound to the person, the session, the prompt that led to the preview, the tool and its exact input. */
  #code({ tool, input }: Publication, { person, sessionId }: ToolContext, promptNumber: number): string {
    const fields = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([person, sessionId, promptNumber, tool, fields]))
      .digest();
    return Array.from(digest.subarray(0, codeLength), (byte) => letters[byte % letters.length]).join('');
  }

  #use(code: string): boolean {
    if (this.#used.has(code)) return false;
    this.#used.set(code, true);
    return true;
  }
}

/** Without letters that look alike. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 6;

function saysCode(text: string, code: string): boolean {
  return text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .includes(code);
}

async function askNow({ tool, input, what, text }: Publication, context: ToolContext): Promise<Consent> {
  const decision = await context.askPermission({
    tool,
    input,
    description: `${what}: ${text}`,
    // Asked for each text, whatever was allowed before.
    details: { requires_user_interaction: true },
  });
  switch (decision.behavior) {
    case 'allow':
      return { given: true, input: edited(decision.updatedInput) ?? input };
    case 'deny':
      throw new ParleyError(
        'forbidden',
        `Nothing was published because nobody allowed it. ${decision.message ?? ''}`.trim(),
      );
    default:
      return decision satisfies never;
  }
}

function edited(input: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof input === 'object' && input !== null
    ? (input as Readonly<Record<string, unknown>>)
    : undefined;
}

function preview({ tool, what, text }: Publication, code: string): string {
  return [
    `Nothing is published yet. ${what} needs the person's consent, which only their next message can give. Show them this text verbatim:`,
    text,
    `Then tell them: to publish it, answer with "publish ${code}". If their next message contains this code, call ${tool} again with exactly the same input. Otherwise, don't publish it.`,
  ].join('\n\n');
}
