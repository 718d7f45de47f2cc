// The web tools against a small web on loopback, called as the engine calls them.
import { startWebSiteStandIn, type WebSite } from '@parley/stand-ins';
import type { ToolContext, ToolSource } from '../../../src/domain/tool.ts';
import { createWebTools, type WebOptions } from '../../../src/tools/web/source.ts';
import { callTool, refusalOf } from '../calls.ts';

export class WebHarness implements AsyncDisposable {
  readonly site: WebSite;
  readonly source: ToolSource;

  private constructor(site: WebSite, source: ToolSource) {
    this.site = site;
    this.source = source;
  }

  /** By default the guard allows the site, and SearXNG searches. */
  static async start(options: (site: WebSite) => Partial<WebOptions> = () => ({})): Promise<WebHarness> {
    const site = await startWebSiteStandIn();
    const source = createWebTools({
      exceptions: [site.host],
      search: { service: 'searxng', baseUrl: site.url },
      ...options(site),
    });
    return new WebHarness(site, source);
  }

  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    context: Partial<ToolContext> = {},
  ): Promise<string> {
    return callTool(this.source, name, input, context);
  }

  /** Fetches a path of the site. */
  fetch(path: string, page?: number): Promise<string> {
    return this.call('web_fetch', { url: this.site.url + path, ...(page !== undefined && { page }) });
  }

  refusal(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
    return refusalOf(this.call(name, input));
  }

  fetchRefusal(path: string): Promise<string> {
    return this.refusal('web_fetch', { url: this.site.url + path });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site.close();
  }
}
