// All routes of the door. A new door on HTTP adds its file here and is under the same policy.
import type { Registry } from 'prom-client';
import type { App } from '../app.ts';
import { type ChatServices, chatRoutes } from './chat.ts';
import { type DocsServices, docsRoutes } from './docs.ts';
import { type NotesServices, notesRoutes } from './notes.ts';
import { operationsRoutes } from './operations.ts';

export interface RouteServices {
  readonly notes: NotesServices;
  readonly chat: ChatServices;
  readonly docs: DocsServices;
  readonly metrics: Registry;
}

export function addRoutes(app: App, { notes, chat, docs, metrics }: RouteServices): void {
  operationsRoutes(app, metrics);
  docsRoutes(app, docs);
  notesRoutes(app, notes);
  chatRoutes(app, chat);
}
