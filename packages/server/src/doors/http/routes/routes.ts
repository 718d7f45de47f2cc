// All routes of the door. A new door on HTTP adds its file here and is under the same policy.
import type { Registry } from 'prom-client';
import type { App } from '../app.ts';
import { type ChatServices, chatRoutes } from './chat.ts';
import { type ClaudeCodeServices, claudeCodeRoutes } from './claude-code.ts';
import { type DocsServices, docsRoutes } from './docs.ts';
import { type HouseholdServices, householdRoutes } from './household.ts';
import { type LoginServices, loginRoutes } from './login.ts';
import { type MeServices, meRoutes } from './me.ts';
import { type NotesServices, notesRoutes } from './notes.ts';
import { operationsRoutes } from './operations.ts';
import { type SessionStreamServices, sessionStreamRoutes } from './session-stream.ts';
import { type SessionServices, sessionRoutes } from './sessions.ts';

export interface RouteServices {
  readonly notes: NotesServices;
  readonly chat: ChatServices;
  readonly claudeCode: ClaudeCodeServices | undefined;
  readonly sessions: SessionServices & SessionStreamServices;
  readonly household: HouseholdServices;
  readonly login: LoginServices & MeServices;
  readonly docs: DocsServices;
  readonly metrics: Registry;
}

export function addRoutes(app: App, services: RouteServices): void {
  const { notes, chat, sessions, household, login, claudeCode, docs, metrics } = services;
  operationsRoutes(app, metrics);
  loginRoutes(app, login);
  meRoutes(app, login);
  docsRoutes(app, docs);
  notesRoutes(app, notes);
  chatRoutes(app, chat);
  sessionRoutes(app, sessions);
  sessionStreamRoutes(app, sessions);
  householdRoutes(app, household);
  if (claudeCode) claudeCodeRoutes(app, claudeCode);
}
