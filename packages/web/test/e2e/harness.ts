// Parley for end-to-end tests: the built server as a process with an empty home, and a real browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AnthropicStandIn, startAnthropicStandIn } from '@parley/stand-ins';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumFromNpm } from '../../scripts/chromium.mjs';

export const password = 'correct horse battery';
/** The key of a scripted server. If it shows up anywhere, it has leaked. */
export const secretKey = 'sk-ant-planted-secret-of-the-tests';

export interface Parley {
  /** Whether Sebastian has an account. */
  readonly hasOwner: boolean;
  readonly url: string;
  /** The model of a scripted server; the demo answers by itself. */
  readonly model: AnthropicStandIn | undefined;
  readonly home: string;
  stop(): Promise<void>;
}

export interface ParleyOptions {
  /** Sebastian has an account, as an owner. */
  readonly hasOwner?: true;
  /** The test says what the model answers, instead of the demo's scripted model. */
  readonly scripted?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** What `parley.config.json` says about Claude Code: that no process waits for a new session, by default. */
  readonly claude?: Readonly<Record<string, unknown>>;
  /** Nothing is configured, as for somebody who tries Parley: no file, no people. */
  readonly fresh?: true;
  /** What else it contains. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Hooks and tests with a browser and a server may take this long on a busy machine. */
export const patienceMs = 120_000;
/** A single step may take this long. */
const stepMs = 60_000;

// Resolved by package: the benchmarks run this file from a bundle in another folder.
const require = createRequire(import.meta.url);
const ownersPassword = 'plums and 4 lanterns at noon';
/** Half as large as what the package exports, and each page has to read it. */
const axe = require.resolve('axe-core/axe.min.js');
const program = join(dirname(require.resolve('@parley/server/package.json')), 'dist', 'main.js');

export async function startParley(options: ParleyOptions = {}): Promise<Parley> {
  const home = mkdtempSync(join(tmpdir(), 'parley-web-'));
  const model = options.scripted ? await startAnthropicStandIn() : undefined;
  // Tests open many pages per minute from one address.
  const limits = { requestsPerMinute: 100_000, totalRequestsPerMinute: 100_000 };
  // A process that nobody may ever use costs as much as one that answers.
  const claude = { warmProcesses: 0, ...options.claude };
  if (!options.fresh)
    writeFileSync(join(home, 'parley.config.json'), JSON.stringify({ limits, claude, ...options.config }));
  const child = spawn(process.execPath, [program], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      PARLEY_HOME: home,
      PARLEY_PORT: '0',
      FAMILY_PASSWORD: password,
      ...(!options.fresh && { PARLEY_PEOPLE: 'sebastian,petra' }),
      ...(model && { ANTHROPIC_API_KEY: secretKey, ANTHROPIC_BASE_URL: model.url, PARLEY_DEMO: '0' }),
      ...options.environment,
    },
  });
  const ended = once(child, 'close');
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (text: Buffer) => {
      said = (said + text.toString()).slice(-20_000);
      const address = /Parley is ready at (\S+)\n/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => reject(new Error(`the server ended before it was ready:\n${said}`)));
  });
  if (options.hasOwner) await protectOwner(url);
  return {
    url,
    model,
    home,
    hasOwner: options.hasOwner === true,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await model?.close();
      // Programs that were still writing when the server stopped may take a moment to exit.
      rmSync(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Sebastian gets an account. Before, he logs in like everybody in the household. */
async function protectOwner(url: string): Promise<void> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const login = await post('/login', { password, person: 'sebastian' });
  const cookie = login.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const made = await post('/api/account', { password: ownersPassword }, cookie.join('; '));
  if (!made.ok) throw new Error(await made.text());
}

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const args = [
  '--no-sandbox',
  // Containers have little shared memory, and a page that runs out of it crashes.
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // There is no graphics card, and imitating one takes time.
  '--disable-gpu',
];

/** The system's browser, or else the one from npm. */
export async function openBrowser(): Promise<Browser> {
  const system = systemBrowsers.find((path) => existsSync(path));
  return chromium.launch({ executablePath: system ?? (await chromiumFromNpm()), args });
}

const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

export interface Visit extends BrowserContextOptions {
  readonly person?: string;
  /** The page to open; the chat by default. */
  readonly path?: string;
}

/** A browser context of its own, without animations, that logged in without the form. */
export async function visit(
  browser: Browser,
  { url, hasOwner = false }: Pick<Parley, 'url'> & Partial<Pick<Parley, 'hasOwner'>>,
  options: Visit = {},
): Promise<Page> {
  const { person = 'sebastian', path = '/', ...context } = options;
  const page = await (
    await browser.newContext({
      viewport: desktop,
      locale: 'en-US',
      reducedMotion: 'reduce',
      // It would hide requests from tests that look at them, and load the whole app.
      serviceWorkers: 'block',
      ...context,
    })
  ).newPage();
  page.setDefaultTimeout(stepMs);
  const own = hasOwner && person === 'sebastian' ? ownersPassword : password;
  const login = await page.request.post(`${url}/login`, { data: { person, password: own } });
  if (!login.ok()) throw new Error(await login.text());
  await page.goto(url + path);
  await page.locator('header nav').waitFor();
  return page;
}

/** Another tab of the same login. */
export async function secondTab(page: Page, url: string): Promise<Page> {
  const tab = await page.context().newPage();
  tab.setDefaultTimeout(stepMs);
  await tab.goto(url);
  return tab;
}

/** Uncaught errors of the page, and what the content security policy blocked. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}

/** Fails with the violations that axe finds, by rule and element. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(axe, 'utf8'));
  const found = await page.evaluate(async () => {
    const checker = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    // It need not describe every element that is fine.
    return (await checker.axe.run({ resultTypes: ['violations'] })).violations;
  });
  const problems = found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join('\n  '));
  if (problems.length > 0) throw new Error(`axe found problems:\n${problems.join('\n')}`);
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
