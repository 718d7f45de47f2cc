// Registers all routes. A new feature adds its routes here, and the same policy applies to them.
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Metrics } from '../../basics/metrics.ts';
import type { ClusterHealth } from '../../domain/cluster-health.ts';
import type { Support } from '../../domain/support.ts';
import { type AcceptServices, acceptInvitationRoutes } from './account/accept-invitation.ts';
import { type OwnAccountServices, ownAccountRoutes } from './account/own-account.ts';
import { type PasskeyServices, passkeyRoutes } from './account/passkeys.ts';
import { type PeopleServices, peopleRoutes } from './account/people.ts';
import type { App } from './app.ts';
import { type AuditServices, auditRoutes } from './audit/routes.ts';
import { type ChangeServices, changeRoutes } from './changes/routes.ts';
import { type ClaudeCodeServices, claudeCodeRoutes } from './claude-code/routes.ts';
import { exportRoutes } from './export/routes.ts';
import { type ShareLinkServices, shareLinkRoutes } from './export/share-links.ts';
import { type FileServices, notesFileRoutes, sessionFileRoutes } from './files/routes.ts';
import { type BudgetServices, budgetRoutes } from './household/budgets.ts';
import { type HouseholdServices, householdRoutes } from './household/routes.ts';
import { type UsageServices, usageRoutes } from './household/usage.ts';
import { type KeyServices, keyRoutes } from './keys/routes.ts';
import { type KitchenServices, kitchenRoutes } from './kitchen/routes.ts';
import { type LinkedInServices, linkedInRoutes } from './linkedin/routes.ts';
import { type MeServices, meRoutes } from './login/me.ts';
import { type OpenIdServices, openIdRoutes } from './login/openid.ts';
import { type LoginServices, loginRoutes } from './login/routes.ts';
import { type NotesServices, notesRoutes } from './notes/routes.ts';
import { type DocsServices, docsRoutes } from './openapi/routes.ts';
import { operationsRoutes } from './operations/routes.ts';
import { serverRoutes } from './operations/servers.ts';
import { supportRoutes } from './operations/support.ts';
import { type PushServices, pushRoutes } from './push/routes.ts';
import { attachmentRoutes } from './sessions/attachments.ts';
import { type LiveServices, liveRoutes } from './sessions/live.ts';
import { type NotificationServices, notificationRoutes } from './sessions/notifications.ts';
import { organizeRoutes } from './sessions/organize.ts';
import { type SessionServices, sessionRoutes } from './sessions/routes.ts';
import { runningSessionRoutes } from './sessions/running-routes.ts';
import { type ShareServices, shareRoutes } from './sessions/shares.ts';
import { type SessionStreamServices, sessionStreamRoutes } from './sessions/stream.ts';
import { type SettingsServices, settingsRoutes } from './settings/routes.ts';
import { type HelpServices, helpRoutes } from './web-app/help.ts';
import { type WebAppServices, webAppRoutes } from './web-app/routes.ts';

export interface RouteServices {
  readonly notes: NotesServices;
  readonly kitchen: KitchenServices;
  readonly claudeCode: ClaudeCodeServices | undefined;
  readonly files: FileServices;
  readonly changes: ChangeServices;
  readonly sessions: SessionServices & SessionStreamServices & ShareServices & ShareLinkServices;
  readonly live: LiveServices;
  readonly notifications: NotificationServices;
  readonly push: PushServices;
  readonly household: HouseholdServices;
  readonly keys: KeyServices;
  readonly audit: AuditServices;
  readonly usage: UsageServices & BudgetServices;
  readonly settings: SettingsServices | undefined;
  readonly support: Support | undefined;
  readonly linkedIn: LinkedInServices | undefined;
  readonly login: LoginServices & MeServices;
  readonly account: OwnAccountServices & PeopleServices & AcceptServices & PasskeyServices & OpenIdServices;
  readonly docs: DocsServices;
  readonly webApp: WebAppServices & HelpServices;
  readonly metrics: Metrics;
  readonly clusterHealth: ClusterHealth | undefined;
  readonly isReady: () => boolean;
}

export function addRoutes(app: App, services: RouteServices): void {
  const { notes, kitchen, sessions, household, linkedIn, login, account, claudeCode, docs, webApp, metrics } =
    services;
  operationsRoutes(app, metrics, services.isReady);
  if (services.clusterHealth) serverRoutes(app, services.clusterHealth);
  webAppRoutes(app, webApp);
  helpRoutes(app, webApp);
  loginRoutes(app, login);
  meRoutes(app, login);
  ownAccountRoutes(app, account);
  passkeyRoutes(app, account);
  openIdRoutes(app, account);
  peopleRoutes(app, account);
  acceptInvitationRoutes(app, account);
  docsRoutes(app, docs);
  notesRoutes(app, notes);
  kitchenRoutes(app, kitchen);
  sessionRoutes(app, sessions);
  runningSessionRoutes(app, sessions);
  attachmentRoutes(app, sessions);
  sessionStreamRoutes(app, sessions);
  shareRoutes(app, sessions);
  if (sessions.organizer) organizeRoutes(app, sessions.organizer);
  exportRoutes(app, sessions);
  shareLinkRoutes(app, sessions);
  liveRoutes(app, services.live);
  notificationRoutes(app, services.notifications);
  pushRoutes(app, services.push);
  householdRoutes(app, household);
  keyRoutes(app, services.keys);
  auditRoutes(app, services.audit);
  usageRoutes(app, services.usage);
  budgetRoutes(app, services.usage);
  notesFileRoutes(app, services.files);
  if (services.settings) settingsRoutes(app, services.settings);
  if (services.support) supportRoutes(app, services.support);
  if (linkedIn) linkedInRoutes(app, linkedIn);
  if (claudeCode) {
    app.register((scope, _options, done) => {
      scope.addHook('onRoute', (route) => {
        const needs = route.url.includes('/:id') && ({ needs: 'session' } as const);
        route.config = { right: 'claude-code', ...needs, ...route.config };
      });
      const typed = scope.withTypeProvider<ZodTypeProvider>();
      claudeCodeRoutes(typed, claudeCode);
      sessionFileRoutes(typed, services.files);
      changeRoutes(typed, services.changes);
      done();
    });
  }
}
