// The doctor's checks that are quick enough for the settings page: they contact no other server.
import type { HealthCheck } from './checks/check.ts';
import { appSettings } from './checks/configuration.ts';
import { disk, home, vaults } from './checks/files.ts';
import { claude, ripgrep } from './checks/programs.ts';
import {
  apiKeys,
  password,
  permissionQuestions,
  rootUser,
  secretsInFile,
  toolPrograms,
} from './checks/safety.ts';
import { workFolders } from './checks/work-folders.ts';

export { examine } from './doctor.ts';

export const healthChecks: readonly HealthCheck[] = [
  home,
  disk,
  vaults,
  appSettings,
  password,
  apiKeys,
  secretsInFile,
  rootUser(),
  permissionQuestions,
  ripgrep,
  claude,
  workFolders,
  toolPrograms,
];
