// How every page looks, on a desktop and a phone, compared with small stored pictures. After a wanted change:
// PARLEY_UPDATE_LOOKS=1 npx vitest run packages/web/test/e2e/looks.test.ts, and look at the pictures.
import { join } from 'node:path';
import type { About, SandboxView, WorkFolderList } from '@parley/protocol';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answered, say } from './chat-page.ts';
import { beginSession, hear } from './code-pages.ts';
import { patienceMs, phone, visit } from './harness.ts';
import { type Looks, looksIn } from './looks.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley({ hasOwner: true });
const folder = join(import.meta.dirname, 'looks');

/** What is different on every machine or at another time, such as the greeting. Its place stays. */
const varying = `
  time, code, h1.text-balance, [role="progressbar"], svg[role="img"] * { visibility: hidden !important }
  * { caret-color: transparent !important; scrollbar-width: none !important }
`;

/** By name. A function is given what was prepared. */
const pages: Readonly<Record<string, string | ((made: Made) => string)>> = {
  start: '/',
  chat: ({ chat }) => `/chat/${chat}`,
  sessions: '/code',
  session: ({ session }) => `/code/${session}`,
  files: ({ session }) => `/code/${session}?panel=files`,
  recipe: ({ recipe }) => `/recipes/${recipe}`,
  overview: '/overview',
  account: '/settings/account',
  people: '/settings/people',
  keys: '/settings/keys',
  budgets: '/settings/budgets',
  'mcp-servers': '/settings/mcp-servers',
  assistants: '/settings/assistants',
  bots: '/settings/bots',
  server: '/settings/server',
  'work-folders': '/settings/work-folders',
  audit: '/settings/audit',
  about: '/settings/about',
  setup: '/setup',
  nothing: '/settings/nothing',
  login: '/login',
};
const dark = ['start', 'chat', 'session', 'overview'];

/** What the doctor finds depends on the machine. */
const about: About = {
  version: '1.0.0',
  node: 'v20.19.0',
  platform: 'linux x64',
  demo: true,
  startedAt: 0,
  dataDir: '/home/parley/.parley',
  databaseBytes: 1_000_000,
  findings: [
    { check: 'disk', state: 'warning', detail: '1 GB is free.', fix: 'Delete what nobody needs.' },
    { check: 'database', state: 'ok', detail: 'It can be read and written.', fix: null },
  ],
};

interface Made {
  readonly chat: string;
  readonly session: string;
  readonly recipe: string;
}

let looks: Looks;
let made: Made;
let desktopPage: Page;
let phonePage: Page;

beforeAll(async () => {
  const studio = await (await parley.browser.newContext()).newPage();
  looks = looksIn(studio);
  const options = { timezoneId: 'UTC' };
  desktopPage = await visit(parley.browser, parley, { ...options, viewport: { width: 1280, height: 800 } });
  await say(desktopPage, 'What is on my shopping list?');
  await desktopPage.waitForURL(/\/chat\//);
  await answered(desktopPage);
  const chat = desktopPage.url().slice(-36);
  const session = await beginSession(desktopPage, parley, 'Hello');
  await hear(desktopPage, /scripted demo model/);
  const found = await desktopPage.request.get(`${parley.url}/api/recipes`);
  const [recipe] = (await found.json()) as readonly { id: string }[];
  made = { chat, session, recipe: recipe?.id ?? '' };
  phonePage = await visit(parley.browser, parley, { ...options, viewport: phone });
  // Everything has just happened, however long the test takes.
  const now = Date.now();
  for (const page of [desktopPage, phonePage]) {
    await page.clock.setFixedTime(now);
    await page.route('**/api/settings/about', (route) => route.fulfill({ json: about }));
    await page.route(/\/api\/work-folders/, withSandbox);
    await page.context().addInitScript((style) => {
      document.addEventListener('DOMContentLoaded', () => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        document.adoptedStyleSheets.push(sheet);
      });
    }, varying);
  }
}, patienceMs);

afterAll(async () => {
  await Promise.all([desktopPage, phonePage].map((page) => page.context().close()));
}, patienceMs);

/** Not every machine has one. */
async function withSandbox(route: Route): Promise<void> {
  const response = await route.fetch();
  const folders = (await response.json()) as WorkFolderList;
  const sandbox: SandboxView = { kind: 'bubblewrap', required: false };
  await route.fulfill({ response, json: { ...folders, sandbox } });
}

async function expectLooks(page: Page, name: string, file: string): Promise<void> {
  const path = pages[name] ?? '/';
  const address = parley.url + (typeof path === 'string' ? path : path(made));
  // Loading the app again for each section of the settings takes longer than everything else here.
  if ([page.url(), address].every((one) => one.startsWith(`${parley.url}/settings/`)))
    await page.evaluate((next) => history.pushState(null, '', next), address);
  else await page.goto(address);
  await page.getByRole('main').first().waitFor();
  // Until everything is loaded.
  await expect
    .poll(() => page.locator('.animate-pulse, .animate-spin').count(), {
      message: `${name} is still loading`,
    })
    .toBe(0);
  await page.evaluate(() => document.fonts.ready);
  await expect
    .poll(async () => looks.isFine(await looks.difference(page, join(folder, `${file}.png`))), {
      message: `${file} looks different`,
    })
    .toBe(true);
}

describe('every page looks as before', { timeout: patienceMs }, () => {
  for (const name of Object.keys(pages))
    it(`${name} [app.looks]`, async () => {
      await expectLooks(desktopPage, name, name);
      await expectLooks(phonePage, name, `${name}-phone`);
    });

  it('in the dark [app.looks]', async () => {
    await desktopPage.emulateMedia({ colorScheme: 'dark' });
    for (const name of dark) await expectLooks(desktopPage, name, `${name}-dark`);
  });
});
