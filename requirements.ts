// Every behavior that Parley promises. Tests cite the ids; `npm run requirements` shows what is proven.
import { accounts } from './requirements/accounts.ts';
import { app } from './requirements/app.ts';
import { channels } from './requirements/channels.ts';
import { cluster } from './requirements/cluster.ts';
import { code } from './requirements/code.ts';
import { driver } from './requirements/driver.ts';
import { files } from './requirements/files.ts';
import { keys } from './requirements/keys.ts';
import { kitchen } from './requirements/kitchen.ts';
import { limits } from './requirements/limits.ts';
import { notes } from './requirements/notes.ts';
import { operations } from './requirements/operations.ts';
import type { Requirement } from './requirements/requirement.ts';
import { search } from './requirements/search.ts';
import { settings } from './requirements/settings.ts';
import { shipping } from './requirements/shipping.ts';

export const requirements: readonly Requirement[] = [
  ...notes,
  ...code,
  ...kitchen,
  ...channels,
  ...driver,
  ...settings,
  ...accounts,
  ...limits,
  ...keys,
  ...cluster,
  ...files,
  ...search,
  ...app,
  ...operations,
  ...shipping,
];
