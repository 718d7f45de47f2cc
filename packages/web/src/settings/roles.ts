// The names of the roles.
import type { Role } from '@parley/protocol';
import { t } from '../i18n/translate.ts';

export const roleNames: Readonly<Record<Role, () => string>> = {
  owner: () => t('Owner'),
  member: () => t('Member'),
  guest: () => t('Guest'),
};
