// Checks the input of a tool call against the tool's schema. Uses Ajv because MCP servers bring schemas of every kind, and
// because the HTTP server loads it anyway.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Tool } from '../../domain/tool.ts';

export class ToolInputCheck {
  /** Lenient on purpose: a keyword from a newer draft must not make a tool unusable. */
  readonly #ajv = new Ajv({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
    logger: false,
  });
  /** By schema object, so that checks of removed tools are collected with them. */
  readonly #checks = new WeakMap<object, ValidateFunction>();

  /** A sentence for the model when the input doesn't match. */
  problemWith(tool: Tool, input: unknown): string | undefined {
    const fits = this.#checkOf(tool);
    if (fits(input)) return undefined;
    const problems = (fits.errors ?? []).slice(0, 5).map(toPhrase);
    return `The input of ${tool.name} does not match its schema: ${problems.join('; ')}. Correct it and call the tool again.`;
  }

  #checkOf({ inputSchema }: Tool): ValidateFunction {
    const known = this.#checks.get(inputSchema);
    if (known !== undefined) return known;
    const check = this.#compile(inputSchema);
    this.#checks.set(inputSchema, check);
    return check;
  }

  #compile(schema: Tool['inputSchema']): ValidateFunction {
    try {
      return this.#ajv.compile(schema);
    } catch {
      // Ajv can't read it, for example because of a pattern for another regex engine: the tool checks its own input.
      return this.#ajv.compile(true);
    } finally {
      // Otherwise Ajv would keep every schema forever.
      this.#ajv.removeSchema(schema);
    }
  }
}

function toPhrase({ instancePath, message = 'is not valid', params }: ErrorObject): string {
  const where = instancePath === '' ? 'the input' : `"${instancePath.slice(1).replaceAll('/', '.')}"`;
  const extra: unknown = params['additionalProperty'];
  return typeof extra === 'string' ? `"${extra}" is not a known field` : `${where} ${message}`;
}
