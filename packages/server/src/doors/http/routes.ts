// All routes of the door. A new door on HTTP adds its file here and is under the same policy.
import type { Registry } from 'prom-client';
import type { App } from './app.ts';
import { type ClaudeCodeServices, claudeCodeRoutes } from './claude-code/routes.ts';
import { type HouseholdServices, householdRoutes } from './household/routes.ts';
import { type UsageServices, usageRoutes } from './household/usage.ts';
import { type ChatServices, chatRoutes } from './kitchen/routes.ts';
import { type LinkedInServices, linkedInRoutes } from './linkedin/routes.ts';
import { type MeServices, meRoutes } from './login/me.ts';
import { type LoginServices, loginRoutes } from './login/routes.ts';
import { type NotesServices, notesRoutes } from './notes/routes.ts';
import { type DocsServices, docsRoutes } from './openapi/routes.ts';
import { operationsRoutes } from './operations/routes.ts';
import { type LiveServices, liveRoutes } from './sessions/live.ts';
import { type SessionServices, sessionRoutes } from './sessions/routes.ts';
import { type SessionStreamServices, sessionStreamRoutes } from './sessions/stream.ts';
import { type WebAppServices, webAppRoutes } from './web-app/routes.ts';

export interface RouteServices {
  readonly notes: NotesServices;
  readonly chat: ChatServices;
  readonly claudeCode: ClaudeCodeServices | undefined;
  readonly sessions: SessionServices & SessionStreamServices;
  readonly live: LiveServices;
  readonly household: HouseholdServices;
  readonly usage: UsageServices;
  readonly linkedIn: LinkedInServices | undefined;
  readonly login: LoginServices & MeServices;
  readonly docs: DocsServices;
  readonly webApp: WebAppServices;
  readonly metrics: Registry;
}

export function addRoutes(app: App, services: RouteServices): void {
  const { notes, chat, sessions, household, linkedIn, login, claudeCode, docs, webApp, metrics } = services;
  operationsRoutes(app, metrics);
  webAppRoutes(app, webApp);
  loginRoutes(app, login);
  meRoutes(app, login);
  docsRoutes(app, docs);
  notesRoutes(app, notes);
  chatRoutes(app, chat);
  sessionRoutes(app, sessions);
  sessionStreamRoutes(app, sessions);
  liveRoutes(app, services.live);
  householdRoutes(app, household);
  usageRoutes(app, services.usage);
  if (linkedIn) linkedInRoutes(app, linkedIn);
  if (claudeCode) claudeCodeRoutes(app, claudeCode);
}
