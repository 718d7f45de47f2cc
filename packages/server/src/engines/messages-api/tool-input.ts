// Checks the input of a tool call against the tool's schema. Uses Ajv because MCP servers bring schemas of every kind. Loads
// it with the first call.
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { Tool } from '../../domain/tool.ts';

export class ToolInputCheck {
  #ajv: Promise<Ajv> | undefined;
  /** By schema object, so that checks of removed tools are collected with them. */
  readonly #checks = new WeakMap<object, ValidateFunction>();

  /** A sentence for the model if the input doesn't match; undefined if it does. */
  async problemWith(tool: Tool, input: unknown): Promise<string | undefined> {
    const fits = await this.#checkOf(tool);
    if (fits(input)) return undefined;
    const problems = (fits.errors ?? []).slice(0, 5).map(toPhrase);
    return `The input of ${tool.name} does not match its schema: ${problems.join('; ')}. Correct it and call the tool again.`;
  }

  async #checkOf({ inputSchema }: Tool): Promise<ValidateFunction> {
    const known = this.#checks.get(inputSchema);
    if (known !== undefined) return known;
    this.#ajv ??= loadAjv();
    const check = compile(await this.#ajv, inputSchema);
    this.#checks.set(inputSchema, check);
    return check;
  }
}

async function loadAjv(): Promise<Ajv> {
  const { Ajv } = await import('ajv');
  // Lenient on purpose: a keyword from a newer draft must not make a tool unusable.
  return new Ajv({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
    logger: false,
  });
}

function compile(ajv: Ajv, schema: Tool['inputSchema']): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch {
    // Ajv can't read it, for example because of a pattern for another regex engine: the tool checks its own input.
    return ajv.compile(true);
  } finally {
    // Otherwise Ajv would keep every schema forever.
    ajv.removeSchema(schema);
  }
}

function toPhrase({ instancePath, message = 'is not valid', params }: ErrorObject): string {
  const where = instancePath === '' ? 'the input' : `"${instancePath.slice(1).replaceAll('/', '.')}"`;
  const extra: unknown = params['additionalProperty'];
  return typeof extra === 'string' ? `"${extra}" is not a known field` : `${where} ${message}`;
}
