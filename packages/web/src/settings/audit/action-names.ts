// What the audit log records, in words.
import type { AuditAction } from '@parley/protocol';
import { t } from '../../i18n/translate.ts';

const names: Record<AuditAction, () => string> = {
  login: () => t('Logged in'),
  'login.failed': () => t('Login failed'),
  logout: () => t('Logged out'),
  'device.ended': () => t('Device logged out'),
  'account.created': () => t('Account created'),
  'account.changed': () => t('Account changed'),
  'account.recovered': () => t('Account recovered'),
  'account.disabled': () => t('Account disabled'),
  'account.enabled': () => t('Account enabled'),
  'account.removed': () => t('Account removed'),
  'role.changed': () => t('Role changed'),
  'password.changed': () => t('Password changed'),
  'passkey.added': () => t('Passkey added'),
  'passkey.removed': () => t('Passkey removed'),
  'openid.linked': () => t('Identity provider linked'),
  'openid.unlinked': () => t('Identity provider unlinked'),
  'invitation.created': () => t('Invitation created'),
  'invitation.accepted': () => t('Invitation accepted'),
  'invitation.revoked': () => t('Invitation revoked'),
  'key.created': () => t('API key created'),
  'key.revoked': () => t('API key revoked'),
  'session.shared': () => t('Session shared'),
  'session.unshared': () => t('Session no longer shared'),
  'link.created': () => t('Link created'),
  'link.revoked': () => t('Link revoked'),
  'folder.trusted': () => t('Folder trusted'),
  'folder.distrusted': () => t('Folder no longer trusted'),
  'permission.decided': () => t('Permission decided'),
  'budget.changed': () => t('Budget changed'),
  'settings.changed': () => t('Settings changed'),
};

export const actions = Object.keys(names) as readonly AuditAction[];

export function actionName(action: AuditAction): string {
  return names[action]();
}
