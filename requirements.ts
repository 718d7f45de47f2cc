// Every behavior that Parley promises. Tests cite the ids; `npm run requirements` shows what is proven.
import { channels } from './requirements/channels.ts';
import { code } from './requirements/code.ts';
import { driver } from './requirements/driver.ts';
import { kitchen } from './requirements/kitchen.ts';
import { notes } from './requirements/notes.ts';
import type { Requirement } from './requirements/requirement.ts';

export const requirements: readonly Requirement[] = [...notes, ...code, ...kitchen, ...channels, ...driver];
