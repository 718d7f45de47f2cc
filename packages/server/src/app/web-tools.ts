// Builds the tools that use other servers: the web and LinkedIn. In demo mode both are loopback services.
import { isDeepStrictEqual } from 'node:util';
import type { Outgoing } from '../basics/outgoing.ts';
import { linkedInFolder } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import { secretsOf } from '../config/secret.ts';
import { publicApiRoot } from '../config/sections/linkedin.ts';
import type { RunningDemo } from '../demo/demo.ts';
import type { Logger } from '../domain/logger.ts';
import type { SealedStore } from '../domain/sealed.ts';
import type { ToolSource } from '../domain/tool.ts';
import { createLinkedIn, type LinkedIn } from '../tools/linkedin/source.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { createWebTools, type SearchChoice } from '../tools/web/source.ts';
import { hostAndPort } from '../tools/web/web-address.ts';
import { version } from '../version.ts';

export interface WebToolsOptions {
  readonly config: Pick<Config, 'web' | 'linkedin' | 'dataDir'>;
  readonly demo: RunningDemo | undefined;
  /** Where servers that share a database keep LinkedIn logins. */
  readonly sealed?: SealedStore | undefined;
  readonly outgoing: Outgoing;
  readonly logger: Logger;
}

const publicAuthRoot = 'https://www.linkedin.com';
const userAgent = `Parley/${version}`;

/** A source whose settings can change. A running turn keeps the tools it has. */
export interface ChangeableSource extends ToolSource {
  apply(config: WebToolsOptions['config']): void;
}

export function openWeb(options: WebToolsOptions): ChangeableSource {
  let current = webOf(options);
  let { web } = options.config;
  return {
    name: current.name,
    tools: () => current.tools(),
    get serverTools() {
      return current.serverTools ?? [];
    },
    apply(config) {
      if (isSame(config.web, web)) return;
      ({ web } = config);
      current = webOf({ ...options, config });
    },
    close: () => current.close(),
  };
}

export function openLinkedIn(options: WebToolsOptions): LinkedIn & ChangeableSource {
  let current = linkedInOf(options);
  let { linkedin } = options.config;
  return {
    name: current.name,
    tools: () => current.tools(),
    get connections() {
      return current.connections;
    },
    apply(config) {
      if (isSame(config.linkedin, linkedin)) return;
      ({ linkedin } = config);
      current = linkedInOf({ ...options, config });
    },
    close: () => current.close(),
  };
}

function isSame(one: object, other: object): boolean {
  return isDeepStrictEqual(one, other) && isDeepStrictEqual(secretsOf(one), secretsOf(other));
}

function webOf({ config: { web }, demo, outgoing, logger }: WebToolsOptions): ToolSource {
  return createWebTools({
    search: searchOf(web, demo),
    exceptions: [...web.allowedHosts, ...(demo === undefined ? [] : [demo.web.host])],
    outgoing,
    userAgent,
    logger,
  });
}

function linkedInOf({ config: { linkedin, dataDir }, demo, sealed, outgoing }: WebToolsOptions): LinkedIn {
  const { clientId, clientSecret, version: apiVersion, confirm } = linkedin;
  const app =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : { clientId, clientSecret: clientSecret.reveal() };
  const apiRoot = demo?.linkedIn.url ?? linkedin.apiRoot;
  const ownAuthRoot = demo === undefined ? linkedin.authRoot : undefined;
  const isPublic = new URL(apiRoot).origin === publicApiRoot;
  const authRoot = ownAuthRoot ?? (isPublic ? publicAuthRoot : apiRoot);
  return createLinkedIn({
    folder: linkedInFolder({ dataDir }),
    shared: sealed,
    accounts:
      demo?.linkedIn.accounts ??
      linkedin.accounts.map(({ accessToken, ...account }) => ({
        ...account,
        accessToken: accessToken.reveal(),
      })),
    app: demo?.linkedIn.app ?? app,
    apiRoot,
    authRoot,
    version: apiVersion,
    confirm,
    // The configuration names these addresses, so they may be on a private network.
    http: createGuardedFetch({
      exceptions: [apiRoot, authRoot].map((root) => hostAndPort(new URL(root))),
      outgoing,
      userAgent,
    }),
  });
}

function searchOf({ search, searxng, brave }: Config['web'], demo: RunningDemo | undefined): SearchChoice {
  const ownSearxng = searxng.url ?? demo?.web.url;
  const service = search ?? (ownSearxng ? 'searxng' : brave.apiKey ? 'brave' : 'anthropic');
  switch (service) {
    case 'searxng':
      return ownSearxng === undefined ? { service: 'none' } : { service, baseUrl: ownSearxng };
    case 'brave':
      return brave.apiKey === undefined
        ? { service: 'none' }
        : { service, apiKey: brave.apiKey.reveal(), baseUrl: brave.url };
    case 'anthropic':
    case 'none':
      return { service };
    default:
      return service satisfies never;
  }
}
