// Checks the input of a tool call against the tool's schema before the tool sees it. Ajv, because tools from
// outside bring schemas of every shape, and because the HTTP server has it loaded anyway.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Tool } from '../../domain/tool.ts';

export class ToolInputCheck {
  /** Loose on purpose: a keyword of a newer draft shall not make a tool unusable. */
  readonly #ajv = new Ajv({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
    logger: false,
  });
  /** By schema object, so that the checks of tools that are gone go with them. */
  readonly #checks = new WeakMap<object, ValidateFunction>();

  /** A sentence for the model when the input does not fit. */
  problemWith(tool: Tool, input: unknown): string | undefined {
    const fits = this.#checkOf(tool);
    if (fits(input)) return undefined;
    const problems = (fits.errors ?? []).slice(0, 5).map(toPhrase);
    return `The input of ${tool.name} does not fit its schema: ${problems.join('; ')}. Correct it and call the tool again.`;
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
      // Written in a way that Ajv does not read, such as a pattern for another engine: whoever wrote it checks.
      return this.#ajv.compile(true);
    } finally {
      // Ajv would keep every schema for good.
      this.#ajv.removeSchema(schema);
    }
  }
}

function toPhrase({ instancePath, message = 'is not valid', params }: ErrorObject): string {
  const where = instancePath === '' ? 'the input' : `"${instancePath.slice(1).replaceAll('/', '.')}"`;
  const extra: unknown = params['additionalProperty'];
  return typeof extra === 'string' ? `"${extra}" is not a known field` : `${where} ${message}`;
}
