// The LinkedIn tools against LinkedIn's stand-in, called as the engine calls them.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision, PermissionRequest } from '@parley/protocol';
import { type LinkedInStandIn, type LinkedInStandInOptions, startLinkedInStandIn } from '@parley/stand-ins';
import type { HttpRequest, SendHttp } from '../../../src/domain/http.ts';
import type { ToolContext } from '../../../src/domain/tool.ts';
import { createLinkedIn, type LinkedIn, type LinkedInOptions } from '../../../src/tools/linkedin/source.ts';
import { createGuardedFetch } from '../../../src/tools/web/guarded-fetch.ts';
import { callTool, refusalOf } from '../calls.ts';

export const token = 'token-of-anna-5b1c7d';
export const redirectUri = 'http://localhost:4710/api/linkedin/callback';

export class LinkedInHarness implements AsyncDisposable {
  readonly remote: LinkedInStandIn;
  readonly source: LinkedIn;
  readonly folder: string;
  readonly sessionId = randomUUID();
  readonly asked: PermissionRequest[] = [];
  /** What the person answers when asked. */
  decision: Decision = { behavior: 'allow', scope: 'once' };
  now = Date.UTC(2026, 0, 27);
  /** Called when LinkedIn has answered, before the answer is returned. */
  onAnswer: (request: HttpRequest) => void | Promise<void> = () => undefined;

  private constructor(remote: LinkedInStandIn, folder: string, options: Partial<LinkedInOptions>) {
    this.remote = remote;
    this.folder = folder;
    remote.addToken(token, { id: 'anna-1', name: 'Anna' });
    this.source = createLinkedIn({
      folder,
      accounts: [{ person: 'anna', accessToken: token }],
      app: { clientId: 'client', clientSecret: 'client-secret' },
      apiRoot: remote.url,
      authRoot: remote.url,
      version: '202606',
      confirm: true,
      http: this.#sender(createGuardedFetch({ exceptions: [remote.host] })),
      clock: { now: () => this.now },
      ...options,
    });
  }

  static async start(
    options: Partial<LinkedInOptions> = {},
    remoteOptions: LinkedInStandInOptions = {},
  ): Promise<LinkedInHarness> {
    const remote = await startLinkedInStandIn(remoteOptions);
    const folder = await mkdtemp(join(tmpdir(), 'parley-linkedin-'));
    return new LinkedInHarness(remote, join(folder, 'linkedin'), options);
  }

  #sender(send: SendHttp): SendHttp {
    return async (request) => {
      const response = await send(request);
      await this.onAnswer(request);
      request.signal.throwIfAborted();
      return response;
    };
  }

  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    context: Partial<ToolContext> = {},
  ): Promise<string> {
    return callTool(this.source, name, input, {
      sessionId: this.sessionId,
      prompt: { text: 'Please post it', number: 1 },
      hasReadOutside: false,
      canAsk: true,
      askPermission: (request) => {
        this.asked.push(request);
        return Promise.resolve(this.decision);
      },
      ...context,
    });
  }

  refusal(
    name: string,
    input: Readonly<Record<string, unknown>>,
    context: Partial<ToolContext> = {},
  ): Promise<string> {
    return refusalOf(this.call(name, input, context));
  }

  /** Goes to the consent page and back, as a browser does. */
  async connect(person: string): Promise<string> {
    const url = await this.source.connections.begin(person, 'login-1', redirectUri);
    const back = await this.consentPage(url);
    return this.source.connections.finish({
      ...back,
      login: 'login-1',
      signal: new AbortController().signal,
    });
  }

  async consentPage(url: string): Promise<{ state: string; code?: string; error?: string }> {
    const response = await fetch(url, { redirect: 'manual' });
    const location = new URL(response.headers.get('location') ?? '');
    return Object.fromEntries(location.searchParams) as { state: string };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.remote.close();
    await rm(join(this.folder, '..'), { recursive: true, force: true });
  }
}
