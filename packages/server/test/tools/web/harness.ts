// The web tools against a small web on loopback, called as the engine calls them.
import { randomUUID } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import { startWebSite, type WebSite } from '@parley/stand-ins';
import type { ToolSource } from '../../../src/domain/tool.ts';
import { createWebTools, type WebOptions } from '../../../src/tools/web/source.ts';

export class WebHarness implements AsyncDisposable {
  readonly site: WebSite;
  readonly source: ToolSource;

  private constructor(site: WebSite, source: ToolSource) {
    this.site = site;
    this.source = source;
  }

  /** By default the guard allows the site, and SearXNG searches. */
  static async start(options: (site: WebSite) => Partial<WebOptions> = () => ({})): Promise<WebHarness> {
    const site = await startWebSite();
    const source = createWebTools({
      exceptions: [site.host],
      search: { service: 'searxng', baseUrl: site.url },
      ...options(site),
    });
    return new WebHarness(site, source);
  }

  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal = new AbortController().signal,
  ): Promise<string> {
    const tool = (await this.source.tools()).find((tool) => tool.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const result = await tool.run(input, {
      person: 'anna',
      sessionId: randomUUID(),
      signal,
      emit: () => Promise.resolve(),
      progress: () => undefined,
      askPermission: () => Promise.resolve({ behavior: 'deny' }),
    });
    if (typeof result.content !== 'string') throw new TypeError('expected text');
    return result.content;
  }

  /** Fetches a path of the site. */
  fetch(path: string, page?: number): Promise<string> {
    return this.call('web_fetch', { url: this.site.url + path, ...(page !== undefined && { page }) });
  }

  /** The sentence with which a call is refused. Any error but a ParleyError is a bug and fails the test. */
  async refusal(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
    try {
      return await this.call(name, input).then((content) => `not refused: ${content}`);
    } catch (thrown) {
      if (thrown instanceof ParleyError) return thrown.message;
      throw thrown;
    }
  }

  fetchRefusal(path: string): Promise<string> {
    return this.refusal('web_fetch', { url: this.site.url + path });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site.close();
  }
}
