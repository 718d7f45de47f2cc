// Demo mode: loopback services in place of the Anthropic API, the web and LinkedIn, sample notes and a sample project.
import { startDemoModel, startLinkedInService, startWebSite } from '@parley/demo';
import type { PersonName } from '@parley/protocol';
import type { Config } from '../config/schema.ts';
import { demoProjectsRoot, demoVaultRoot } from './layout.ts';
import { prepareDemo, prepareProject } from './prepare-demo.ts';

export interface RunningDemo {
  /** Used instead of the address of the Anthropic API. */
  readonly url: string;
  /** The demo model accepts any key. */
  readonly apiKey: string;
  /** A small web site that can be searched like SearXNG. */
  readonly web: { readonly url: string; readonly host: string };
  readonly linkedIn: DemoLinkedIn;
  close(): Promise<void>;
}

/** A LinkedIn where every person of the demo has an account. */
interface DemoLinkedIn {
  readonly url: string;
  readonly host: string;
  readonly app: { readonly clientId: string; readonly clientSecret: string };
  readonly accounts: readonly { readonly person: PersonName; readonly accessToken: string }[];
}

export async function startDemo({
  home,
  vaultRoot,
  workRoots,
  people,
}: Pick<Config, 'home' | 'vaultRoot' | 'workRoots' | 'people'>): Promise<RunningDemo> {
  if (vaultRoot === demoVaultRoot(home)) await prepareDemo(home);
  if (workRoots.some(({ path }) => path === demoProjectsRoot(home))) await prepareProject(home);
  const model = await startDemoModel();
  const site = await startWebSite();
  const linkedIn = await startLinkedInService(demoApp);
  const accounts = people.map((person) => ({ person, accessToken: `demo-${person}` }));
  for (const { person, accessToken } of accounts)
    linkedIn.addToken(accessToken, { id: person, name: person });
  return {
    url: model.url,
    apiKey: 'demo',
    web: { url: site.url, host: site.host },
    linkedIn: { url: linkedIn.url, host: linkedIn.host, app: demoApp, accounts },
    async close() {
      await Promise.all([model.close(), site.close(), linkedIn.close()]);
    },
  };
}

const demoApp = { clientId: 'demo', clientSecret: 'demo' };
