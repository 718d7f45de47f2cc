// A server that other settings can replace while turns use it: it stops when the last of them has ended.
import { isDeepStrictEqual } from 'node:util';
import { McpServer, type McpServerOptions } from './server.ts';
import type { McpServerSettings } from './settings.ts';

export class ReplaceableServer extends McpServer {
  readonly #settings: McpServerSettings;
  #holds = 0;
  #whenFree: (() => void) | undefined;

  constructor(options: McpServerOptions) {
    super(options);
    this.#settings = options.settings;
  }

  hasSettings(settings: McpServerSettings): boolean {
    return isDeepStrictEqual(settings, this.#settings);
  }

  /** Keeps it from being stopped until the returned function is called. */
  hold(): () => void {
    let isHeld = true;
    this.#holds += 1;
    return () => {
      if (isHeld) this.#holds -= 1;
      isHeld = false;
      if (this.#holds === 0) this.#whenFree?.();
    };
  }

  /** Stops it as soon as nobody holds it. */
  async retire(): Promise<void> {
    if (this.#holds > 0) {
      await new Promise<void>((resolve) => {
        this.#whenFree = resolve;
      });
    }
    await this.close();
  }
}
